import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import type { ModelRequest } from '../../../runner/message.ts'
import { verifyRun } from '../../../runner/transcript/verify.ts'
import { call, cast } from '../delegation/stage.ts'
import { agentcRun, linesOf, runFolder, runId, transcriptOf } from '../kept.ts'
import { manifestText, startOf } from '../manifest-fixture.ts'
import { fakeApi, folder } from '../stage.ts'
import { ran, rule, skill, skills, textsOf } from './stage.ts'

/** The first message, without the environment. */
const first = (request: ModelRequest): string[] => textsOf(request.messages[0]!).slice(1)

describe('the skills of an agent', () => {
  test('stand before its task, each with its folder, without anything being called', async () => {
    const header = { skills: { tone: skill('tone', { content: 'In ${CLAUDE_SKILL_DIR}: $ARGUMENTS.' }), 'kit:report': skill('report') } }
    const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
    const agent = { skills: ['tone', 'kit:report'], initialPrompt: 'First.', tools: ['Read'] }
    const { result } = await ran(startOf(agent, 'go', header), { cwd: await folder({ '.git/HEAD': '' }), url })
    expect(first((await requests())[0]!)).toEqual([
      '<skill name="tone" folder=".claude/skills/tone">\nIn .claude/skills/tone: .\n</skill>',
      '<skill name="kit:report" folder=".claude/skills/report">\nText of report.\n</skill>',
      'First.',
      'go',
    ])
    expect(result.terminal_reason).toBe('completed')
  })

  test('bring nothing but their text: neither rules nor a model nor hooks', async () => {
    const greedy = skill('greedy', { allowedTools: [rule('Write')], model: 'claude-opus-5-5' })
    const { url, requests } = await fakeApi({ turns: [{ tool: 'Write', input: { file_path: 'a', content: 'x' } }, { text: 'ok' }] })
    const start = startOf({ skills: ['greedy'], tools: ['Write'] }, 'go', {
      skills: { greedy },
      permissions: { allow: [], ask: [], deny: [] },
    })
    const { result } = await ran(start, { cwd: await folder(), url })
    expect(result.permission_denials).toHaveLength(1)
    expect((await requests()).map(({ model }) => model)).toEqual(['claude-haiku-5-5', 'claude-haiku-5-5'])
  })

  test('run the commands in their text under the agent’s rights; one that may not run leaves its skill out, and that is said', async () => {
    const header = {
      skills: {
        good: skill('good', { content: 'Now !`cat a.txt`' }),
        bad: skill('bad', { content: 'Now !`cat b.txt`' }),
        secret: skill('secret', { disableModelInvocation: true }),
        denied: skill('denied'),
      },
      permissions: { allow: [], ask: [], deny: [rule('Bash', { exact: 'cat b.txt' }), rule('Skill', { name: 'denied' })] },
    }
    const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
    const agent = { skills: ['good', 'bad', 'secret', 'denied', 'gone'], tools: ['Bash'] }
    const { events } = await ran(startOf(agent, 'go', header), { cwd: await folder({ 'a.txt': 'A', 'b.txt': 'B' }), url })
    expect(first((await requests())[0]!)).toEqual([expect.stringContaining('Now A'), 'go'])
    const said = (events as { code?: string; message?: string }[]).flatMap(({ code, message }) => (code === 'skills' ? [message!] : []))
    expect(said).toEqual([
      expect.stringMatching(/^the skill bad is not put before the task of worker: its command "cat b.txt" did not run: Permission denied/),
      'the skill secret is not put before the task of worker: it is for people only (disable-model-invocation)',
      'the skill denied is not put before the task of worker: denied by the rule Skill(denied) (settings.json:1)',
      'the skill gone is not put before the task of worker: the manifest does not hold it',
    ])
  })

  test('are put before the task of a sub-agent too, and a fork has what its parent has', async () => {
    const { start, agents } = cast({ lead: { tools: ['Agent'], skills: ['tone'] }, helper: { skills: ['report'] } }, 'go', {
      skills: skills('tone', 'report'),
    })
    const calls = [
      call('Agent', { description: 'd', prompt: 'help', subagent_type: 'helper' }),
      call('Agent', { description: 'd', prompt: 'split', subagent_type: 'fork' }),
    ]
    const { url, requests } = await fakeApi({
      rules: [
        { when: { last_user: 'You are a fork' }, turns: [{ text: 'forked' }, { text: 'forked' }] },
        { when: { system: 'You are lead' }, turns: [{ content: calls }, { text: 'end' }] },
        { when: { system: 'You are helper' }, turns: [{ text: 'helped' }] },
      ],
    })
    await ran(start, { cwd: await folder(), url, agents })
    const all = await requests()
    const helper = all.find(({ system }) => system![0]!.text.includes('You are helper'))!
    expect(first(helper)).toEqual([expect.stringContaining('Text of report.'), 'help'])
    const fork = all.find(({ messages }) => JSON.stringify(messages.at(-1)).includes('You are a fork'))!
    expect(JSON.stringify(fork.messages).split('Text of tone.')).toHaveLength(2)
  })

  test('are in the transcript, so that a run that goes on needs nothing anew', async () => {
    const tone = skill('tone', { content: 'Now !`date`', origin: { source: 'user', path: 'skills/tone/SKILL.md' } })
    const manifest = manifestText({ worker: { tools: ['Bash'], skills: ['tone'] } }, { skills: { tone } })
    const { url, requests } = await fakeApi({ turns: [{ text: 'one' }, { text: 'two' }] })
    const cwd = await folder()
    await agentcRun(['worker', 'go'], { cwd, url, manifest })
    await agentcRun(['--resume', runId(cwd), 'more'], { cwd, url })
    const [one, two] = await requests()
    expect(first(two!)).toEqual(first(one!))
    expect(JSON.stringify(linesOf(cwd)[0])).toContain('"preloaded":[{"name":"tone"')
    const kept = readManifest(readFileSync(join(runFolder(cwd), 'manifest.json'), 'utf8'))
    expect(verifyRun(transcriptOf(cwd), kept)).toMatchObject({ requests: 2, difference: undefined })
  })
})
