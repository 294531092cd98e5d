import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { agent, project } from '../support/bin.ts'
import { about, watching, written, type Watching } from '../support/watching.ts'

/** People at their editors, in a terminal that tmux gives them. */

const FILE = '.claude/agents/live.md'

function isThere(program: string): boolean {
  return spawnSync(program, [program === 'tmux' ? '-V' : '--version'], { stdio: 'ignore' }).status === 0
}

const sessions: string[] = []
afterEach(() => {
  for (const session of sessions.splice(0)) spawnSync('tmux', ['-L', session, 'kill-server'], { stdio: 'ignore' })
})

/** Opens a program in a terminal of its own; gives what types keys into it. */
function terminal(command: string, cwd: string): { type: (...keys: string[]) => Promise<void>; screen: () => string } {
  const session = `agentc-${basename(join(cwd, '..'))}`
  sessions.push(session)
  const tmux = (...args: string[]): string => execFileSync('tmux', ['-L', session, '-f', '/dev/null', ...args], { cwd, encoding: 'utf8' })
  tmux('new-session', '-d', '-x', '100', '-y', '30', command)
  return {
    screen: () => tmux('capture-pane', '-p'),
    type: async (...keys) => {
      for (const key of keys) {
        tmux('send-keys', key)
        await pause(150)
      }
    },
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function until(isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + 15_000; Date.now() < end && !isTrue();) await pause(50)
  expect(isTrue()).toBe(true)
}

async function promptAfter(watch: Watching, cwd: string): Promise<void> {
  expect(await watch.next(about('live', 'prompt'))).toMatchObject({ parsed: 1, errors: 0 })
  await watch.next(written)
  expect(existsSync(join(cwd, '.agentc/manifest.json'))).toBe(true)
}

function canRun(editor: string): boolean {
  const missing = ['tmux', editor].filter((program) => !isThere(program))
  if (missing.length > 0)
    console.log(`SKIPPED: ${editor} is not tried, because ${missing.join(' and ')} is not installed (apt-get install tmux vim nano)`)
  return missing.length === 0
}

describe('agentc watch while somebody writes', () => {
  test.skipIf(!canRun('vim'))('vim: three saves, with swap and backup files', async () => {
    const cwd = project({ [FILE]: agent('live') })
    const watch = await watching(cwd)
    const { type, screen } = terminal(`vim -u NONE -N -c 'set backup writebackup' ${FILE}`, cwd)
    await until(() => screen().includes('You are live.'))
    for (const word of ['one', 'two', 'three']) {
      await type('G', 'o', `Line ${word}`, 'Escape', ':w', 'Enter')
      await until(() => readFileSync(join(cwd, FILE), 'utf8').includes(`Line ${word}`))
      await promptAfter(watch, cwd)
    }
    await type(':q', 'Enter')
    expect(await watch.quiet(1000)).toBe(true)
  })

  test.skipIf(!canRun('nano'))('nano: three saves', async () => {
    const cwd = project({ [FILE]: agent('live') })
    const watch = await watching(cwd)
    const { type, screen } = terminal(`nano ${FILE}`, cwd)
    await until(() => screen().includes('You are live.'))
    await type('M-/')
    for (const word of ['one', 'two', 'three']) {
      await type(`Line ${word}`, 'Enter', 'C-o', 'Enter')
      await until(() => readFileSync(join(cwd, FILE), 'utf8').includes(`Line ${word}`))
      await promptAfter(watch, cwd)
    }
    await type('C-x')
    expect(await watch.quiet(1000)).toBe(true)
  })

  test.skipIf(!isThere('tmux'))('on a terminal a short screen is drawn anew, and Ctrl-C ends it', async () => {
    const cwd = project({ [FILE]: agent('live') })
    const bin = join(import.meta.dirname, '../../dist/agentc.cjs')
    const { type, screen } = terminal(`HOME=${join(cwd, '../home')} ${process.execPath} ${bin} watch; echo "ended with $?"; sleep 60`, cwd)
    await until(() => screen().includes('wrote .agentc/manifest.json'))
    execFileSync('sh', ['-c', `printf 'One line more.\\n' >> ${FILE}`], { cwd })
    await until(() => screen().includes('live: prompt: 1 line added'))
    expect(screen().match(/agents?:/g)).toHaveLength(1)
    await type('C-c')
    await until(() => screen().includes('ended with 130'))
  })
})
