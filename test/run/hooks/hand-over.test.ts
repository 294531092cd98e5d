import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verifyRun } from '../../../runner/index.ts'
import type { HookHandler, Hooks } from '../../../schemas/shapes/hook.ts'
import { readManifest } from '../../../schemas/manifest.ts'
import { call, cast } from '../delegation/stage.ts'
import { fakeApi, folder, noticesOf, runToEnd, toolResults } from '../stage.ts'
import { agentc, agents as agentFiles, project } from '../../support/bin.ts'
import { on } from './stage.ts'

const lead = { system: 'You are lead' }
const helper = { system: 'You are helper' }
const judge = { system: 'You check one event' }
const WAITED = { description: 'd', prompt: 'Count the files.', subagent_type: 'helper' }
const CHECK = { type: 'prompt' as const, prompt: 'Is every number in it counted?', handover: true as const }
const NO = { text: '{"ok": false, "reason": "it counts\\nnothing"}' }
const LIMITS = { spawnDepth: 1, parallelReads: 10, resultChars: 100_000 }

const check = (more: object = {}): Hooks => on('SubagentStop', { ...CHECK, ...more } as HookHandler)

interface Script {
  hooks?: Hooks
  own?: Hooks
  verdict?: object
  work?: object[]
  calls?: object[]
  run?: object
}

async function handed(
  { hooks = check(), own, verdict = NO, work = [{ text: 'There are SEVEN.' }], calls, run }: Script,
  more: object = {},
) {
  const { start, agents, keep } = cast(
    { lead: { tools: ['Agent', 'TaskOutput'] }, helper: { tools: ['Glob'], ...(own && { hooks: own }) } },
    'go',
    {
      hooks,
      limits: { ...LIMITS, ...(run && { run }) },
    },
  )
  const turns = (calls ?? [[call('Agent', WAITED)]]).map((content) => ({ content }))
  const { url, requests } = await fakeApi({
    rules: [
      { when: lead, turns: [...turns, { text: 'end' }] },
      { when: helper, turns: work },
      { when: judge, respond: verdict },
    ],
  })
  const cwd = await folder()
  const lines: string[] = []
  const ran = await runToEnd(start, {
    cwd,
    url,
    agents,
    keep,
    host: process,
    ids: { session: () => 'run-of-hand-over' },
    record: (line) => void lines.push(line),
    ...more,
  })
  const sent = await requests()
  const asked = sent.filter(({ system }) => JSON.stringify(system).includes('You check one event'))
  return { ...ran, cwd, lines, sent, asked, start, agents, report: toolResults(ran.events)[0]! }
}

describe('a result that is checked before it is handed over', () => {
  test('and does not pass is kept, and the agent above is told why', async () => {
    const { report, asked, sent, events, result } = await handed({})
    expect(report.isError).toBe(true)
    expect(report.text).toMatch(
      /^It did not pass the check before it is handed over: it counts nothing\. It is kept, and not to be relied on\./,
    )
    expect(report.text).toContain('\n  There are SEVEN.\n')
    expect(asked).toHaveLength(1)
    expect(sent).toHaveLength(4)
    const event = JSON.stringify(asked[0]!.messages)
    for (const part of ['Is every number', 'There are SEVEN.', 'Count the files.', 'completed']) expect(event).toContain(part)
    expect(noticesOf(events, 'handover')).toContainEqual(expect.stringMatching(/^the result of the agent helper \(a\w+\): It did not pass/))
    expect(result).toMatchObject({ terminal_reason: 'completed', subagent_stats: { spawned: 1, completed: 0, failed: 1 } })
  })

  test('and passes is handed over as any other', async () => {
    const { report, asked, events, result } = await handed({ verdict: { text: '{"ok": true}' } })
    expect(report.isError).toBe(false)
    expect(report.text).toMatch(/^Report of the agent helper\./)
    expect([asked.length, noticesOf(events)]).toEqual([1, []])
    expect(result).toMatchObject({ subagent_stats: { completed: 1, failed: 0 } })
  })

  test.each<[string, object, object, RegExp]>([
    ['gives no verdict', { text: 'I cannot say.' }, {}, /the model did not answer with a verdict/],
    ['takes too long', { text: '{"ok": true}', delay_ms: 5000 }, { timeout: 0.2 }, /it took longer than 0\.2 seconds/],
    ['cannot be asked', { text: 'x', fault: { type: 401 } }, {}, /the model could not be asked/],
  ])(
    'is kept and is no success where the model %s; only a hook that says so lets it pass, and not without a word',
    async (_, verdict, more, why) => {
      const strict = await handed({ verdict, hooks: check(more) })
      expect(strict.report.isError).toBe(true)
      expect(strict.report.text).toMatch(
        /^It was to be checked before it is handed over, and could not be: .*It is kept, and not to be relied on unchecked\./,
      )
      expect(strict.report.text).toMatch(why)
      expect(strict.report.text).toContain('  There are SEVEN.')
      expect(noticesOf(strict.events, 'handover')).toHaveLength(1)
      const loose = await handed({ verdict, hooks: check({ ...more, onFailure: 'continue' }) })
      expect(loose.report.isError).toBe(false)
      expect(loose.report.text).toMatch(/^It is handed over although the check of it could not be made: /)
      expect(noticesOf(loose.events, 'handover')).toHaveLength(1)
    },
  )

  test('of an agent in the background is told by its notification, and by TaskOutput', async () => {
    const { sent, events, result } = await handed({ calls: [[call('Agent', { ...WAITED, run_in_background: true })]] })
    const note = JSON.stringify(sent.at(-1)!.messages.at(-1))
    expect(note).toContain('<status>failed</status>')
    expect(note).toContain('<note>It did not pass the check before it is handed over: it counts nothing.')
    expect(note).toContain('There are SEVEN.')
    expect(events).toContainEqual(expect.objectContaining({ subtype: 'task_notification', status: 'failed', summary: 'There are SEVEN.' }))
    expect(result).toMatchObject({ terminal_reason: 'completed', subagent_stats: { failed: 1 } })
  })

  test('is that of the agents that a matcher names, or of the agent whose file holds the hook', async () => {
    const other = { SubagentStop: [{ matcher: { names: ['other'] }, handlers: [CHECK] }] }
    expect((await handed({ hooks: other })).asked).toHaveLength(0)
    expect((await handed({ hooks: {}, own: check() })).report.text).toContain('did not pass')
    expect((await handed({ hooks: {}, own: on('Stop', CHECK) })).report.text).toContain('did not pass')
    expect((await handed({ hooks: on('Stop', CHECK) })).asked).toHaveLength(0)
  })

  test('is checked once, after the hooks that may keep the agent at work have let it go', async () => {
    const hooks: Hooks = { SubagentStop: [{ handlers: [{ type: 'prompt', prompt: 'Is it DONE?', once: true }, CHECK] }] }
    const { asked, report } = await handed({ hooks, verdict: NO, work: [{ text: 'one' }, { text: 'two' }] })
    expect(asked.map(({ messages }) => JSON.stringify(messages).includes('Is it DONE?'))).toEqual([true, false])
    expect(report.text).toContain('  two')
  })

  test('is checked too where the agent came to no end, and both are said', async () => {
    const work = [{ content: [{ type: 'text', text: 'SO FAR' }, call('Glob', { pattern: '*' })], repeat: 5 }]
    const { report, asked } = await handed({ work, run: { turns: 3 } })
    expect(report.isError).toBe(true)
    expect(report.text).toMatch(/The agent helper did not finish: .*limit of/)
    expect(report.text).toMatch(/^It was to be checked before it is handed over, and could not be: the limit of/)
    expect(asked).toHaveLength(0)
  })

  test('is paid for by the run: what the check costs is in its account and its budget', async () => {
    const verdict = { text: '{"ok": true}', usage: { input_tokens: 4000, output_tokens: 10 } }
    const { result, sent } = await handed({ verdict, run: { tokens: 4000 } })
    expect(result.terminal_reason).toBe('token_limit')
    expect(sent).toHaveLength(3)
    expect(Object.values(result.modelUsage).reduce((sum, use) => sum + use.inputTokens, 0)).toBeGreaterThanOrEqual(4000)
  })

  test('is not checked when nothing is left to pay for it', async () => {
    const work = [{ text: 'There are SEVEN.', usage: { input_tokens: 5000, output_tokens: 10 } }]
    const { asked, report } = await handed({ work, run: { tokens: 4000 } })
    expect(asked).toHaveLength(0)
    expect(report.text).toMatch(/^It was to be checked before it is handed over, and could not be: the limit of \d+ tokens/)
    expect(report.text).toContain('  There are SEVEN.')
  })

  test('is answered from a recording as it was live, and the transcripts can be verified', async () => {
    const { cwd, lines, start, agents, result, report } = await handed({})
    const again = await runToEnd(start, { cwd: await folder(), agents, replay: lines.join('') })
    expect([again.rest, toolResults(again.events)[0]]).toEqual([0, report])
    const run = join(cwd, result.run_folder!)
    const manifest = readManifest(readFileSync(join(run, 'manifest.json'), 'utf8'))
    const [side] = readdirSync(join(run, 'agents'))
    const text = readFileSync(join(run, 'agents', side!), 'utf8')
    expect(verifyRun(text, manifest)).toEqual({ requests: 1, ended: true, difference: undefined })
    expect(text).toContain('"handover":{"verdict":"rejected"')
  })
})

test('from the file of an agent to the report of its run, with the real program', async () => {
  const check = ['hooks:', '  SubagentStop:', '    - hooks:', '        - { type: prompt, prompt: Good?, handover: true }']
  const cwd = project(agentFiles({ lead: ['tools: Agent'], helper: ['tools: Read', ...check] }))
  const { url } = await fakeApi({
    rules: [
      { when: lead, turns: [{ content: [call('Agent', WAITED)] }, { text: '{{last_tool_result}}' }] },
      { when: helper, respond: { text: 'There are SEVEN.' } },
      { when: judge, respond: NO },
    ],
  })
  const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'test-key-0123456789' }
  const build = await agentc(['build', '--format', 'json', '--target', 'claude-code'], { cwd })
  expect(JSON.parse(build.out)).toMatchObject({ diagnostics: [{ code: 'host/ignores-field', file: '.claude/agents/helper.md' }] })
  expect((await agentc(['explain', 'helper'], { cwd })).out).toContain('SubagentStop: prompt at hand-over "Good?"')
  const run = await agentc(['run', 'lead', 'go', '--trust'], { cwd, env })
  expect([run.code, run.out]).toEqual([
    0,
    expect.stringContaining('It did not pass the check before it is handed over: it counts nothing.'),
  ])
  expect(run.err).toContain('the result of the agent helper')
})
