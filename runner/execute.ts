import type { Results, RunContext } from './context.ts'
import type { ToolEvent } from './events.ts'
import type { ToolResultBlock, ToolUseBlock } from './message.ts'
import { type Asked, type AskedFile, type Decide, hides, mayShow, type Rights } from './permission.ts'
import { inputFault } from './tools/input.ts'
import { isPresent, type ToolSet } from './tools/registry.ts'
import { failed, type Tool, type ToolContext, type ToolInput, type ToolOutput } from './tools/tool.ts'
import { locate, type Workspace } from './workspace.ts'

export interface ExecuteSeams {
  tools: ToolSet
  decide: Decide
  workspace: Workspace
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

/** A call, looked at before any call of its reply has started: it will run, or its answer is there already. */
interface Prepared {
  call: ToolUseBlock
  name: string
  run?: (signal: AbortSignal) => Promise<ToolOutput>
  readOnly: boolean
  answer?: ToolOutput
  denied: boolean
}

/** Read-only calls that run at one time, at most. */
const PARALLEL = 10

/**
 * Runs the calls of one reply. Every call ends in exactly one result, in the order of the calls: unknown, refused, invalid,
 * failed and interrupted are results too. All decisions are made before the first call starts; then neighbouring
 * read-only calls run together and any other call alone.
 */
export async function* execute(
  calls: readonly ToolUseBlock[],
  broken: Readonly<Record<string, string>>,
  context: RunContext,
  seams: ExecuteSeams,
): AsyncGenerator<ToolEvent, Results> {
  const prepared: Prepared[] = []
  for (const call of calls) prepared.push(await prepare(call, broken[call.id], context, seams))
  const blocks: ToolResultBlock[] = []
  const together = Math.min(PARALLEL, context.header.limits.parallelReads)
  for (const run of runsOf(prepared, together)) {
    for (const { call, name } of run) yield { type: 'system', subtype: 'tool_start', tool_use_id: call.id, name, input: call.input }
    const outputs = run.map((item) => outputOf(item, seams.signal))
    for (const [at, item] of run.entries()) {
      const output = await outputs[at]!
      blocks.push(resultBlock(item.call, clipped(output, context.header.limits.resultChars)))
      const { call, name, denied } = item
      yield { type: 'system', subtype: 'tool_end', tool_use_id: call.id, name, is_error: output.isError, denied }
    }
  }
  return { blocks, denials: prepared.filter((item) => item.denied).map(denial) }
}

/** The results of calls that are not run, because the run ends with the reply that asks for them. */
export function notRun(calls: readonly ToolUseBlock[], why: string): Results {
  return { blocks: calls.map((call) => resultBlock(call, failed(`Not run: ${why}.`))), denials: [] }
}

async function prepare(call: ToolUseBlock, raw: string | undefined, context: RunContext, seams: ExecuteSeams): Promise<Prepared> {
  const { tools } = context.header
  const name = Object.hasOwn(tools, call.name) ? call.name : (aliased(context, call.name) ?? call.name)
  const no = (text: string, denied = false): Prepared => ({ call, name, readOnly: true, answer: failed(text), denied })
  const offered = (context.prefix.tools ?? []).map((tool) => tool.name)
  const tool = seams.tools(name)
  if (!offered.includes(name) || !isPresent(tool)) return no(notOffered(name, offered, context))
  const { input_schema, traits } = tools[name]!
  if (raw !== undefined)
    return no(`The input of this call was not valid JSON for an object, so it was not run. It was: ${raw.slice(0, 2000)}`)
  const fault = await inputFault(input_schema, call.input)
  if (fault) return no(`The input does not fit the schema of ${name}: ${fault}.`)
  const input = call.input as ToolInput
  const rights = rightsOf(context, seams.workspace)
  const files = await filesOf(tool, input, seams.workspace)
  const asked: Asked = { tool: name, input, files, search: tool.search }
  const decision = seams.decide(asked, rights)
  if (!decision.allow) return no(`Permission denied: ${decision.reason}.`, true)
  const run = (signal: AbortSignal) => tool.run(input, toolContext(asked, context, seams, rights, signal))
  return { call, name, run, readOnly: traits.readOnly, denied: false }
}

function aliased(context: RunContext, alias: string): string | undefined {
  return Object.entries(context.header.tools).find(([, tool]) => tool.aliases?.includes(alias))?.[0]
}

function notOffered(name: string, offered: readonly string[], context: RunContext): string {
  const known = Object.hasOwn(context.header.tools, name)
  const has = offered.length > 0 ? `It has ${offered.join(', ')}.` : 'It has no tools.'
  return `${known ? `This agent may not use ${name}.` : `No such tool available: ${name}.`} ${has}`
}

/** The paths of a call, for the rules. One that leads nowhere or outside is left to the tool, which refuses it. */
async function filesOf(tool: Tool, input: ToolInput, workspace: Workspace): Promise<AskedFile[]> {
  const places = await Promise.all(tool.paths(input).map((path) => locate(workspace, path)))
  return places.filter((place) => place.kind === 'there' || place.kind === 'missing')
}

function rightsOf(context: RunContext, workspace: Workspace): Rights {
  const { permissions } = context.header
  return { limits: context.agent.limits, deny: [...permissions.deny, ...context.agent.deny], ask: permissions.ask, workspace }
}

function toolContext(asked: Asked, context: RunContext, seams: ExecuteSeams, rights: Rights, signal: AbortSignal): ToolContext {
  return {
    workspace: seams.workspace,
    signal,
    resultChars: context.header.limits.resultChars,
    env: seams.env,
    hides: hides(asked.tool, rights),
    mayShow: (file) => mayShow(asked, file, rights, seams.decide),
  }
}

/** Neighbours that only read stand together, up to the limit; whatever writes stands alone. */
function runsOf(prepared: readonly Prepared[], together: number): Prepared[][] {
  const runs: Prepared[][] = []
  for (const item of prepared) {
    const last = runs.at(-1)
    if (last && item.readOnly && last.length < together && last.every((other) => other.readOnly)) last.push(item)
    else runs.push([item])
  }
  return runs
}

async function outputOf(item: Prepared, signal: AbortSignal): Promise<ToolOutput> {
  if (item.answer) return item.answer
  if (signal.aborted) return failed('Not run: the run was interrupted.')
  try {
    return await item.run!(signal)
  } catch (error) {
    return failed(`${item.name} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function clipped(output: ToolOutput, most: number): ToolOutput {
  if (output.text.length <= most) return output
  return { ...output, text: `${output.text.slice(0, most)}\n[${output.text.length - most} more characters left out]` }
}

function resultBlock(call: ToolUseBlock, output: ToolOutput): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: call.id, content: output.text, ...(output.isError ? { is_error: true as const } : {}) }
}

function denial({ call, name }: Prepared) {
  return { tool_name: name, tool_use_id: call.id, tool_input: call.input }
}
