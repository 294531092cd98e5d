import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HookHandler, Hooks } from '../../../schemas/shapes/hook.ts'
import { call } from '../delegation/stage.ts'
import { startOf } from '../manifest-fixture.ts'
import { fakeApi, folder, runToEnd } from '../stage.ts'
import { on } from './stage.ts'

const asks = (about: string): HookHandler => ({ type: 'prompt', prompt: `${about}: $ARGUMENTS` })
/** It takes long where nobody has made the file, and no time at all where it is. */
const SLOW = 'test -e quick || sleep 0.3'

/** Records a run that is judged at these events, and replays it in another folder, where its commands take another time. */
async function recordedAndReplayed(hooks: Hooks) {
  const { url, requests } = await fakeApi({
    rules: [
      {
        when: { system: 'You are worker' },
        turns: [
          {
            content: [
              call('Bash', { command: SLOW }),
              call('Bash', { command: `${SLOW}; exit 1` }),
              call('Read', { file_path: 'src/a.txt' }),
              call('Read', { file_path: 'none.txt' }),
            ],
          },
          { text: 'done' },
        ],
      },
      { when: { system: 'You check one event', any: 'Stop' }, respond: { text: '{"ok": true}' } },
      { when: { system: 'You check one event' }, respond: { text: '{"ok": false, "reason": "look again"}' } },
    ],
  })
  const start = startOf({ tools: ['Bash', 'Read'] }, 'go', { hooks, permissions: { allow: [{ tool: 'Bash' }], ask: [], deny: [] } })
  const run = { host: process, ids: { session: () => 'run-of-replayed-hooks' } }
  let text = ''
  const live = await runToEnd(start, { ...run, cwd: await folder({ 'src/a.txt': 'A' }), url, record: (line) => (text += line) })
  const again = await runToEnd(start, { ...run, cwd: await folder({ 'src/a.txt': 'A', quick: '' }), replay: text })
  const judged = (await requests()).filter(({ system }) => JSON.stringify(system).includes('You check one event'))
  return { live, again, judged: judged.map(({ messages }) => JSON.stringify(messages)) }
}

test('what models said to hooks after calls is answered from the recording, wherever and however fast the calls run now', async () => {
  const after = (about: string) => ({ ...asks(about), continueOnBlock: true }) as HookHandler
  const hooks = {
    ...on('PostToolUse', after('After'), after('Then')),
    ...on('PostToolUseFailure', after('Failed')),
    ...on('Stop', asks('Stop')),
  }
  const { live, again, judged } = await recordedAndReplayed(hooks)
  expect(live.result).toMatchObject({ terminal_reason: 'completed', result: 'done' })
  expect(judged).toHaveLength(2 * 2 + 2 + 1)
  expect(judged.filter((text) => /duration_ms\\":(3\d\d|[4-9]\d\d|\d{4,})/.test(text))).toHaveLength(3)
  expect(again.result).toEqual(live.result)
  expect(again.events).toEqual(live.events)
  expect(again.rest).toBe(0)
})

test('a model that judges a call sees its file as the agent knows it, so that the question is the same in every folder', async () => {
  const { live, again, judged } = await recordedAndReplayed({ ...on('PreToolUse', asks('Before')), ...on('PostToolBatch', asks('Stop')) })
  expect(judged.some((text) => text.includes('src/a.txt'))).toBe(true)
  expect(again.result).toEqual(live.result)
  expect(again.rest).toBe(0)
})

test.each(['prompt', 'agent'] as const)(
  'a hook of the type %s that asks something else than was recorded allows nothing: the run ends before the call',
  async (type) => {
    const { url } = await fakeApi({
      rules: [
        { when: { system: 'You are worker' }, turns: [{ content: [call('Bash', { command: 'touch ran' })] }, { text: 'done' }] },
        { when: { system: 'You check one event' }, respond: { text: '{"ok": false, "reason": "no"}' } },
      ],
    })
    const permissions = { allow: [{ tool: 'Bash' }], ask: [], deny: [] }
    const startWith = (prompt: string) => startOf({ tools: ['Bash'] }, 'go', { hooks: on('PreToolUse', { type, prompt }), permissions })
    const run = { host: process, ids: { session: () => 'run-of-replayed-hooks' }, cwd: await folder() }
    let text = ''
    await runToEnd(startWith('Fine?'), { ...run, url, record: (line) => (text += line) })
    const { result } = await runToEnd(startWith('Good?'), { ...run, replay: text })
    expect(existsSync(join(run.cwd, 'ran'))).toBe(false)
    expect([result.is_error, result.terminal_reason]).toEqual([true, 'hook_stopped'])
    expect(result.errors[0]).toMatch(/request 1 differs from the recorded one at .*Good\?/)
  },
)
