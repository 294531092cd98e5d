import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { recipeFor } from '../../../runner/compact/recipe.ts'
import { withSummary } from '../../../runner/compact/summary.ts'
import { patched, withoutSkills, withReply, withResults } from '../../../runner/context.ts'
import { begin } from '../../../runner/endings.ts'
import type { Reply } from '../../../runner/message.ts'
import { builtInTools } from '../../../runner/tools/registry.ts'
import { verifyRun } from '../../../runner/transcript/verify.ts'
import { NO_USAGE } from '../../../runner/usage.ts'
import { agentcRun, linesOf, resultOf, runFolder, runId, transcriptOf } from '../kept.ts'
import { manifestText, startOf } from '../manifest-fixture.ts'
import { fakeApi, folder } from '../stage.ts'
import { callSkill, ran, rule, skill, skills, textsOf } from './stage.ts'

const user = { source: 'user' as const, path: 'skills/x/SKILL.md' }

describe('a compaction', () => {
  const seams = {
    tools: builtInTools,
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    ids: { session: () => 's' },
    environment: { cwd: '/w', platform: 'linux', git: false },
  }
  const reply = (name: string): Reply => ({
    type: 'reply',
    id: name,
    model: 'claude-haiku-5-5',
    content: [{ type: 'tool_use', id: name, name: 'Skill', input: { skill: name } }],
    stop_reason: 'tool_use',
    usage: NO_USAGE,
    broken: {},
  })

  test('keeps the text of every skill that was called, each once, and what holds while it is at work', () => {
    const start = { ...startOf({ autoCompactWindow: 8000 }, 'go'), preloaded: [{ name: 'tone', text: 'Be plain.' }] }
    let { context } = begin(start, seams)
    for (const name of ['deploy', 'tone', 'filler', 'filler', 'filler', 'deploy']) {
      const text = name === 'tone' ? 'Be plain.' : `Text of ${name}. ${'x'.repeat(name === 'filler' ? 8000 : 0)}`
      const block = { type: 'tool_result' as const, tool_use_id: name, content: 'It follows.' }
      const patch = {
        skill: { name, text, folder: `skills/${name}` },
        ...(name === 'deploy' && { atWork: { name, allow: [rule('Write')] }, model: 'claude-opus-5-5' }),
      }
      context = withResults(withReply(context, reply(name)), {
        blocks: [block],
        messages: [text],
        patches: [patch],
        denials: [],
        unanswered: false,
      })
    }
    const recipe = recipeFor({ ...context, counted: undefined }, 'tokens', 10_000, {})!
    const summary: Reply = { ...reply('s'), content: [{ type: 'text', text: 'All that was done.' }], stop_reason: 'end_turn' }
    const after = withSummary(context, recipe, summary)
    const first = textsOf(after.messages[0]!)
    expect(first.slice(1).map((text) => text.slice(0, 60).split('\n')[0])).toEqual([
      '<skill name="tone">',
      'go',
      '<summary>',
      '<skill name="filler" folder="skills/filler">',
      '<skill name="deploy" folder="skills/deploy">',
    ])
    expect([after.atWork, after.prefix.model]).toEqual([[{ name: 'deploy', allow: [rule('Write')] }], 'claude-opus-5-5'])
    expect(withoutSkills(after)).toMatchObject({ prefix: { model: 'claude-haiku-5-5' } })
    expect(withoutSkills(after).atWork).toBeUndefined()
  })

  test('two skills with models: the last counts, and the agent’s own comes back', () => {
    const { context } = begin(startOf({ effort: 'low' }, 'go'), seams)
    const both = [{ model: 'a' }, { model: 'b', effort: 'max' as const }].reduce(patched, context)
    expect([both.prefix.model, both.prefix.output_config]).toEqual(['b', { effort: 'max' }])
    expect(withoutSkills(both).prefix).toBe(context.prefix)
  })

  test('of a whole run leaves the skill in the request that follows', async () => {
    const long = { name: 'Read', input: { file_path: 'long.txt' } }
    const { url, requests } = await fakeApi({
      rules: [{ when: { last_user: 'Write a summary' }, turns: [{ text: 'SUMMARY' }] }],
      turns: [{ tools: [callSkill('deploy')] }, ...Array.from({ length: 6 }, () => ({ tools: [long] })), { text: 'done' }],
    })
    const cwd = await folder({ 'long.txt': `${'line of text\n'.repeat(700)}` })
    const manifest = manifestText({ worker: { tools: ['Read', 'Skill'], autoCompactWindow: 6000 } }, { skills: skills('deploy') })
    await agentcRun(['worker', 'go'], { cwd, url, manifest })
    const compacted = (await requests()).filter(({ messages }) => JSON.stringify(messages[0]).includes('SUMMARY'))
    expect(compacted.length).toBeGreaterThan(0)
    expect(textsOf(compacted[0]!.messages[0]!).join('\n')).toContain(
      '<skill name="deploy" folder=".claude/skills/deploy">\nText of deploy.\n</skill>',
    )
    const kept = readManifest(manifest)
    expect(verifyRun(transcriptOf(cwd), kept).difference).toBeUndefined()
  })
})

test('a recording of a run with skills is replayed in another folder, to the letter', async () => {
  const status = skill('status', { content: 'Now: !`cat a.txt` in ${CLAUDE_SKILL_DIR}' })
  const start = startOf({ tools: ['Bash', 'Skill'], skills: ['tone'] }, 'go', { skills: { status, ...skills('tone') } })
  const { url, requests } = await fakeApi({ turns: [{ tools: [callSkill('status')] }, { text: 'done' }] })
  let recording = ''
  const first = await ran(start, { cwd: await folder({ 'a.txt': 'A' }), url, record: (line) => void (recording += line) })
  const second = await ran(start, { cwd: await folder({ 'a.txt': 'A' }), replay: recording })
  expect([second.result.terminal_reason, second.result.result, second.rest]).toEqual(['completed', first.result.result, 0])
  expect(JSON.stringify((await requests())[1]!.messages)).toContain('Now: A in .claude/skills/status')
  const other = await ran(start, { cwd: await folder({ 'a.txt': 'B' }), replay: recording })
  expect(other.result.terminal_reason).toBe('replay_mismatch')
})

describe('a run that was killed', () => {
  const origin = user
  const header = {
    skills: { tone: skill('tone', { model: 'claude-opus-5-5' }), status: skill('status', { content: '!`echo x >> log`', origin }) },
  }
  const manifest = manifestText({ worker: { tools: ['Bash', 'Skill'] } }, header)

  /** A run whose transcript is cut right behind the last line that `keep` takes. */
  const cut = async (name: string, keep: (kind: string) => boolean) => {
    const { url, requests } = await fakeApi({ turns: [{ tools: [callSkill(name)] }, { text: 'ok' }] })
    const cwd = await folder()
    await agentcRun(['worker', 'go'], { cwd, url, manifest })
    const lines = transcriptOf(cwd).split('\n')
    const last = linesOf(cwd).findLastIndex(({ kind }) => keep(kind))
    writeFileSync(join(runFolder(cwd), 'transcript.jsonl'), `${lines.slice(0, last + 1).join('\n')}\n{"kind":"tool_e`)
    const { code } = await resultOf(['--resume', runId(cwd)], { cwd, url })
    const ends = linesOf(cwd).flatMap((line) => (line.kind === 'tool_end' ? [line] : []))
    const kept = readManifest(manifest)
    return { code, ends, sent: (await requests()).at(-1)!, verdict: verifyRun(transcriptOf(cwd), kept) }
  }

  test('between the call and its messages runs a skill that is only text again', async () => {
    const { code, ends, sent, verdict } = await cut('tone', (kind) => kind === 'tool_start')
    expect([code, ends.length, ends[0]!.repair, sent.model]).toEqual([0, 1, undefined, 'claude-opus-5-5'])
    expect(textsOf(sent.messages.at(-1)!)).toEqual(['The skill tone follows.', expect.stringContaining('Text of tone.')])
    expect(verdict).toMatchObject({ ended: true, difference: undefined })
  })

  test('between its messages and the next request has them still', async () => {
    const { code, ends, sent, verdict } = await cut('tone', (kind) => kind === 'tool_end')
    expect([code, ends.length, sent.model]).toEqual([0, 1, 'claude-opus-5-5'])
    expect(textsOf(sent.messages.at(-1)!)[1]).toContain('Text of tone.')
    expect(verdict).toMatchObject({ ended: true, difference: undefined })
  })

  test('while commands of a skill were at work leaves it to the model', async () => {
    const { ends } = await cut('status', (kind) => kind === 'tool_start')
    expect(ends).toMatchObject([{ repair: 'interrupted', is_error: true }])
  })
})
