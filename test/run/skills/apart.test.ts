import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import type { ManifestSkill } from '../../../schemas/shapes/manifest.ts'
import type { PermissionMode } from '../../../schemas/values.ts'
import { closureNames } from '../../../runner/closure.ts'
import { verifyRun } from '../../../runner/transcript/verify.ts'
import { write } from '../calls.ts'
import { cast } from '../delegation/stage.ts'
import { on } from '../hooks/stage.ts'
import { agentcRun, linesOf, resultOf, runFolder, runId, transcriptOf } from '../kept.ts'
import { type AgentParts, type HeaderParts, manifestText } from '../manifest-fixture.ts'
import { fakeApi, folder, toolResults } from '../stage.ts'
import { ran, callSkill, rule, skill, textsOf } from './stage.ts'

const apart = (parts: Partial<ManifestSkill> = {}) => ({ study: skill('study', { context: 'fork', agent: 'helper', ...parts }) })
const NONE = { allow: [], ask: [], deny: [] }

interface Played {
  agents?: Record<string, AgentParts>
  header?: HeaderParts
  /** What the lead does; its second reply is `end`. */
  lead?: object[]
  /** What the agent of the skill does. */
  helper?: object[]
  files?: Record<string, string>
}

/** A lead that calls the skill, in a run with a helper. */
async function play({ agents = {}, header = {}, lead = [callSkill('study', 'moths')], helper = [], files = {} }: Played) {
  const { start, agents: all } = cast({ lead: { tools: ['Skill', 'Agent', 'Write'] }, helper: { tools: ['Write'] }, ...agents }, 'go', {
    skills: apart(),
    ...header,
  })
  const { url, requests } = await fakeApi({
    rules: [
      { when: { system: 'You are lead' }, turns: [{ tools: lead }, { text: 'end' }] },
      { when: { system: 'You are' }, turns: [...helper.map((call) => ({ tools: [call] })), { text: 'All about it.' }] },
    ],
  })
  const cwd = await folder(files)
  const done = await ran(start, { cwd, url, agents: all })
  const sent = await requests()
  const below = sent.filter(({ system }) => !system![0]!.text.includes('You are lead'))
  return { ...done, cwd, sent, below, results: toolResults(done.events) }
}

describe('a skill with `context: fork`', () => {
  test('is the task of the agent that it names, and the report is the result of the call', async () => {
    const { below, results, result } = await play({ header: { skills: apart({ content: 'Study $1.' }) } })
    expect(textsOf(below[0]!.messages[0]!).at(-1)).toBe(
      'Do what this skill says, and report what came of it.\n\n<skill name="study" folder=".claude/skills/study">\nStudy moths.\n</skill>',
    )
    expect(results).toEqual([{ text: expect.stringContaining('Report of the agent helper'), isError: false }])
    expect(results[0]!.text).toContain('  All about it.')
    expect(result.subagent_stats).toMatchObject({ spawned: 1, completed: 1 })
  })

  test('runs in general-purpose if it names none, with its own model and effort, and leaves the caller as it was', async () => {
    const skills = apart({ model: 'claude-opus-5-5', effort: 'max' })
    delete skills.study.agent
    const { below, sent } = await play({ agents: { 'general-purpose': {} }, header: { skills } })
    expect(below[0]!.system![0]!.text).toContain('You are general-purpose')
    expect([below[0]!.model, below[0]!.output_config]).toEqual(['claude-opus-5-5', { effort: 'max' }])
    expect(sent.at(-1)!.model).toBe('claude-haiku-5-5')
  })

  test('runs in the background if it says so, and the report comes by a notification', async () => {
    const { results, sent } = await play({ header: { skills: apart({ background: true }) } })
    expect(results[0]!.text).toContain('was started in the background')
    expect(JSON.stringify(sent.at(-1)!.messages)).toContain('<task-notification>')
  })

  test('has its rules and hooks for as long as its agent works, and the caller never', async () => {
    const skills = apart({ allowedTools: [rule('Write')], hooks: on('PostToolUse', 'cat >> seen') })
    const permissions = { ...NONE, allow: [rule('Skill')] }
    const { cwd } = await play({ header: { skills, permissions }, lead: [callSkill('study'), write('lead')], helper: [write('helper')] })
    expect(['helper', 'lead'].map((name) => existsSync(join(cwd, name)))).toEqual([true, false])
    expect(readFileSync(join(cwd, 'seen'), 'utf8').match(/"agent_type":"\w+"/g)).toEqual(['"agent_type":"helper"'])
  })

  test('is refused where its agent is not there, too deep, outside a limit or denied by a rule about Agent', async () => {
    const one = async (played: Played): Promise<string> => (await play(played)).results[0]!.text
    expect(await one({ header: { skills: apart({ agent: 'helpr' }) } })).toContain('There is no agent "helpr". Did you mean helper?')
    expect(await one({ header: { skills: apart({ agent: 'fork' }) } })).toContain('not in a fork of the conversation')
    expect(await one({ header: { limits: { spawnDepth: 0, parallelReads: 1, resultChars: 9999 } } })).toContain('limits.spawnDepth')
    const limited = { lead: { tools: ['Skill', 'Agent'], spawns: ['other'] }, other: {} }
    expect(await one({ agents: limited })).toContain('lead allows only Agent(other)')
    expect(await one({ header: { permissions: { ...NONE, deny: [rule('Agent', { name: 'helper' })] } } })).toContain(
      'cannot be run in helper: denied by the rule Agent(helper)',
    )
    const asked = await play({ header: { permissions: { ...NONE, ask: [rule('Agent', { name: 'helper' })] } } })
    expect([asked.results[0]!.text.includes('nobody can be asked'), asked.result.denied, asked.below.length]).toEqual([true, true, 0])
  })

  test('can be verified', async () => {
    const manifest = manifestText({ lead: { tools: ['Skill'] }, helper: { tools: ['Read'] } }, { skills: apart() })
    const { url } = await fakeApi({
      rules: [
        { when: { system: 'You are lead' }, turns: [{ tools: [callSkill('study')] }, { text: 'end' }] },
        { when: { system: 'You are helper' }, turns: [{ text: 'All about it.' }] },
      ],
    })
    const cwd = await folder()
    expect(await agentcRun(['lead', 'go'], { cwd, url, manifest })).toMatchObject({ code: 0 })
    const kept = readManifest(readFileSync(join(runFolder(cwd), 'manifest.json'), 'utf8'))
    expect([...kept.agents.keys()]).toEqual(['helper', 'lead'])
    expect(verifyRun(transcriptOf(cwd), kept)).toMatchObject({ requests: 2, difference: undefined })
  })
})

describe('the rights of the agent of a skill', () => {
  test('are those of the caller at most: its mode, its deny rules, its caps, and what a skill at work denies', async () => {
    const wrote = async (lead: AgentParts, more: Played = {}): Promise<boolean> => {
      const agents = { lead: { tools: ['Skill', 'Write'], ...lead } }
      return existsSync(join((await play({ agents, helper: [write('a')], ...more })).cwd, 'a'))
    }
    expect(await wrote({})).toBe(true)
    expect(await wrote({ permissionMode: 'plan' })).toBe(false)
    expect(await wrote({ deny: [rule('Write')] })).toBe(false)
    expect(await wrote({ limits: [rule('Write', { path: 'b', anchor: 'cwd' })] })).toBe(false)
    const careful = skill('careful', { disallowedTools: [rule('Write')] })
    const { start, agents } = cast({ lead: { tools: ['Skill'] }, helper: { tools: ['Write'] } }, 'go', { skills: { ...apart(), careful } })
    const { url } = await fakeApi({
      rules: [
        { when: { system: 'You are lead' }, turns: [{ tools: [callSkill('careful')] }, { tools: [callSkill('study')] }, { text: 'end' }] },
        { when: { system: 'You are helper' }, turns: [{ tools: [write('a')] }, { text: 'done' }] },
      ],
    })
    const cwd = await folder()
    await ran(start, { cwd, url, agents })
    expect(existsSync(join(cwd, 'a'))).toBe(false)
  })

  test('where the caller has no tool Agent, include no tool that the caller has not', async () => {
    const without = await play({ agents: { lead: { tools: ['Skill'], spawns: [] } }, helper: [write('a')] })
    expect(existsSync(join(without.cwd, 'a'))).toBe(false)
    expect(JSON.stringify(without.below.at(-1)!.messages)).toContain('may not use Write')
    const withAgent = await play({ agents: { lead: { tools: ['Skill', 'Agent'] } }, helper: [write('a')] })
    expect(existsSync(join(withAgent.cwd, 'a'))).toBe(true)
    const withWrite = await play({ agents: { lead: { tools: ['Skill', 'Write'], spawns: [] } }, helper: [write('a')] })
    expect(existsSync(join(withWrite.cwd, 'a'))).toBe(true)
  })

  test('never widen, whatever the modes, rules and skills are', async () => {
    const { url, play: script } = await fakeApi({})
    const modes = fc.constantFrom<PermissionMode>('default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions')
    const lead = fc.record({ mode: modes, denies: fc.boolean(), capped: fc.boolean(), hasWrite: fc.boolean(), hasAgent: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(lead, modes, fc.boolean(), async ({ mode, denies, capped, hasWrite, hasAgent }, own, allows) => {
        const { start, agents } = cast(
          {
            lead: {
              tools: ['Skill', ...(hasWrite ? ['Write'] : []), ...(hasAgent ? ['Agent'] : [])],
              permissionMode: mode,
              spawns: hasAgent ? 'all' : [],
              deny: denies ? [rule('Write', { path: 'a', anchor: 'cwd' })] : [],
              limits: capped ? [rule('Write', { path: 'b', anchor: 'cwd' })] : [],
            },
            helper: { tools: ['Write'], permissionMode: own },
          },
          'go',
          { skills: apart(allows ? { allowedTools: [rule('Write')] } : {}), permissions: { ...NONE, allow: [rule('Skill')] } },
        )
        await script({
          rules: [
            { when: { system: 'You are lead' }, turns: [{ tools: [callSkill('study')] }, { text: 'end' }] },
            { when: { system: 'You are helper' }, turns: [{ tools: [write('a')] }, { text: 'done' }] },
          ],
        })
        const cwd = await folder()
        await ran(start, { cwd, url, agents })
        const wrote = existsSync(join(cwd, 'a'))
        if (mode === 'plan' || denies || capped || (!hasWrite && !hasAgent)) expect(wrote).toBe(false)
        if (!allows && mode !== 'acceptEdits' && mode !== 'bypassPermissions') expect(wrote).toBe(false)
        if (allows && mode === 'default' && own === 'default' && !denies && !capped && (hasWrite || hasAgent)) expect(wrote).toBe(true)
      }),
      { numRuns: 25 },
    )
  }, 60_000)
})

test('the agents of skills go with every agent, as a person may call a skill for it', () => {
  const agents = { lead: { tools: ['Read'], spawns: [] }, helper: {}, 'general-purpose': {}, other: {} }
  const names = (parts: HeaderParts) => closureNames(readManifest(manifestText(agents, parts)), 'lead', true)
  expect(names({ skills: apart(), commands: { x: skill('x', { context: 'fork' }) } })).toEqual(['general-purpose', 'helper', 'lead'])
  expect(names({ skills: { tone: skill('tone') } })).toEqual(['lead'])
})

describe('a person who calls such a skill', () => {
  const turns = [
    { when: { system: 'You are lead' }, turns: [{ text: 'It says: done.' }, { text: 'Again.' }] },
    { when: { system: 'You are helper' }, turns: [{ text: 'All about it.' }] },
  ]
  const manifest = manifestText(
    { lead: { tools: ['Read'], spawns: [] }, helper: { tools: ['Read'] } },
    { skills: apart({ content: 'Study $1.' }) },
  )

  test('has it run first, with the files that it mentions, and the agent is asked with the report', async () => {
    const { url, requests } = await fakeApi({ rules: turns })
    const cwd = await folder({ 'a.txt': 'about a' })
    const { code, stdout } = await agentcRun(['lead', '/study @a.txt'], { cwd, url, manifest })
    expect([code, stdout]).toEqual([0, expect.stringContaining('It says: done.')])
    const [below, asked] = await requests()
    expect(textsOf(below!.messages[0]!).at(-1)).toContain('Study @a.txt.\n\n<file path="a.txt">')
    const [, said, report] = textsOf(asked!.messages[0]!)
    expect(said).toBe('<command-name>/study</command-name>\n<command-args>@a.txt</command-args>')
    expect(report).toMatch(
      /^The user has called the skill study, which runs in an agent of its own.\n\nReport of the agent helper[^]*All about it./,
    )
    const kept = readManifest(readFileSync(join(runFolder(cwd), 'manifest.json'), 'utf8'))
    expect(verifyRun(transcriptOf(cwd), kept)).toMatchObject({ ended: true, difference: undefined })
  })

  test('has it run again if the run was cut off before its end, and else not', async () => {
    for (const [behind, runs] of [
      ['start', 2],
      ['arrival', 1],
    ] as const) {
      const { url, requests } = await fakeApi({ rules: turns })
      const cwd = await folder({ 'a.txt': 'about a' })
      await agentcRun(['lead', '/study x'], { cwd, url, manifest })
      const lines = transcriptOf(cwd).split('\n')
      const last = linesOf(cwd).findLastIndex(({ kind }) => kind === behind)
      writeFileSync(join(runFolder(cwd), 'transcript.jsonl'), `${lines.slice(0, last + 1).join('\n')}\n`)
      const { code } = await resultOf(['--resume', runId(cwd)], { cwd, url })
      const below = (await requests()).filter(({ system }) => system![0]!.text.includes('You are helper'))
      expect([code, below.length]).toEqual([0, runs])
      const kept = readManifest(readFileSync(join(runFolder(cwd), 'manifest.json'), 'utf8'))
      expect(verifyRun(transcriptOf(cwd), kept)).toMatchObject({ ended: true, difference: undefined })
    }
  })

  test('with the next prompt of a run too, and is told why it cannot be run', async () => {
    const { url, requests } = await fakeApi({ rules: turns })
    const cwd = await folder()
    const { result } = await resultOf(['lead', 'go'], { cwd, url, manifest })
    await resultOf(['--resume', result.run_id!, '/study x'], { cwd, url })
    expect(JSON.stringify((await requests()).at(-1)!.messages)).toContain('All about it.')
    const none = manifestText({ lead: { tools: ['Read'] } }, { skills: apart() })
    const { code } = await agentcRun(['lead', '/study x'], { cwd: await folder(), url, manifest: none })
    expect([code, JSON.stringify((await requests()).at(-1)!.messages)]).toEqual([
      0,
      expect.stringContaining('There is no agent \\"helper\\"'),
    ])
  })
})
