import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type BusOptions, type HookBus, hookBus } from '../../../runner/hooks/bus.ts'
import type { Moment, Occasion, Subject } from '../../../runner/hooks/occasion.ts'
import { NoticeQueue } from '../../../runner/notice-queue.ts'
import { openProcesses } from '../../../runner/processes.ts'
import { Scope } from '../../../runner/scope.ts'
import type { HookHandler, Hooks } from '../../../schemas/shapes/hook.ts'
import { RUN_EVENTS } from '../../../schemas/values.ts'
import { folder } from '../stage.ts'

let stages = 0

export interface HookStage {
  bus: HookBus
  cwd: string
  mark: string
  said(): string[]
}

/** A bus over real processes, and its end when the test ends. */
export async function busOf(
  settings: Hooks,
  own: Hooks = {},
  more: Partial<BusOptions & { subject: Partial<Subject> }> = {},
): Promise<HookStage> {
  const { subject, ...options } = more
  const cwd = options.projectDir ?? (await folder())
  const mark = `hook-test-${process.pid}-${(stages += 1)}`
  const processes = openProcesses(mark, { PATH: process.env.PATH }, process, 300)
  const scope = new Scope(processes)
  onTestFinished(() => void scope.close())
  const queue = new NoticeQueue()
  const whole = { sessionId: 'session-1', transcriptPath: '/run/transcript.jsonl', cwd, ...subject }
  const bus = hookBus(own, whole, { settings, projectDir: cwd, processes, env: {}, say: queue.say, ...options })
  return { bus, cwd, mark, said: () => queue.drain().map(({ code, message }) => `${code}: ${message}`) }
}

export function moment(more: Partial<Moment> = {}): Moment {
  return { promptId: 'prompt-1', permissionMode: 'default', signal: new AbortController().signal, ...more }
}

export const bash: Occasion & { event: 'PreToolUse' } = {
  event: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'git push' },
  tool_use_id: 'toolu_1',
  effort: { level: 'medium' },
}

/** A command hook for one event; a string is its command line. */
export function on(event: keyof Hooks, ...handlers: (string | HookHandler)[]): Hooks {
  return {
    [event]: [
      { handlers: handlers.map((handler) => (typeof handler === 'string' ? { type: 'command' as const, command: handler } : handler)) },
    ],
  }
}

/** What a hook was told. */
export type Seen = Record<string, unknown> & { hook_event_name: string; agent_id?: string; agent_type?: string }

/** The recording hook of measured.md: it writes what it reads into a file of the project. */
export function recorder(file = 'seen.jsonl'): string {
  return `cat >> "$CLAUDE_PROJECT_DIR/${file}"`
}

/** The recording hook at each of these events. */
export function recording(events: readonly (keyof Hooks)[] = RUN_EVENTS, file?: string): Hooks {
  return Object.assign({}, ...events.map((event) => on(event, recorder(file)))) as Hooks
}

/** What it has written; nothing, if it was not run. */
export function seenIn(cwd: string, file = 'seen.jsonl'): Seen[] {
  const path = join(cwd, file)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  return lines.map((line) => JSON.parse(line) as Seen)
}

/** A command line that prints a JSON. */
export function prints(value: unknown): string {
  return `printf '%s' '${JSON.stringify(value).replaceAll("'", String.raw`'\''`)}'`
}
