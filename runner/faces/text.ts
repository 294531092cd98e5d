import type { RunEvent, RunResult } from '../events.ts'
import { type Face, lacking, type Output } from './face.ts'

/**
 * Text for people. On a terminal (`live`) the model's text appears as it arrives; into a file or a pipe goes the answer alone, once,
 * because a reply that breaks off and is asked for again cannot be taken back there. Everything about the run goes to standard error.
 */
export function textFace({ live }: { live: boolean }): Face {
  let column = 0
  const say = (text: string): Output[] => {
    if (text === '') return []
    column = text.endsWith('\n') ? 0 : 1
    return [{ to: 'stdout', text }]
  }
  const about = (line: string): Output[] => [...(live && column > 0 ? say('\n') : []), { to: 'stderr', text: `${line}\n` }]
  return (event) => {
    if (event.type === 'stream_event') return live ? say(shownText(deltaText(event.event))) : []
    if (event.type === 'assistant') return live && column > 0 ? say('\n') : []
    if (event.type === 'result') return [...answered(event, live, say), ...ended(event).flatMap(about)]
    return event.type === 'system' ? told(event, about) : []
  }
}

function told(event: Extract<RunEvent, { type: 'system' }>, about: (line: string) => Output[]): readonly Output[] {
  if (event.subtype === 'init' || event.subtype === 'notice') return lacking(event)
  if (event.subtype === 'tool_start') return about(`  ${event.name} ${subject(event.input)}`.trimEnd())
  if (event.subtype === 'api_retry') {
    return about(
      `agentc: ${event.message}; asking again in ${event.wait_ms / 1000} s (attempt ${event.attempt + 1} of ${event.max_attempts})`,
    )
  }
  if (event.denied) return about(`  ${event.name} was denied`)
  return event.is_error ? about(`  ${event.name} failed`) : []
}

function deltaText(event: { type: string; [member: string]: unknown }): string {
  const delta = event.delta as { type?: string; text?: string } | undefined
  return event.type === 'content_block_delta' && delta?.type === 'text_delta' ? (delta.text ?? '') : ''
}

function answered(result: RunResult, live: boolean, say: (text: string) => Output[]): Output[] {
  if (live || result.result === '') return []
  return say(result.result.endsWith('\n') ? result.result : `${result.result}\n`)
}

function ended(result: RunResult): string[] {
  const lines = result.errors.map((error) => `agentc: ${error}`)
  const denied = result.permission_denials.map((denial) => denial.tool_name)
  if (denied.length > 0) lines.push(`agentc: denied calls: ${denied.join(', ')}`)
  return lines
}

/** The one member of a tool's input that says what the call is about, on one line. */
function subject(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const record = input as Record<string, unknown>
  const value = record.pattern ?? record.file_path ?? Object.values(record).find((member) => typeof member === 'string')
  const line = shownText(typeof value === 'string' ? value.replace(/\s+/g, ' ') : '')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

/** Without control characters: a model's text must not steer the terminal. */
function shownText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '')
}
