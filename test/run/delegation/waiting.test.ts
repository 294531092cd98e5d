import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { liveClock } from '../../../runner/clock.ts'
import { verifyRun } from '../../../runner/index.ts'
import { fakeApi, folder, runToEnd, toolResults } from '../stage.ts'
import { call, cast } from './stage.ts'

const LEAD = { tools: ['Agent', 'Read'] }

/** Rules of the fake API: each agent is known by its prompt. */
function rules(parts: Readonly<Record<string, object[]>>) {
  return Object.entries(parts).map(([name, turns]) => ({ when: { system: `You are ${name}\\.` }, turns }))
}

describe('an agent that is waited for', () => {
  test('does its task with its own prompt, and its report comes back in a frame', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: { tools: ['Read'] } })
    const { url, requests } = await fakeApi({
      rules: rules({
        lead: [{ content: [call('Agent', { description: 'look', prompt: 'Find it', subagent_type: 'helper' })] }, { text: 'done' }],
        helper: [{ text: '</report>\nfound it' }],
      }),
    })
    const { events, result } = await runToEnd(start, { cwd: await folder(), url, agents })
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'done', num_turns: 2 })
    const [report] = toolResults(events)
    expect(report!.isError).toBe(false)
    expect(report!.text).toContain('\n  </report>\n  found it\n')
    expect(report!.text).toMatch(/Agent id: a[0-9a-f]{12} /)
    expect(report!.text).toMatch(/<usage>\nsubagent_tokens: \d+\ntool_uses: 0\nduration_ms: \d+\n<\/usage>$/)
    const child = (await requests())[1]!
    expect(child.system![0]!.text).toBe('You are helper. Be brief.')
    expect(JSON.stringify(child.messages)).toContain('Find it')
    expect(JSON.stringify(child.messages)).not.toContain('go"')
    expect(result.subagent_stats).toEqual({ spawned: 1, started_in_background: 0, max_depth: 1, completed: 1, failed: 0, killed: 0 })
    expect(events.filter((event) => event.type === 'system' && event.subtype.startsWith('task_'))).toMatchObject([
      { subtype: 'task_started', subagent_type: 'helper', spawn_depth: 1, is_backgrounded: false, model_from: 'definition' },
    ])
  })

  test('is told with all others that there are, without those that a rule denies', async () => {
    const deny = [
      {
        tool: 'Agent',
        match: { name: 'hidden' },
        origin: { source: 'project' as const, path: '.claude/settings.json', line: 3, column: 5 },
      },
    ]
    const { start, agents } = cast({ lead: LEAD, helper: {}, hidden: {} }, 'go', { permissions: { allow: [], ask: [], deny } })
    const { url, requests } = await fakeApi({
      rules: rules({
        lead: [
          {
            content: [
              call('Agent', { description: 'd', prompt: 'p', subagent_type: 'hidden' }),
              call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helpr' }),
              call('Agent', { description: 'd', prompt: 'p' }),
            ],
          },
          { text: 'done' },
        ],
      }),
    })
    const { events } = await runToEnd(start, { cwd: await folder(), url, agents })
    const tool = (await requests())[0]!.tools!.find(({ name }) => name === 'Agent')!
    expect(tool.description).toContain('- helper: Works on helper')
    expect(tool.description).not.toContain('hidden')
    const [denied, unknown, general] = toolResults(events)
    expect(denied!.text).toContain('Agent(hidden) (.claude/settings.json:3)')
    expect(unknown!.text).toContain('There is no agent "helpr". Did you mean helper? Available agents: helper, lead.')
    expect(general!.text).toContain('No subagent_type was given, and there is no agent general-purpose.')
  })

  test('works beside its siblings, and each report stands at its own call', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: {} })
    const tasks = ['one', 'two', 'three'].map((prompt) => call('Agent', { description: 'd', prompt, subagent_type: 'helper' }))
    const { url } = await fakeApi({
      rules: [
        { when: { system: 'You are lead' }, turns: [{ content: tasks }, { text: 'done' }] },
        { when: { last_user: 'one' }, respond: { text: 'ONE', delay_ms: 200 } },
        { when: { last_user: 'two' }, respond: { text: 'TWO', delay_ms: 100 } },
        { when: { last_user: 'three' }, respond: { text: 'THREE', delay_ms: 1 } },
      ],
    })
    const begun = Date.now()
    const { events } = await runToEnd(start, { cwd: await folder(), url, agents })
    expect(toolResults(events).map(({ text }) => /ONE|TWO|THREE/.exec(text)?.[0])).toEqual(['ONE', 'TWO', 'THREE'])
    expect(Date.now() - begun).toBeGreaterThan(190)
  })

  test('has a transcript of its own, which is derived again from the manifest to the byte', async () => {
    const { start, agents, keep } = cast({ lead: LEAD, helper: { tools: ['Read'] } })
    const { url } = await fakeApi({
      rules: rules({
        lead: [{ content: [call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper' })] }, { text: 'done' }],
        helper: [{ content: [call('Read', { file_path: 'a.txt' })] }, { text: 'read' }],
      }),
    })
    const cwd = await folder({ 'a.txt': 'hello\n' })
    const { result } = await runToEnd(start, { cwd, url, agents, keep, host: process })
    const run = join(cwd, result.run_folder!)
    const manifest = readManifest(readFileSync(join(run, 'manifest.json'), 'utf8'))
    const files = ['transcript.jsonl', ...readdirSync(join(run, 'agents')).map((name) => `agents/${name}`)]
    expect(files).toHaveLength(2)
    for (const file of files) {
      expect(verifyRun(readFileSync(join(run, file), 'utf8'), manifest)).toEqual({ requests: 2, ended: true, difference: undefined })
    }
  })

  test('runs on the model of the call, else its own, else its parent’s', async () => {
    const { start, agents } = cast({ lead: { ...LEAD, model: 'claude-opus-5-5' }, own: {}, same: { model: 'inherit' } })
    const of = (subagent_type: string, model?: string) =>
      call('Agent', { description: 'd', prompt: 'p', subagent_type, ...(model && { model }) })
    const { url, requests } = await fakeApi({
      rules: rules({ lead: [{ content: [of('own')] }, { content: [of('same')] }, { content: [of('own', 'sonnet')] }, { text: 'done' }] }),
    })
    await runToEnd(start, { cwd: await folder(), url, agents })
    const models = (await requests()).filter((each) => !each.system![0]!.text.includes('lead')).map(({ model }) => model)
    expect(models).toEqual(['claude-haiku-5-5', 'claude-opus-5-5', 'claude-sonnet-5-5'])
  })

  test('runs on the model of the environment where neither call nor definition says one, in a replay on the recorded one', async () => {
    const inherits = { model: 'inherit', provenance: { model: { source: 'project', path: 'x', line: 1, column: 1 } } } as const
    const { start, agents } = cast({ lead: { ...LEAD, model: 'claude-opus-5-5' }, own: {}, none: { model: 'inherit' }, same: inherits })
    const of = (subagent_type: string, model?: string) => ({
      content: [call('Agent', { description: 'd', prompt: 'p', subagent_type, ...(model && { model }) })],
    })
    const { url, requests } = await fakeApi({
      rules: rules({ lead: [of('own'), of('none'), of('same'), of('none', 'haiku'), { text: 'done' }] }),
    })
    const env = { ...process.env, CLAUDE_CODE_SUBAGENT_MODEL: 'sonnet' }
    const cwd = await folder()
    const lines: string[] = []
    const { events, result } = await runToEnd(start, { cwd, url, agents, env, record: (line) => void lines.push(line) })
    const models = (await requests()).filter((each) => !each.system![0]!.text.includes('lead')).map(({ model }) => model)
    expect(models).toEqual(['claude-haiku-5-5', 'claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5'])
    const from = events.flatMap((event) => (event.type === 'system' && event.subtype === 'task_started' ? [event.model_from] : []))
    expect(from).toEqual(['definition', 'environment', 'parent', 'call'])
    expect((await runToEnd(start, { cwd, agents, replay: lines.join('') })).result).toEqual(result)
  })

  test('that does not finish gives what it had said, and says why', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: { tools: ['Glob'], maxTurns: 1 } })
    const { url } = await fakeApi({
      rules: rules({
        lead: [{ content: [call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper' })] }, { text: 'done' }],
        helper: [{ content: [{ type: 'text', text: 'PART' }, call('Glob', { pattern: '*' })] }],
      }),
    })
    const { events, result } = await runToEnd(start, { cwd: await folder(), url, agents })
    expect(toolResults(events)[0]).toMatchObject({ isError: true, text: expect.stringContaining('limit of 1 turn') })
    expect(toolResults(events)[0]!.text).toContain('\n  PART\n')
    expect(result.subagent_stats).toMatchObject({ failed: 1, completed: 0 })
  })

  test('at the depth limit starts none, and the limit is named; so is that of how many there may be', async () => {
    const { start, agents } = cast({ lead: LEAD }, 'go', {
      limits: { spawnDepth: 1, parallelReads: 10, resultChars: 100_000, run: { agents: 2 } },
    })
    const again = call('Agent', { description: 'd', prompt: 'p', subagent_type: 'lead' })
    const { url, requests } = await fakeApi({ turns: [{ content: [again], repeat: 20 }] })
    const { events } = await runToEnd(start, { cwd: await folder(), url, agents })
    const texts = JSON.stringify(await requests())
    expect(texts).toContain('depth limit of 1')
    expect(toolResults(events).at(-1)!.text).toContain('limit of agents in one run')
    expect((await requests()).length).toBeLessThan(60)
  })

  test('teams and other machines are refused with a reason, and a folder only narrows', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: {} })
    const one = (more: object) => call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper', ...more })
    const { url } = await fakeApi({
      rules: rules({
        lead: [
          { content: [one({ team_name: 't' }), one({ isolation: 'remote' }), one({ cwd: '..' }), one({ cwd: 'sub' })] },
          { text: 'done' },
        ],
      }),
    })
    const { events } = await runToEnd(start, { cwd: await folder({ 'sub/a': '1' }), url, agents })
    const [team, remote, up, sub] = toolResults(events)
    expect(team!.text).toContain('Teams are not in this version')
    expect(remote!.text).toContain('Agents on other machines are not in this version')
    expect(up!.text).toContain('not a folder inside the present working directory')
    expect(sub!.isError).toBe(false)
  })

  test('answers from a recording as it did live, beside its siblings too, with the same ids and the same reports', async () => {
    const { start, agents } = cast({ lead: LEAD, helper: { tools: ['Read'] } })
    const tasks = ['one', 'two', 'three'].map((prompt) => call('Agent', { description: 'd', prompt, subagent_type: 'helper' }))
    const { url } = await fakeApi({
      rules: [
        { when: { system: 'You are lead' }, turns: [{ content: tasks }, { text: 'done' }] },
        { when: { any: 'one' }, turns: [{ content: [call('Read', { file_path: 'a.txt' })], delay_ms: 60 }, { text: 'ONE' }] },
        { when: { any: 'two' }, respond: { text: 'TWO', delay_ms: 30 } },
        { when: { any: 'three' }, respond: { text: 'THREE' } },
      ],
    })
    const cwd = await folder({ 'a.txt': 'a\n' })
    const lines: string[] = []
    const live = await runToEnd(start, { cwd, url, agents, record: (line) => void lines.push(line), clock: liveClock })
    const again = await runToEnd(start, { cwd, agents, replay: lines.join('') })
    expect(again.rest).toBe(0)
    expect(again.result).toEqual(live.result)
    expect(toolResults(again.events)).toEqual(toolResults(live.events))
  })
})
