import { readRule } from '../../../compiler/permission/rule.ts'
import { AGENTC } from '../../../schemas/profile.ts'
import type { Rule } from '../../../schemas/shapes/permission.ts'
import type { Asked, Mode, Rights } from '../../../runner/permission/asked.ts'
import { READS, WRITES } from '../../../runner/permission/covers.ts'
import { decide, type Decision } from '../../../runner/permission/decide.ts'
import { lookUp } from '../../../runner/permission/lookup.ts'
import { shellCall } from '../../../runner/permission/shell-call.ts'
import type { Workspace } from '../../../runner/workspace.ts'

export interface Lists {
  allow?: readonly string[]
  ask?: readonly string[]
  deny?: readonly string[]
}

/** Rules as people write them in the project's settings, read by the compiler. */
export function rulesOf(list: 'allow' | 'ask' | 'deny', texts: readonly string[] = []): Rule[] {
  const file = { kind: 'settings' as const, origin: { source: 'project' as const, path: '.claude/settings.json' }, text: '', hash: '' }
  return texts.map((text) => {
    const { rule } = readRule({ text, list, file: file as never, range: [0, 0] }, AGENTC)
    if (!rule) throw new Error(`${text} is no rule`)
    return rule
  })
}

export function rightsOf(lists: Lists, workspace: Workspace, mode: Mode = 'default'): Rights {
  const { allow, ask, deny } = lists
  return { limits: [], allow: rulesOf('allow', allow), ask: rulesOf('ask', ask), deny: rulesOf('deny', deny), mode, workspace }
}

/** Puts a call together as the runner does, and decides it. */
export async function decided(tool: string, input: Record<string, unknown>, rights: Rights, choose = decide): Promise<Decision> {
  const { workspace } = rights
  const path = input.file_path ?? input.notebook_path ?? (READS.has(tool) && tool !== 'Read' ? (input.path ?? '.') : undefined)
  const file = typeof path === 'string' && (READS.has(tool) || WRITES.has(tool)) ? await lookUp(workspace, path) : undefined
  const shell = tool === 'Bash' ? await shellCall(input.command as string, workspace, rights) : undefined
  const asked: Asked = { tool, input, files: file ? [file] : [], search: tool === 'Grep' || tool === 'Glob', shell }
  return choose(asked, rights)
}
