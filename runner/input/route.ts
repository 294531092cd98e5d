import { didYouMean } from '../../schemas/near.ts'
import { findSkill, type KnownSkills, type NamedSkill, skillNames } from '../skills/catalogue.ts'

/**
 * What a line of a person is (M20, claude-code-agents.md 10): `/name args` calls for a skill or a command of the manifest, `!line` is a command
 * of the shell, `#text` a note for the agent's memory, and everything else a prompt. Nothing is asked but the manifest.
 */
export type Routed =
  | { kind: 'prompt'; text: string }
  | { kind: 'skill'; args: string; called: NamedSkill }
  | { kind: 'shell'; command: string }
  | { kind: 'note'; text: string }
  | { kind: 'refused'; message: string }

/** `/name`, not `/a/path` nor `/ `: a name of a skill may hold `:` for its plugin. */
const COMMAND = /^\/([A-Za-z0-9][\w:.-]*)(?:\s+([^]*))?$/

/** Leading blanks count for nothing; a mark in front of nothing is a text like any other. */
export function route(input: string, known: KnownSkills): Routed {
  const text = input.trim()
  const [, name, args = ''] = COMMAND.exec(text) ?? []
  if (name !== undefined) return called(name, args.trim(), known)
  const rest = text.slice(1).trim()
  if (rest === '') return { kind: 'prompt', text: input }
  if (text.startsWith('!')) return { kind: 'shell', command: rest }
  // `## heading` begins a text in Markdown.
  if (/^#(?!#)/.test(text)) return { kind: 'note', text: rest }
  return { kind: 'prompt', text: input }
}

function called(name: string, args: string, known: KnownSkills): Routed {
  const found = findSkill(name, known)
  if (!found) return { kind: 'refused', message: unknown(name, skillNames(known)) }
  const { skill } = found
  if (skill.userInvocable === false) {
    return { kind: 'refused', message: `/${name} is there for the model only (user-invocable: false in ${skill.origin.path}).` }
  }
  return { kind: 'skill', args, called: found }
}

function unknown(name: string, names: readonly string[]): string {
  const near = didYouMean(name, names)
  const meant = near === undefined ? '' : ` Did you mean /${near}?`
  const all = names.map((each) => `/${each}`)
  return `There is no skill or command /${name}.${meant} There are: ${all.join(', ') || 'none'}.`
}
