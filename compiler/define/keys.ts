import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Entry } from '../parse/node.ts'
import { misspeltKey } from '../findings/field.ts'
import { editDistance, folded } from '../../schemas/near.ts'
import type { SourceFile } from '../source-file.ts'

/** Every key of an agent file, as documented (M2; claude-code-agents.md 1.2). */
export const AGENT_KEYS = [
  'name',
  'description',
  'tools',
  'disallowedTools',
  'model',
  'effort',
  'maxTurns',
  'permissionMode',
  'background',
  'initialPrompt',
  'isolation',
  'memory',
  'mcpServers',
  'hooks',
  'skills',
  'color',
  'omitClaudeMd',
  'requiredMcpServers',
  'criticalSystemReminder_EXPERIMENTAL',
  'experimental',
  'autoCompactWindow',
] as const

/** What is lost when the key does not count; these four restrict, so losing them is an error. */
const RESTRICTS: Record<string, string> = {
  tools: 'the restriction is lost and the agent has every tool',
  disallowedTools: 'nothing is denied to the agent',
  maxTurns: 'the agent may go on without a limit of turns',
  permissionMode: 'the agent runs in the mode of whoever starts it',
}

/** Spellings of other programs, and of skills, that are more than one edit away. */
const KNOWN_MISTAKES: Record<string, string> = {
  allowedtools: 'tools',
  deniedtools: 'disallowedTools',
  disabledtools: 'disallowedTools',
  colour: 'color',
}

const UNIT = /[_-]?(?:ms|secs?|seconds|mins?|minutes)$/i

/** A finding for a key that is a near miss of a known one; any other undocumented key is nobody's business (what-to-report.md). */
export function checkKey(file: SourceFile, { key, keyRange }: Entry, written: ReadonlySet<string>): Diagnostic | undefined {
  if ((AGENT_KEYS as readonly string[]).includes(key)) return undefined
  const meant = meantBy(key)
  if (meant === undefined || (written.has(meant) && folded(key) !== folded(meant))) return undefined
  const restricts = Object.hasOwn(RESTRICTS, meant)
  return misspeltKey(file, keyRange, key, meant, restricts ? RESTRICTS[meant]! : `\`${meant}\` keeps its default`, restricts)
}

const meanings = new Map<string, string | undefined>()

/** The key that is meant. Thousands of files share the same few undocumented keys, and to compare one with all that are known takes long. */
function meantBy(key: string): string | undefined {
  if (!meanings.has(key)) meanings.set(key, Object.hasOwn(KNOWN_MISTAKES, folded(key)) ? KNOWN_MISTAKES[folded(key)] : nearest(key))
  return meanings.get(key)
}

function nearest(key: string): string | undefined {
  const bare = key.replace(UNIT, '')
  return AGENT_KEYS.find((known) => folded(known) === folded(key) || folded(known) === folded(bare) || isTypo(key, known))
}

/** Keys of other programs' agents that happen to be one edit from ours (claude-code-agents.md 13.2). */
const FOREIGN = new Set(['mode', 'tag', 'kind'])

function isTypo(key: string, known: string): boolean {
  return !FOREIGN.has(key) && editDistance(key, known, 1) === 1
}
