import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { BIN, type Where } from './bin.ts'
import { temporary } from './tree.ts'

/** Whether there is a program that gives another one a pseudo terminal: `script` of util-linux. */
export const HAS_PTY = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '')
if (!HAS_PTY) process.stdout.write('skipped aloud: there is no `script` of util-linux to give a pseudo terminal\n')

/** The real program at a pseudo terminal, and a person at its keys. */
export interface Sitting {
  /** Waits until the terminal has shown this text since the last line that was typed, and gives all that it has shown since. */
  sees(text: string): Promise<string>
  types(keys: string): void
  /** Takes the terminal away, as a window that is closed does. */
  closes(): void
  ended: Promise<{ code: number | null; shown: string }>
}

const PATIENCE_MS = 20_000

export interface At extends Where {
  columns?: number
  rows?: number
  /** The script of the shell that starts the bin, where it is more than that. */
  script?: (command: string) => string
}

/** Starts the bin as `agentc` at a terminal, of 80 columns if nothing else is said. It ends with the test. */
export function atTerminal(
  argv: readonly string[],
  { cwd, env = {}, columns = 80, rows = 24, script = (line) => `exec ${line}` }: At,
): Sitting {
  const command = [process.execPath, BIN, ...argv].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  // A program that is not ended by itself loses its terminal with the test, and then its temporary folder stays.
  const own = { HOME: join(cwd, '../home'), TMPDIR: temporary() }
  const bare = { PATH: process.env['PATH'] ?? '', ...own, TERM: 'xterm', SHELL: '/bin/sh' }
  const child = spawn('script', ['-qec', `stty cols ${columns} rows ${rows}; ${script(command)}`, '/dev/null'], {
    cwd,
    env: { ...bare, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let shown = ''
  let from = 0
  let awaited: (() => void) | undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    awaited?.()
  })
  const ended = new Promise<{ code: number | null; shown: string }>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, shown })
      awaited?.()
    })
  })
  return {
    ended,
    closes: () => void child.kill('SIGKILL'),
    types(keys) {
      from = shown.length
      child.stdin.write(keys)
    },
    sees: (text) =>
      new Promise((resolve, reject) => {
        const fail = (why: string): void =>
          reject(new Error(`${why}: ${JSON.stringify(text)} was not shown in ${JSON.stringify(shown.slice(from))}`))
        const timer = setTimeout(() => fail('too long'), PATIENCE_MS)
        awaited = () => {
          const found = shown.slice(from).includes(text)
          if (!found && child.exitCode === null) return
          clearTimeout(timer)
          awaited = undefined
          if (found) resolve(shown.slice(from))
          else fail('the program ended')
        }
        awaited()
      }),
  }
}
