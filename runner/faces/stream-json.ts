import type { InitEvent, RunEvent } from '../events.ts'
import { type Face, lacking } from './face.ts'
import { uuidOf } from '../uuid.ts'
import { resultObject } from './result.ts'

/**
 * One JSON object a line on standard output, in the shape that readers of Claude Code's `stream-json` know (runner-facts A5,
 * claude-code-agents.md 11.8): `system/init` first, one `assistant` line for each block of a reply, one `user` line for each result
 * of a call, `result` last. What is agentc's own (`agent`, `max_turns`, `sandboxed`, `system/notice`, `system/model_fallback`) is added, nothing is renamed.
 */
export function streamJsonFace(): Face {
  let session = ''
  let lines = 0
  const walls = new Map<string, boolean>()
  const line = (value: object) => ({
    to: 'stdout' as const,
    text: `${JSON.stringify({ ...value, session_id: session, uuid: uuidOf(`${session}\n${lines++}`) })}\n`,
  })
  return (event) => {
    if (event.type === 'system' && event.subtype === 'init') session = event.session_id
    if (event.type === 'system' && event.subtype === 'tool_end' && event.sandboxed !== undefined) {
      walls.set(event.tool_use_id, event.sandboxed)
    }
    const said = objectsOf(event, walls).map(line)
    const lacks = event.type === 'system' && (event.subtype === 'init' || event.subtype === 'notice') ? lacking(event) : []
    return [...said, ...lacks]
  }
}

function objectsOf(event: RunEvent, walls: ReadonlyMap<string, boolean>): object[] {
  if (event.type === 'system') return systemObject(event)
  if (event.type === 'result') return [resultObject(event)]
  if (event.type === 'assistant') {
    const { content, stop_reason, ...rest } = event.message
    return content.map((block, at) => {
      const last = at === content.length - 1
      const message = { ...rest, type: 'message', content: [block], stop_reason: last ? stop_reason : null, stop_sequence: null }
      return { type: 'assistant', message, parent_tool_use_id: null }
    })
  }
  if (event.type !== 'user') return []
  return event.message.content.map((block) => {
    const sandboxed = walls.get(block.tool_use_id)
    const known = { ...(sandboxed !== undefined && { sandboxed }) }
    return { type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null, tool_use_result: block.content, ...known }
  })
}

function systemObject(event: Extract<RunEvent, { type: 'system' }>): object[] {
  if (event.subtype === 'init') return [initObject(event)]
  if (event.subtype === 'tool_start') return []
  if (event.subtype === 'tool_end') return deniedObject(event)
  if (event.subtype !== 'api_retry') return [event]
  const { type, subtype, attempt, max_attempts, wait_ms, status, message } = event
  return [{ type, subtype, attempt, max_retries: max_attempts - 1, retry_delay_ms: wait_ms, error_status: status, error: message }]
}

/** Of the ends of calls only a denial is an event there (measured.md, Delegation). */
function deniedObject({ type, name: tool_name, tool_use_id, denied, message }: Extract<RunEvent, { subtype: 'tool_end' }>): object[] {
  return denied ? [{ type, subtype: 'permission_denied', tool_name, tool_use_id, message }] : []
}

function initObject(event: InitEvent): object {
  const { type, subtype, environment, tools, model, permission_mode, agent, max_turns, unavailable_tools, skills, slash_commands } = event
  return {
    type,
    subtype,
    cwd: environment.cwd,
    tools,
    model,
    permissionMode: permission_mode,
    mcp_servers: [],
    slash_commands,
    agents: [],
    skills,
    plugins: [],
    agent,
    max_turns,
    unavailable_tools,
  }
}
