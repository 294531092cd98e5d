import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import type { ModelRequest } from '../../../runner/message.ts'
import { agentc, agents, project } from '../../support/bin.ts'
import { type At, atTerminal, HAS_PTY, type Sitting } from '../../support/pty.ts'
import { type FakeApi, fakeApi } from '../stage.ts'

export const atPty = HAS_PTY ? test : test.skip

export const ENTER = '\r'
export const UP = '\u001B[A'
export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'
export const CTRL_J = '\n'
export const ALT_ENTER = '\u001B\r'
export const PASTE = (text: string) => `\u001B[200~${text}\u001B[201~`
export const bash = (command: string) => ({ tool: 'Bash', input: { command } })

export const WORKER = agents({ worker: ['tools: Bash, Read, Write'] })
const ALLOWED = { '.claude/settings.json': '{}', 'a.txt': 'the text of a' }

export interface Talk {
  at: Sitting
  cwd: string
  api: FakeApi
  /** Enters a prompt. */
  enters(text: string): void
  /** Enters a prompt, and waits for the answer and the next prompt. */
  says(text: string, answer: string): Promise<void>
}

/** A conversation with the agent `worker`, up to its first prompt. */
export async function talk(script: object, more: Partial<At> & { argv?: string[]; files?: Record<string, string> } = {}): Promise<Talk> {
  const { argv = ['run', 'worker'], files = {}, env = {}, ...how } = more
  const api = await fakeApi(script)
  const cwd = how.cwd ?? project({ ...WORKER, ...ALLOWED, ...files })
  const at = atTerminal(argv, { ...how, cwd, env: { ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: api.url, ...env } })
  await at.sees('> ')
  const enters = (text: string): void => at.types(`${text}${ENTER}`)
  const says = async (text: string, answer: string): Promise<void> => {
    enters(text)
    await at.sees(answer)
    await at.sees('> ')
  }
  return { at, cwd, api, enters, says }
}

/** What was said in a request, without the block about the surroundings. */
export const texts = ({ messages }: ModelRequest): string[] =>
  messages.flatMap(({ content }) => content.map((block) => ('text' in block ? (block.text as string) : block.type))).slice(1)
export const lastTexts = async (api: FakeApi) => texts((await api.requests()).at(-1)!)

export function runOf(cwd: string): string {
  return readdirSync(join(cwd, '.agentc/runs')).at(-1)!
}

export async function verified(cwd: string): Promise<string> {
  return (await agentc(['verify', runOf(cwd)], { cwd })).out
}

/** A reply that never ends by itself. */
export const ENDLESS = {
  text: 'A long answer\nthat never ends, however long one waits.',
  fault: { type: 'hang_mid', after_events: 8, times: 1 },
}
