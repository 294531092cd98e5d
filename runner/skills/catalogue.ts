import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import { didYouMean } from '../../schemas/near.ts'
import type { McpSkills } from '../mcp/mcp-skill.ts'
import type { FarSkill } from './far.ts'
import { skillName } from '../permission/covers.ts'

/** A skill or command of the manifest. */
export type PromptFile = ManifestHeader['commands'][string]

/** Everything that can be called by a `/name`. A skill beats a command of its name (claude-code-agents.md 8.2), and both one that is kept elsewhere. */
export type KnownSkills = Pick<ManifestHeader, 'skills' | 'commands' | 'remoteSkills'> & { mcpSkills?: McpSkills | undefined }

/** What an agent can call: what the manifest holds, and what its servers offer. */
export function knownIn({ header, mcpSkills }: { header: Readonly<ManifestHeader>; mcpSkills?: McpSkills | undefined }): KnownSkills {
  const { skills, commands, remoteSkills } = header
  return { skills, commands, remoteSkills, mcpSkills }
}

export interface NamedSkill {
  name: string
  skill: PromptFile
  /** Its text has to be had first; `content` is empty. */
  far?: FarSkill
}

export function findSkill(name: string, { skills, commands, remoteSkills = {}, mcpSkills = {} }: KnownSkills): NamedSkill | undefined {
  const skill = own(skills, name) ?? own(commands, name)
  if (skill) return { name, skill }
  const remote = own(remoteSkills, name)
  if (remote) {
    const { description, digest, address, origin } = remote
    return { name, skill: { description, content: '', hash: digest, origin }, far: { kind: 'remote', address, digest } }
  }
  const offered = own(mcpSkills, name)
  if (!offered) return undefined
  const { description, server, uri } = offered
  return { name, skill: { description, content: '', hash: '', origin: { source: 'flag', path: uri } }, far: { kind: 'mcp', server, uri } }
}

function own<T>(all: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined
}

/** All names, in order. */
export function skillNames({ skills, commands, remoteSkills = {}, mcpSkills = {} }: KnownSkills): string[] {
  return [...new Set([skills, commands, remoteSkills, mcpSkills].flatMap(Object.keys))].sort()
}

/** The skills and commands that the model may call, in the order of their names. */
export function skillsForModel(known: KnownSkills): NamedSkill[] {
  return skillNames(known).flatMap((name) => {
    const found = findSkill(name, known)!
    return found.skill.disableModelInvocation === true ? [] : [found]
  })
}

/**
 * What a call of the tool Skill means, or why it means nothing. The name is taken as the rules take it, so that no spelling passes a rule:
 * without a leading `/`, and otherwise to the letter.
 */
export function calledSkill(given: unknown, known: KnownSkills): NamedSkill | { refused: string } {
  const name = skillName(given)
  const found = name === undefined ? undefined : findSkill(name, known)
  if (!found) return { refused: unknown(String(given), known) }
  if (found.skill.disableModelInvocation === true) {
    return { refused: `The skill ${name} is for people only (disable-model-invocation): a person has to call it by /${name}.` }
  }
  return found
}

function unknown(given: string, known: KnownSkills): string {
  const names = skillsForModel(known).map(({ name }) => name)
  const near = didYouMean(given.replace(/^\//, ''), names)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  return `There is no skill ${JSON.stringify(given)}.${meant} There are: ${shown(names)}.`
}

/** Names that a message lists. */
const MOST_NAMES = 50

function shown(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`
}
