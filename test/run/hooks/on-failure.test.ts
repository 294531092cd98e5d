import { describe, expect, test } from 'vitest'
import type { RunEvent } from '../../../runner/index.ts'
import type { HookHandler } from '../../../schemas/shapes/hook.ts'
import { startOf } from '../manifest-fixture.ts'
import { freePort } from '../mcp/stage.ts'
import { fakeApi, folder, noticesOf, runToEnd, toolResults } from '../stage.ts'
import { on } from './stage.ts'

const HANDLERS: readonly [string, () => Promise<HookHandler> | HookHandler, RegExp][] = [
  [
    'takes too long',
    () => ({ type: 'command', command: 'sleep 300', timeout: 0.3 }),
    /^sleep 300 failed: it took longer than 0\.3 seconds and was ended/,
  ],
  ['cannot be started', () => ({ type: 'command', command: './none', args: ['x'] }), /^\.\/none failed: it cannot be started \(ENOENT\)/],
  ['prints broken JSON', () => ({ type: 'command', command: `printf '{"decision": '` }), /failed: it printed JSON that cannot be read/],
  [
    'is at an address where nobody answers',
    async () => ({ type: 'http', url: `http://127.0.0.1:${await freePort()}/` }),
    /^http:\/\/127\.0\.0\.1:\d+\/ failed: it cannot be reached \(ECONNREFUSED\)/,
  ],
  ['asks a server that there is none of', () => ({ type: 'mcp_tool', server: 'db', tool: 'check' }), /^db check failed: .*db/],
]

describe('before a call, a hook that', () => {
  test.each(HANDLERS)('%s blocks it where it says `onFailure: block`, and nothing otherwise; both is reported', async (_, handler, why) => {
    const failing = await handler()
    const strict = await readWatchedBy({ ...failing, onFailure: 'block' })
    expect(strict.read).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Not run: the PreToolUse hook \[.*\] failed: /) as string,
    })
    expect(strict.said).toEqual([expect.stringMatching(/, which blocks$/)])
    expect(strict.said[0]).toMatch(why)
    expect(strict.denials).toHaveLength(1)
    const loose = await readWatchedBy(failing)
    expect(loose.read).toEqual({ isError: false, text: '1\tA' })
    expect(loose.said).toEqual([expect.stringMatching(why)])
    expect(loose.said[0]).not.toContain('which blocks')
    expect(loose.denials).toHaveLength(0)
  })
})

/** What came of reading a file, and what was said of hooks that failed. */
async function readWatchedBy(handler: HookHandler) {
  const { url } = await fakeApi({ turns: [{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'done' }] })
  const start = startOf({}, 'go', { hooks: on('PreToolUse', handler) })
  const { events, result } = await runToEnd(start, { cwd: await folder({ 'a.txt': 'A' }), url, host: process })
  return { read: toolResults(events)[0]!, said: failures(events), denials: result.permission_denials }
}

function failures(events: readonly RunEvent[]): string[] {
  return noticesOf(events, 'hook-failed').map((message) => message.replace('the PreToolUse hook ', ''))
}
