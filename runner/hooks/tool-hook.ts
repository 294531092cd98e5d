import type { HookHandler } from '../../schemas/shapes/hook.ts'
import type { ToolOutput } from '../tools/tool.ts'
import { notRun, type Ran } from './answer.ts'

/** Calls a tool of an MCP server of the session. */
export type CallTool = (server: string, tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<ToolOutput>

/** Calls a tool for a hook; `${tool_input.x}` in its input is filled in from the event. Its text is read as the output of a command. */
export async function runTool(
  { server, tool, input = {} }: HookHandler & { type: 'mcp_tool' },
  event: Readonly<Record<string, unknown>>,
  call: CallTool | undefined,
  signal: AbortSignal,
): Promise<Ran> {
  if (!call) return notRun('there are no MCP servers here')
  const { text, isError } = await call(server, tool, filled(input, event) as Record<string, unknown>, signal)
  return isError ? notRun(text) : { code: 0, stdout: text, stderr: '' }
}

function filled(value: unknown, event: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\$\{([\w.]+)\}/g, (_, path: string) => textAt(event, path))
  if (Array.isArray(value)) return value.map((item) => filled(item, event))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member, event)]))
}

function textAt(event: unknown, path: string): string {
  let at = event
  for (const key of path.split('.'))
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined
  if (at === undefined || at === null) return ''
  return typeof at === 'object' ? JSON.stringify(at) : String(at as string | number | boolean)
}
