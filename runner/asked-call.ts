import type { RunContext } from './context.ts'
import type { Asked, AskedFile, Rights } from './permission/decide.ts'
import { lookUp } from './permission/lookup.ts'
import { shellCall } from './permission/shell-call.ts'
import type { Tool, ToolInput } from './tools/tool.ts'
import { inMemory, type Workspace } from './workspace.ts'

/** Why a call means nothing, whatever the rules say. */
export function refusalOf(tool: Tool, input: ToolInput, context: RunContext): string | undefined {
  const look = tool.look?.(input, context)
  return look && 'refused' in look ? look.refused : undefined
}

/** Whether a call of a tool that writes may be run again after it was cut off. */
export function isRepeatable(tool: Tool, input: ToolInput, context: RunContext): boolean {
  const look = tool.look?.(input, context)
  return look !== undefined && 'safe' in look && look.repeatable
}

/** A call as the rules see it: its files and its command line looked up. */
export async function askedOf(name: string, tool: Tool, input: ToolInput, rights: Rights, context: RunContext): Promise<Asked> {
  const files = await filesOf(tool, input, rights.workspace)
  const shell = name === 'Bash' ? await shellCall(String(input.command), rights.workspace, rights) : undefined
  const look = tool.look?.(input, context)
  const seen = look && 'safe' in look ? { safe: look.safe, brings: look.brings } : {}
  return { tool: name, input, files, search: tool.search === true, shell, ...seen }
}

/** The paths of a call, for the rules. One that leads nowhere or outside is left to the tool, which refuses it. */
async function filesOf(tool: Tool, input: ToolInput, workspace: Workspace): Promise<AskedFile[]> {
  const paths = tool.paths?.(input) ?? []
  const found = await Promise.all(paths.map((path) => lookUp(workspace, inMemory(workspace, path) ?? path)))
  return found.filter((file) => file !== undefined)
}
