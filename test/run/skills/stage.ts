import type { ManifestSkill } from '../../../schemas/shapes/manifest.ts'
import type { Rule } from '../../../schemas/shapes/permission.ts'
import type { ModelRequest } from '../../../runner/message.ts'
import { runToEnd } from '../stage.ts'

const HASH = `sha256:${'0'.repeat(64)}`

/** A skill of the project, as the manifest holds it. */
export function skill(name: string, parts: Partial<ManifestSkill> = {}): ManifestSkill {
  return {
    description: `Does ${name}`,
    content: `Text of ${name}.`,
    hash: HASH,
    origin: { source: 'project', path: `.claude/skills/${name}/SKILL.md` },
    ...parts,
  }
}

export function skills(...names: string[]): Record<string, ManifestSkill> {
  return Object.fromEntries(names.map((name) => [name, skill(name)]))
}

export function callSkill(name: string, args?: string): object {
  return { name: 'Skill', input: { skill: name, ...(args !== undefined && { args }) } }
}

/** A rule about a tool, and what it is about, as the person's settings have it. */
export function rule(tool: string, match?: Rule['match']): Rule {
  return { tool, ...(match && { match }), origin: { source: 'user', path: 'settings.json', line: 1, column: 1 } }
}

/** The texts of a message, results of calls included. */
export function textsOf(message: ModelRequest['messages'][number]): string[] {
  return message.content.map((block) => {
    if (block.type === 'text') return block.text
    return block.type === 'tool_result' && typeof block.content === 'string' ? block.content : ''
  })
}

/** What the model is told of a tool. */
export function described(request: ModelRequest, tool: string): string {
  return request.tools!.find(({ name }) => name === tool)!.description
}

/** Runs with an id of these tests: a run ends the processes that carry its id, and other tests run at the same time. */
export const ran: typeof runToEnd = (start, options) => runToEnd(start, { ids: { session: () => 'run-of-skills' }, ...options })
