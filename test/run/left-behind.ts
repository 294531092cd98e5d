import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunResult } from '../../runner/index.ts'
import { withArgument } from '../support/processes.ts'
import { temporary } from '../support/tree.ts'
import { manifestText } from './manifest-fixture.ts'
import { startDriver } from './processes.ts'
import { leavesBehind } from './writing-tools.ts'

/** The ways in which a run of these tests comes to its end. */
export const ENDINGS = ['success', 'error', 'SIGINT', 'SIGTERM', 'SIGHUP', 'closed stdout', 'second SIGINT'] as const
export type EndingOf = (typeof ENDINGS)[number]

/** Replies by the prompt: one command that leaves processes behind, then an answer, a fault, or a command that hangs. */
export function endingScript(marks: Readonly<Record<string, string>>) {
  const rules = Object.entries(marks).map(([prompt, mark]) => ({
    when: { any: prompt },
    turns: [
      {
        text: 'Begun.',
        tools: [
          {
            name: 'Bash',
            input: { command: prompt.startsWith('closed') ? `${leavesBehind(mark)}\ntouch begun; sleep 1` : leavesBehind(mark) },
          },
        ],
      },
      prompt.startsWith('success') || prompt.startsWith('error')
        ? { text: 'Done.' }
        : { text: 'Waiting.', tools: [{ name: 'Bash', input: { command: `touch waiting; exec -a ${mark} sleep 300` } }] },
      { text: 'Done.' },
    ],
  }))
  return { rules, faults: [{ type: 401, when: { any: 'error-' }, turn: 1 }] }
}

export interface Left {
  code: number | null
  signal: NodeJS.Signals | null
  result: RunResult | undefined
  /** Processes and temporary folders that are left. */
  processes: number
  temporary: string[]
  /** Milliseconds from the last signal to the end of the process. */
  ms: number
}

/** Runs to one of the endings and looks at what is left. `prompt` begins with the ending. */
export async function runTo(driver: string, url: string, prompt: string, mark: string): Promise<Left> {
  const ending = ENDINGS.find((name) => prompt.startsWith(name.replace(' ', '-')))!
  const cwd = join(temporary(), 'project')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'm.json'), manifestText({ worker: { tools: ['Bash'] } }))
  const { child, ended, tmp } = startDriver(driver, ['worker', prompt, '--manifest', 'm.json', '--format', 'stream-json'], { cwd, url })
  let at = Date.now()
  if (ending === 'closed stdout') {
    await there(join(cwd, 'begun'), ended)
    child.stdout!.destroy()
  } else if (ending !== 'success' && ending !== 'error') {
    await there(join(cwd, 'waiting'), ended)
    at = Date.now()
    child.kill(ending === 'second SIGINT' ? 'SIGINT' : ending)
    if (ending === 'second SIGINT') {
      await pause(500)
      at = Date.now()
      child.kill('SIGINT')
    }
  }
  const { code, signal, out } = await ended
  const ms = Date.now() - at
  const last = out.trimEnd().split('\n').at(-1) ?? ''
  const result = last.startsWith('{"type":"result"') ? (JSON.parse(last) as RunResult) : undefined
  const left = readdirSync(tmp)
  rmSync(cwd, { recursive: true })
  return { code, signal, result, processes: withArgument(mark).length, temporary: left, ms }
}

async function there(path: string, ended: Promise<unknown>): Promise<void> {
  const over = { value: false }
  void ended.then(() => (over.value = true))
  while (!over.value && !existsSync(path)) await pause(10)
}
