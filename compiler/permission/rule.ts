import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { didYouMean } from '../../schemas/near.ts'
import { AGENTC, type Profile } from '../../schemas/profile.ts'
import type { Range } from '../../schemas/source.ts'
import type { Match, Rule } from '../../schemas/shapes/permission.ts'
import { HOST_ONLY, RETIRED } from '../../schemas/tools.ts'
import * as say from '../findings/permission.ts'
import { originAt, type SourceFile } from '../source-file.ts'
import { anchored } from './anchor.ts'
import { ruleParts, type RuleParts } from './grammar.ts'
import { parameterOf, parseSpecifier, PRIMARY, specifierKind, type RuleList } from './specifier.ts'

/** A rule as text, with the place of it and the list it stands in. */
export interface RuleText {
  text: string
  list: RuleList
  file: SourceFile
  range: Range
}

/** The rule as data, with its findings; one that counts for nothing gives findings only. */
export interface RuleReading {
  rule?: Rule
  found: Diagnostic[]
}

type Outcome = { tool: string; match?: Match; found?: Diagnostic } | { lost: Diagnostic }

/**
 * Parses one permission rule where it stands (claude-code-agents.md 5; mission M19). A rule that the program would skip is left out and
 * reported: as an error if it was to restrict something, because nobody would notice that it does not.
 */
export function readRule(written: RuleText, profile: Profile): RuleReading {
  const parts = ruleParts(written.text)
  const outcome = 'fault' in parts ? { lost: say.malformedRule(written, parts.fault) } : understood(parts, written, profile)
  if ('lost' in outcome) return { found: [outcome.lost] }
  const rule: Rule = {
    tool: outcome.tool,
    ...(outcome.match && { match: outcome.match }),
    origin: originAt(written.file, written.range),
  }
  return { rule, found: outcome.found ? [outcome.found] : [] }
}

function understood(parts: RuleParts, written: RuleText, profile: Profile): Outcome {
  if (parts.tool.includes('*') && !parts.tool.startsWith('mcp__')) return glob(parts, written)
  if (parts.tool.startsWith('mcp__')) return mcp(parts, written)
  const tool = (profile.byName.get(parts.tool) ?? AGENTC.byName.get(parts.tool))?.name ?? parts.tool
  const { specifier } = parts
  if (!isKnown(tool) && !tool.includes('_')) return unknown(tool, specifier, written)
  if (specifier === undefined || (tool === 'WebFetch' && /^domain\s*:\s*\*$/.test(specifier))) return { tool }
  return specified(tool, specifier, written)
}

/** A star in the name of a tool: only rules that restrict may have one, and they are about whole tools. */
function glob({ tool, specifier }: RuleParts, written: RuleText): Outcome {
  if (specifier !== undefined) return { lost: say.malformedRule(written, 'has a star in the name of the tool and brackets behind it') }
  if (written.list === 'allow') return { lost: say.allowGlob(written) }
  return { tool }
}

/** `mcp__server` is every tool of the server. In an allow rule a star may stand behind a server's full name only. */
function mcp({ tool, specifier }: RuleParts, written: RuleText): Outcome {
  const name = tool.replaceAll(/[^\w*-]/g, '_')
  const [, server, rest] = /^mcp__(.*?)(?:__(.*))?$/s.exec(name)!
  if (specifier !== undefined) return { lost: say.malformedRule(written, 'has brackets behind the name of an MCP tool') }
  if (server === '' || server === undefined) return { lost: say.malformedRule(written, 'names no server after `mcp__`') }
  if (written.list === 'allow' && server.includes('*')) return { lost: say.allowGlob(written) }
  return { tool: rest === undefined || rest === '' ? `mcp__${server}${server.endsWith('*') ? '' : '__*'}` : name }
}

/** `Cd` is asked about one command of the program only and is no tool. */
const KNOWN = [...HOST_ONLY, ...Object.keys(RETIRED), 'Cd']

function isKnown(tool: string): boolean {
  return AGENTC.byName.has(tool) || KNOWN.includes(tool)
}

/** A new tool of another version is no mistake; a name that is nearly that of a tool is, and then nothing is restricted. */
function unknown(tool: string, specifier: string | undefined, written: RuleText): Outcome {
  const meant = didYouMean(tool, [...AGENTC.byName.keys(), ...KNOWN])
  if (meant !== undefined && written.list !== 'allow') return { lost: say.misspeltTool(written, tool, meant) }
  return { tool, ...(specifier !== undefined && { match: { exact: specifier } }), found: say.unknownTool(written, tool, meant) }
}

function specified(tool: string, specifier: string, written: RuleText): Outcome {
  const parameter = parameterOf(tool, specifier)
  if (parameter) return withParameter(tool, parameter, written)
  const kind = specifierKind(tool)
  if (kind === 'path') return withPath(tool, specifier, written)
  if (kind === 'domain' && !/^domain\s*:/.test(specifier))
    return { lost: say.neverMatches(written, 'WebFetch rules name a domain', 'Write `WebFetch(domain:example.com)`.') }
  if (kind === undefined && AGENTC.byName.has(tool))
    return {
      lost: say.neverMatches(written, `${tool} takes nothing in brackets that fits this`, `Write \`${tool}\` alone for every call.`),
    }
  return { tool, match: parseSpecifier(tool, specifier, written.list) }
}

/** Parameters can be asked about in rules that restrict, except the one that the tool's own form of rule is about. */
function withParameter(tool: string, match: { param: string; value: string }, written: RuleText): Outcome {
  if (PRIMARY.has(match.param))
    return {
      lost: say.neverMatches(written, `\`${match.param}\` of ${tool} is not compared as a parameter`, `Write \`${tool}(${match.value})\`.`),
    }
  if (written.list === 'allow')
    return {
      lost: say.neverMatches(
        written,
        'only rules under `deny` and `ask` compare parameters',
        `Allow \`${tool}\` in another form, and deny what it must not do.`,
      ),
    }
  return { tool, match }
}

const CONSULTED = new Set(['Read', 'Edit'])

/**
 * Claude Code consults only Read and Edit rules. agentc enforces the others as well where they restrict, and leaves them out where they
 * allow, so that it never allows what that program would ask about.
 */
function withPath(tool: string, specifier: string, written: RuleText): Outcome {
  const { list, file } = written
  if (specifier.startsWith('!')) return { lost: say.exception(written) }
  if (specifier.split('/').includes('..')) return { lost: say.pathUp(written) }
  const match = anchored(parseSpecifier(tool, specifier, list), file)
  if (!CONSULTED.has(tool)) {
    const found = say.pathNotConsulted(written, tool, /^(?:Glob|Grep)$/.test(tool) ? 'Read' : 'Edit')
    return list === 'allow' ? { lost: found } : { tool, match, found }
  }
  const unknownFolder = 'anchor' in match && match.anchor === 'source' && isElsewhere(file)
  return { tool, match, ...(unknownFolder && { found: say.unknownAnchor(written) }) }
}

/** Files whose folder a manifest cannot name, because it is another one on every machine. */
function isElsewhere({ origin }: SourceFile): boolean {
  return origin.source === 'policy' || origin.path.startsWith('<outside>')
}
