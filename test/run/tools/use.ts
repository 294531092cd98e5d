import { onTestFinished } from 'vitest'
import { openProcesses } from '../../../runner/processes.ts'
import { Scope } from '../../../runner/scope.ts'
import { newToolState } from '../../../runner/tools/state.ts'
import { noPerson, type Tool, type ToolContext, type ToolInput, type ToolOutput } from '../../../runner/tools/tool.ts'
import { openWorkspace } from '../../../runner/workspace.ts'

let contexts = 0

/** What a run gives to its tools, in this folder. Everything that is opened is closed after the test. */
export async function toolContext(cwd: string, more: Partial<ToolContext> = {}): Promise<ToolContext> {
  const processes = openProcesses(`test-${process.pid}-${++contexts}`, process.env, process, 200)
  const scope = new Scope(processes)
  onTestFinished(async () => void (await scope.close()))
  return {
    workspace: await openWorkspace(cwd),
    signal: new AbortController().signal,
    resultChars: 100_000,
    scope,
    env: processes.environment(),
    mayShow: () => true,
    hides: false,
    state: newToolState(),
    mode: 'default',
    askPerson: noPerson,
    keep: () => undefined,
    mayReachPrivate: () => false,
    ...more,
  }
}

/** One call of a tool, as the run makes it: the effects are asked first. */
export async function call(tool: Tool, context: ToolContext, input: ToolInput): Promise<ToolOutput> {
  await tool.effects?.(input, context)
  return tool.run(input, context)
}

/** One call in a context of its own. */
export async function use(tool: Tool, cwd: string, input: ToolInput, more: Partial<ToolContext> = {}): Promise<ToolOutput> {
  return call(tool, await toolContext(cwd, more), input)
}
