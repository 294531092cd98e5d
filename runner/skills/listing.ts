import type { Rule } from '../../schemas/shapes/permission.ts'
import { namedMatch } from '../permission/covers.ts'
import { type KnownSkills, type NamedSkill, skillsForModel } from './catalogue.ts'

/** A skill as the model is told of it. */
export interface ListedSkill {
  name: string
  what: string
}

/** Characters of one description (claude-code-agents.md 8.1), and of the whole list: about two of a hundred of a window of 200,000 tokens. */
const MOST_OF_ONE = 1536
const MOST = 16_000
/** A description that would be shorter says nothing. */
const LEAST = 20

/** The skills that an agent may call, sorted; not those for people only, nor those that a deny rule hides. */
export function listSkills(known: KnownSkills, deny: readonly Rule[]): ListedSkill[] {
  return skillsForModel(known)
    .filter(({ name }) => !deny.some((rule) => hides(rule, name)))
    .map(({ name, skill }) => ({ name, what: whatOf(skill) }))
}

/** Whether a deny rule is about a skill, whatever it is called with. */
export function hides(rule: Rule, name: string): boolean {
  const asked = { tool: 'Skill', input: { skill: name }, files: [], search: false }
  return rule.tool === 'Skill' && namedMatch(rule, asked) === true
}

function whatOf(skill: NamedSkill['skill']): string {
  const { description = '', whenToUse = '', paths = [] } = skill
  const about = [description, whenToUse].map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '')
  const files = paths.length > 0 ? ` (for files that fit ${paths.join(', ')})` : ''
  return `${cut(about.join(' '), MOST_OF_ONE)}${files}`
}

/**
 * The description of the tool Skill with the skills that there are. Where they are many, each description gets an equal part of the room,
 * and where the names alone are too many, the rest is counted.
 */
export function withSkills(description: string, skills: readonly ListedSkill[]): string {
  if (skills.length === 0) return description
  return [description, '', 'Skills that can be called:', ...linesOf(skills)].join('\n')
}

function linesOf(skills: readonly ListedSkill[]): string[] {
  const line = ({ name, what }: ListedSkill, most: number): string =>
    what === '' || most < LEAST ? `- ${name}` : `- ${name}: ${cut(what, most)}`
  const whole = skills.map((skill) => line(skill, Infinity))
  if (sizeOf(whole) <= MOST) return whole
  const names = sizeOf(skills.map(({ name }) => `- ${name}: `))
  const shortened = skills.map((skill) => line(skill, Math.floor((MOST - names) / skills.length)))
  return sizeOf(shortened) <= MOST ? shortened : fitting(shortened)
}

function fitting(lines: readonly string[]): string[] {
  let size = 0
  const kept = lines.filter((line) => (size += line.length + 1) <= MOST)
  return [...kept, `and ${lines.length - kept.length} more`]
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
