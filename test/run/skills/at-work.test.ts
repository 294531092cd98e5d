import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { verifyRun } from '../../../runner/transcript/verify.ts'
import { write } from '../calls.ts'
import { cast } from '../delegation/stage.ts'
import { on } from '../hooks/stage.ts'
import { agentcRun, resultOf, runFolder, transcriptOf } from '../kept.ts'
import { manifestText, startOf } from '../manifest-fixture.ts'
import { fakeApi, folder, toolResults } from '../stage.ts'
import { ran, callSkill, rule, skill } from './stage.ts'

const NONE = { allow: [], ask: [], deny: [] }
const ALLOWED = { ...NONE, allow: [rule('Skill')] }
const writer = skill('writer', { allowedTools: [rule('Write')] })

describe('allowed-tools', () => {
  test('are rules from the next reply on, for as long as the skill is at work', async () => {
    const { url } = await fakeApi({
      turns: [{ tools: [write('a'), callSkill('writer'), write('b')] }, { tools: [write('c')] }, { tools: [write('d')] }, { text: 'ok' }],
    })
    const cwd = await folder()
    await ran(startOf({ tools: ['Skill', 'Write'] }, 'go', { skills: { writer }, permissions: ALLOWED }), { cwd, url })
    expect(['a', 'b', 'c', 'd'].map((name) => existsSync(join(cwd, name)))).toEqual([false, false, true, true])
  })

  test('never pass a deny rule, an ask rule, a limit or the tools of the agent', async () => {
    const { url, play } = await fakeApi({})
    const wrote = async (agent: object, permissions: object) => {
      await play({ turns: [{ tools: [callSkill('writer')] }, { tools: [write('a')] }, { text: 'ok' }] })
      const cwd = await folder()
      const start = startOf({ tools: ['Skill', 'Write'], ...agent }, 'go', {
        skills: { writer },
        permissions: { ...ALLOWED, ...permissions },
      })
      await ran(start, { cwd, url })
      return existsSync(join(cwd, 'a'))
    }
    expect(await wrote({}, {})).toBe(true)
    expect(await wrote({}, { deny: [rule('Write')] })).toBe(false)
    expect(await wrote({}, { ask: [rule('Write')] })).toBe(false)
    expect(await wrote({ deny: [rule('Write')] }, {})).toBe(false)
    expect(await wrote({ limits: [rule('Write', { path: 'b', anchor: 'cwd' })] }, {})).toBe(false)
    expect(await wrote({ permissionMode: 'plan' }, {})).toBe(false)
    expect(await wrote({ tools: ['Skill'] }, {})).toBe(false)
  })

  test('hold for the commands in the text of the skill too', async () => {
    const status = skill('status', { content: '!`touch made`', allowedTools: [rule('Bash', { prefix: ['touch'] })] })
    const { url } = await fakeApi({ turns: [{ tools: [callSkill('status')] }, { text: 'ok' }] })
    const cwd = await folder()
    await ran(startOf({ tools: ['Skill', 'Bash'] }, 'go', { skills: { status }, permissions: ALLOWED }), { cwd, url })
    expect(existsSync(join(cwd, 'made'))).toBe(true)
  })

  test('disallowed-tools are rules that deny', async () => {
    const careful = skill('careful', { disallowedTools: [rule('Write')] })
    const { url } = await fakeApi({ turns: [{ tools: [write('a'), callSkill('careful')] }, { tools: [write('b')] }, { text: 'ok' }] })
    const cwd = await folder()
    await ran(startOf({ tools: ['Skill', 'Write'] }, 'go', { skills: { careful } }), { cwd, url })
    expect(['a', 'b'].map((name) => existsSync(join(cwd, name)))).toEqual([true, false])
  })

  test('a skill that brings some is asked about, so that where nobody is it is refused aloud', async () => {
    const { url } = await fakeApi({ turns: [{ tools: [callSkill('writer')] }, { tools: [write('a')] }, { text: 'ok' }] })
    const cwd = await folder()
    const { events, result } = await ran(startOf({ tools: ['Skill', 'Write'] }, 'go', { skills: { writer }, permissions: NONE }), {
      cwd,
      url,
    })
    expect(toolResults(events)[0]!.text).toContain('nobody can be asked here; the rule Skill(writer) would allow it')
    expect([result.permission_denials.length, result.denied, existsSync(join(cwd, 'a'))]).toEqual([2, true, false])
  })
})

describe('of a project that is not trusted', () => {
  const rules = [rule('Write'), rule('Bash', { prefix: ['touch'] })]
  const greedy = skill('writer', { allowedTools: rules, content: 'Now !`touch ran`', hooks: on('PostToolUse', 'touch hooked') })
  const project = manifestText({ worker: { tools: ['Skill', 'Bash', 'Write'] } }, { skills: { writer: greedy }, permissions: ALLOWED })
  const played = async (...flags: string[]) => {
    const { url, requests } = await fakeApi({ turns: [{ tools: [callSkill('writer')] }, { tools: [write('a')] }, { text: 'ok' }] })
    const cwd = await folder()
    await agentcRun(['worker', 'go', ...flags], { cwd, url, manifest: project })
    return {
      made: ['ran', 'hooked', 'a'].map((name) => existsSync(join(cwd, name))),
      text: JSON.stringify((await requests())[1]!.messages),
    }
  }

  test('a skill is its text alone: no rule, no hook and no command of it counts', async () => {
    const { made, text } = await played()
    expect(made).toEqual([false, false, false])
    expect(text).toContain('Now `touch ran`')
  })

  test('and all of it counts where it is trusted', async () => {
    const { made } = await played('--trust')
    expect(made).toEqual([true, true, true])
  })
})

describe('hooks of a skill', () => {
  const log = (event: string): string => `echo ${event} >> "$CLAUDE_PROJECT_DIR/log"`
  const watched = skill('watched', {
    hooks: { ...on('PreToolUse', log('before')), ...on('Stop', log('stop')), ...on('SessionStart', log('never')) },
  })
  const read = { name: 'Read', input: { file_path: 'a.txt' } }

  test('live from its call on', async () => {
    const { url } = await fakeApi({ turns: [{ tools: [read, callSkill('watched'), read] }, { tools: [read] }, { text: 'ok' }] })
    const cwd = await folder({ 'a.txt': 'A' })
    await ran(startOf({ tools: ['Skill', 'Read'] }, 'go', { skills: { watched } }), { cwd, url })
    expect(readFileSync(join(cwd, 'log'), 'utf8').trim().split('\n')).toEqual(['before', 'stop'])
  })
})

describe('hooks of a skill, and the next prompt', () => {
  test('end with it', async () => {
    const origin = { source: 'user' as const, path: 'skills/w/SKILL.md' }
    const watched = skill('watched', { origin, hooks: on('PreToolUse', 'echo before >> "$CLAUDE_PROJECT_DIR/log"') })
    const manifest = manifestText({ worker: { tools: ['Skill', 'Read'] } }, { skills: { watched }, permissions: ALLOWED })
    const read = { name: 'Read', input: { file_path: 'a.txt' } }
    const { url } = await fakeApi({
      turns: [{ tools: [callSkill('watched')] }, { tools: [read] }, { text: 'ok' }, { tools: [read] }, { text: 'ok' }],
    })
    const cwd = await folder({ 'a.txt': 'A' })
    const { result } = await resultOf(['worker', 'go'], { cwd, url, manifest })
    await resultOf(['--resume', result.run_id!, 'more'], { cwd, url })
    expect(readFileSync(join(cwd, 'log'), 'utf8')).toBe('before\n')
  })
})

describe('model and effort', () => {
  const deep = skill('deep', { model: 'claude-opus-5-5', effort: 'max' })
  const turns = [{ tools: [callSkill('deep')] }, { tools: [callSkill('deep')] }, { text: 'first' }, { text: 'second' }]
  const manifest = manifestText({ worker: { tools: ['Skill'], effort: 'low' } }, { skills: { deep } })

  test('are those of the skill from the next request to the next prompt, and the account is by model', async () => {
    const { url, requests } = await fakeApi({ turns })
    const cwd = await folder()
    const { result } = await resultOf(['worker', 'go'], { cwd, url, manifest })
    expect(Object.keys(result.modelUsage)).toEqual(['claude-haiku-5-5', 'claude-opus-5-5'])
    await resultOf(['--resume', result.run_id!, 'more'], { cwd, url })
    expect((await requests()).map(({ model, output_config }) => [model, output_config!.effort])).toEqual([
      ['claude-haiku-5-5', 'low'],
      ['claude-opus-5-5', 'max'],
      ['claude-opus-5-5', 'max'],
      ['claude-haiku-5-5', 'low'],
    ])
    const kept = readManifest(readFileSync(join(runFolder(cwd), 'manifest.json'), 'utf8'))
    expect(verifyRun(transcriptOf(cwd), kept)).toMatchObject({ requests: 4, difference: undefined })
  })

  test('a model whose price is not known does not count below a limit in US dollars of any agent above', async () => {
    const odd = skill('odd', { model: 'gpt-5', context: 'fork', agent: 'helper' })
    const { start, agents } = cast({ lead: { tools: ['Agent'] }, middle: { tools: ['Skill', 'Agent'] }, helper: {} }, 'go', {
      skills: { odd },
      limits: { spawnDepth: 2, parallelReads: 1, resultChars: 9999 },
    })
    const { url, requests } = await fakeApi({
      rules: [
        { when: { system: 'You are lead' }, turns: [{ tools: [{ name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'middle' } }] }, { text: 'end' }] }, // prettier-ignore
        { when: { system: 'You are middle' }, turns: [{ tools: [callSkill('odd')] }, { text: 'end' }] },
        { when: { system: 'You are helper' }, turns: [{ text: 'done' }] },
      ],
    })
    await ran({ ...start, maxBudgetUsd: 5 }, { cwd: await folder(), url, agents })
    const all = await requests()
    expect(new Set(all.map(({ model }) => model))).toEqual(new Set(['claude-haiku-5-5']))
    expect(JSON.stringify(all)).toContain('[agentc: its model gpt-5 does not count: its price is not known')
  })

  test('a model that policy has written for the agent stays', async () => {
    const { url, requests } = await fakeApi({ turns: [turns[0], { text: 'ok' }] })
    const provenance = { model: { source: 'policy' as const, path: 'x.md', line: 2, column: 8 } }
    const { events } = await ran(startOf({ tools: ['Skill'], provenance }, 'go', { skills: { deep } }), { cwd: await folder(), url })
    expect(toolResults(events)[0]!.text).toContain('its model claude-opus-5-5 does not count: policy has set that of the agent')
    expect((await requests())[1]).toMatchObject({ model: 'claude-haiku-5-5', output_config: { effort: 'max' } })
  })
})

describe('a skill that a person calls', () => {
  const called = skill('writer', {
    allowedTools: [rule('Write')],
    model: 'claude-opus-5-5',
    origin: { source: 'user', path: 'skills/w/SKILL.md' },
  })
  const manifest = manifestText({ worker: { tools: ['Skill', 'Write'] } }, { skills: { writer: called }, permissions: NONE })

  test('has its rules and its model from the first request on, and after the next prompt no longer', async () => {
    const { url, requests } = await fakeApi({
      turns: [{ tools: [write('a')] }, { text: 'ok' }, { tools: [write('b')] }, { text: 'ok' }, { tools: [write('c')] }, { text: 'ok' }],
    })
    const cwd = await folder()
    const { result } = await resultOf(['worker', '/writer now'], { cwd, url, manifest })
    await resultOf(['--resume', result.run_id!, 'more'], { cwd, url })
    await resultOf(['--resume', result.run_id!, '/writer again'], { cwd, url })
    expect(['a', 'b', 'c'].map((name) => existsSync(join(cwd, name)))).toEqual([true, false, true])
    expect((await requests()).map(({ model }) => model.split('-')[1])).toEqual(['opus', 'opus', 'haiku', 'haiku', 'opus', 'opus'])
    const kept = readManifest(readFileSync(join(runFolder(cwd), 'manifest.json'), 'utf8'))
    expect(verifyRun(transcriptOf(cwd), kept)).toMatchObject({ requests: 6, difference: undefined })
  })
})
