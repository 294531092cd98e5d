import type { HookGroup, HookHandler } from '../../schemas/shapes/hook.ts'
import type { Processes } from '../processes.ts'
import { type Answer, answerOf } from './answer.ts'
import { runCommand } from './command.ts'
import { forModel } from './for-model.ts'
import { runHttp } from './http.ts'
import type { FiredEvent } from './occasion.ts'
import type { Picked } from './pick.ts'
import { type CallTool, runTool } from './tool-hook.ts'
import { judge, type Judges } from './verdict.ts'

export interface HandlerOptions {
  /** The project's folder, in which hooks run. */
  projectDir: string
  processes: Processes
  /** For the headers of http hooks. */
  env: Readonly<Record<string, string | undefined>>
  /** Over which connections http hooks ask. */
  fetch?: typeof fetch | undefined
  judges?: Judges | undefined
  callTool?: CallTool | undefined
  /** The folders of plugins, by name, for the hooks they bring along. */
  pluginFolders?: Readonly<Record<string, string>> | undefined
}

/** Seconds that a handler has, where it does not say itself (claude-code-agents.md 7.4). */
const SECONDS = { command: 600, http: 600, mcp_tool: 600, prompt: 30, agent: 60 } as const
const AT_PROMPT = 30
const AT_END = 1.5
const AT_END_MOST = 60

/** The answer of one handler in its time. Whatever it does wrong is an answer too. */
export async function answered(
  { handler, group }: Picked,
  event: FiredEvent,
  input: Record<string, unknown>,
  signal: AbortSignal,
  options: HandlerOptions,
): Promise<Answer> {
  const seconds = secondsOf(handler, event)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), seconds * 1000)
  const limit = AbortSignal.any([signal, late.signal])
  const text = JSON.stringify(input)
  try {
    const answer = await Promise.race([ran(handler, group, event, text, input, limit, options), stopped(limit, handler)])
    if (signal.aborted) return { failure: 'the run was interrupted' }
    return late.signal.aborted
      ? { failure: `it took longer than ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and was ended` }
      : answer
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}

async function ran(
  handler: HookHandler,
  group: HookGroup,
  event: FiredEvent,
  text: string,
  input: Record<string, unknown>,
  limit: AbortSignal,
  options: HandlerOptions,
): Promise<Answer> {
  const { projectDir, processes, env, judges, callTool } = options
  if (handler.type === 'command') {
    const folders = environmentOf(handler, group, options)
    if (typeof folders === 'string') return { failure: folders }
    return answerOf(event, await runCommand(handler, text, { cwd: projectDir, env: folders, processes }, limit))
  }
  if (handler.type === 'http') return answerOf(event, await runHttp(handler, text, env, limit, options.fetch))
  if (handler.type === 'mcp_tool') return answerOf(event, await runTool(handler, input, callTool, limit))
  return judges
    ? judge(handler, event, JSON.stringify(forModel(input, judges)), judges, limit)
    : { failure: `hooks of the type ${handler.type} are not run here` }
}

/** A command ends its processes itself before it answers; nothing else is waited for when its time is over. */
function stopped(limit: AbortSignal, { type }: HookHandler): Promise<Answer> {
  if (type === 'command') return new Promise(() => undefined)
  return new Promise((resolve) => limit.addEventListener('abort', () => resolve({}), { once: true }))
}

/** The folders that a hook may name, or why it cannot run. */
function environmentOf(
  handler: HookHandler & { type: 'command' },
  { origin }: HookGroup,
  { projectDir, pluginFolders = {} }: HandlerOptions,
): Record<string, string> | string {
  const folder = origin?.plugin === undefined ? undefined : pluginFolders[origin.plugin]
  const names = JSON.stringify([handler.command, handler.args])
  if (folder === undefined && names.includes('CLAUDE_PLUGIN_ROOT')) return 'the folder of its plugin is not known here'
  return { CLAUDE_PROJECT_DIR: projectDir, ...(folder !== undefined && { CLAUDE_PLUGIN_ROOT: folder }) }
}

/** At the end of a session nothing is waited for long. */
function secondsOf({ type, timeout }: HookHandler, event: FiredEvent): number {
  if (event === 'SessionEnd') return Math.min(timeout ?? AT_END, AT_END_MOST)
  if (event === 'WorktreeRemove') return Math.min(timeout ?? AT_END_MOST, AT_END_MOST)
  return timeout ?? (event === 'UserPromptSubmit' ? Math.min(AT_PROMPT, SECONDS[type]) : SECONDS[type])
}
