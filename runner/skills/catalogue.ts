import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import { didYouMean } from '../../schemas/near.ts'
import { skillName } from '../permission/covers.ts'

/** A skill or command of the manifest. */
export type PromptFile = ManifestHeader['commands'][string]

/** Everything that can be called by a `/name`. A skill beats a command of its name (claude-code-agents.md 8.2). */
export type KnownSkills = Pick<ManifestHeader, 'skills' | 'commands'>

export interface NamedSkill {
  name: string
  skill: PromptFile
}

export function findSkill(name: string, { skills, commands }: KnownSkills): PromptFile | undefined {
  return own(skills, name) ?? own(commands, name)
}

function own(all: Readonly<Record<string, PromptFile>>, name: string): PromptFile | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined
}

/** The skills and commands that the model may call, in the order of their names. */
export function skillsForModel(known: KnownSkills): NamedSkill[] {
  const names = [...new Set([...Object.keys(known.skills), ...Object.keys(known.commands)])].sort()
  return names.map((name) => ({ name, skill: findSkill(name, known)! })).filter(({ skill }) => skill.disableModelInvocation !== true)
}

/**
 * What a call of the tool Skill means, or why it means nothing. The name is taken as the rules take it, so that no spelling passes a rule:
 * without a leading `/`, and otherwise to the letter.
 */
export function calledSkill(given: unknown, known: KnownSkills): NamedSkill | { refused: string } {
  const name = skillName(given)
  const skill = name === undefined ? undefined : findSkill(name, known)
  if (name === undefined || !skill) return { refused: unknown(String(given), known) }
  if (skill.disableModelInvocation === true) {
    return { refused: `The skill ${name} is for people only (disable-model-invocation): a person has to call it by /${name}.` }
  }
  return { name, skill }
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
