import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../schemas/manifest.ts'
import { verifyRun } from '../../../runner/transcript/verify.ts'
import { agentcRun, linesOf, runFolder, transcriptOf } from '../kept.ts'
import { manifestText, startOf } from '../manifest-fixture.ts'
import { fakeApi, folder, toolResults } from '../stage.ts'
import { ran, callSkill, described, skill, skills, textsOf } from './stage.ts'

const worker = { tools: ['Bash', 'Read', 'Skill'] }

describe('a skill that is called', () => {
  test('stands behind the results of its reply, with its folder and its arguments, and the call itself says so in a line', async () => {
    const deploy = skill('deploy', { content: 'Deploy $1 by ${CLAUDE_SKILL_DIR}/go.sh in ${CLAUDE_SESSION_ID}.' })
    const { url, requests } = await fakeApi({ turns: [{ tools: [callSkill('deploy', 'web'), { name: 'Read', input: { file_path: 'a.txt' } }] }, { text: 'ok' }] }) // prettier-ignore
    const cwd = await folder({ 'a.txt': 'A', '.git/HEAD': '' })
    await ran(startOf({ ...worker, reminder: 'Stay calm.' }, 'go', { skills: { deploy } }), { cwd, url })
    expect(textsOf((await requests())[1]!.messages.at(-1)!)).toEqual([
      'The skill deploy follows.',
      '1\tA',
      '<skill name="deploy" folder=".claude/skills/deploy">\nDeploy web by .claude/skills/deploy/go.sh in run-of-skills.\n</skill>',
      '<system-reminder>\nStay calm.\n</system-reminder>',
    ])
  })

  test('may be a command, and may be called with a leading slash; a plugin’s has its name before it', async () => {
    const header = { commands: skills('review'), skills: { 'kit:report': skill('report') } }
    const { url, requests } = await fakeApi({ turns: [{ tools: [callSkill('/review'), callSkill('kit:report')] }, { text: 'ok' }] })
    await ran(startOf(worker, 'go', header), { cwd: await folder(), url })
    const texts = textsOf((await requests())[1]!.messages.at(-1)!).join('\n')
    expect(texts).toContain('Text of review.')
    expect(texts).toContain('Text of report.')
  })

  test('that there is not, or that is for people only, is refused without asking anybody', async () => {
    const header = { skills: { ...skills('deploy'), secret: skill('secret', { disableModelInvocation: true }) } }
    const { url } = await fakeApi({
      turns: [{ tools: ['deplyo', 'constructor', 'secret'].map((name) => callSkill(name)) }, { text: 'ok' }],
    })
    const { events, result } = await ran(startOf(worker, 'go', header), { cwd: await folder(), url })
    expect(toolResults(events)).toEqual([
      { text: 'There is no skill "deplyo". Did you mean deploy? There are: deploy.', isError: true },
      { text: 'There is no skill "constructor". There are: deploy.', isError: true },
      { text: 'The skill secret is for people only (disable-model-invocation): a person has to call it by /secret.', isError: true },
    ])
    expect(result.denied).toBe(false)
  })

  test('says what of its wishes does not count', async () => {
    const header = { skills: { deep: skill('deep', { effort: 90, contextWindow: '1m', model: 'gpt-5' }) } }
    const { url, requests } = await fakeApi({ turns: [{ tools: [callSkill('deep')] }, { text: 'ok' }] })
    const { events } = await ran({ ...startOf(worker, 'go', header), maxBudgetUsd: 5 }, { cwd: await folder(), url })
    expect(toolResults(events)[0]!.text.split('\n')).toEqual([
      'The skill deep follows.',
      '[agentc: its model gpt-5 does not count: its price is not known, and the run has a limit in US dollars]',
      '[agentc: its effort 90 is not sent: the API knows levels, not numbers]',
      '[agentc: a context window of 1m is not asked for]',
    ])
    expect((await requests())[1]!.model).toBe('claude-haiku-5-5')
  })
})

describe('the commands in its text', () => {
  const status = (more = {}) => ({ status: skill('status', { content: 'Now: !`cat a.txt`\nArgs: $1', ...more }) })

  test('are calls of Bash: their output takes their place, and no argument becomes one', async () => {
    const { url, requests } = await fakeApi({ turns: [{ tools: [callSkill('status', '!`echo no`')] }, { text: 'ok' }] })
    await ran(startOf(worker, 'go', { skills: status() }), { cwd: await folder({ 'a.txt': 'all well' }), url })
    const frame = textsOf((await requests())[1]!.messages.at(-1)!)[1]
    expect(frame).toContain('Now: all well\nArgs: !`echo')
  })

  test('one that a rule denies refuses the skill, which counts as a denied call', async () => {
    const deny = [{ tool: 'Bash', match: { prefix: ['cat'] } }]
    const { url } = await fakeApi({ turns: [{ tools: [callSkill('status')] }, { text: 'ok' }] })
    const { events, result } = await ran(startOf(worker, 'go', { skills: status(), permissions: { allow: [], ask: [], deny } }), {
      cwd: await folder({ 'a.txt': 'A' }),
      url,
    })
    expect(toolResults(events)[0]).toMatchObject({
      text: expect.stringContaining(
        'The skill status cannot be used: its command "cat a.txt" did not run: Permission denied: denied by the rule Bash(cat:*)',
      ),
      isError: true,
    })
    expect(result.permission_denials).toMatchObject([{ tool_name: 'Skill' }])
    expect(result.denied).toBe(false)
  })

  test('of an agent without Bash they do not run, nor those for PowerShell', async () => {
    const { url, play } = await fakeApi({})
    const one = async (tools: string[], more = {}) => {
      await play({ turns: [{ tools: [callSkill('status')] }, { text: 'ok' }] })
      const { events } = await ran(startOf({ tools }, 'go', { skills: status(more) }), { cwd: await folder({ 'a.txt': 'A' }), url })
      return toolResults(events)[0]!.text
    }
    expect(await one(['Skill'])).toContain('did not run: This agent may not use Bash.')
    expect(await one(['Skill', 'Bash'], { shell: 'powershell' })).toContain('its commands are for PowerShell')
  })
})

describe('the list of skills in the description of the tool', () => {
  const listed = async (header: Parameters<typeof startOf>[2], agent = {}) => {
    const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
    await ran(startOf({ ...worker, ...agent }, 'go', header), { cwd: await folder(), url })
    return described((await requests())[0]!, 'Skill')
      .split('\n')
      .slice(3)
  }

  test('has names and descriptions in order, with what files they are for; not those for people only, nor what a rule hides', async () => {
    const header = {
      skills: {
        zoom: skill('zoom', { whenToUse: 'When\n it is far.', paths: ['src/**'] }),
        ask: skill('ask', { userInvocable: false }),
        secret: skill('secret', { disableModelInvocation: true }),
        'kit:a': skill('a'),
        gone: skill('gone'),
      },
      commands: { review: skill('review'), ask: skill('loses') },
      permissions: { allow: [], ask: [], deny: [{ tool: 'Skill', match: { namePrefix: 'kit:' } }] },
    }
    expect(await listed(header, { deny: [{ tool: 'Skill', match: { name: 'gone' } }] })).toEqual([
      '- ask: Does ask',
      '- review: Does review',
      '- zoom: Does zoom When it is far. (for files that fit src/**)',
    ])
  })

  test('has room for 16,000 characters: descriptions are cut alike, then left out, then the rest is counted', async () => {
    const many = (count: number, chars: number) => ({
      skills: Object.fromEntries(Array.from({ length: count }, (_, at) => [`skill-${at}`, skill('x', { description: 'd'.repeat(chars) })])),
    })
    const size = (lines: string[]): number => lines.join('\n').length
    const one = await listed(many(1, 5000))
    expect(one[0]!.length).toBe('- skill-0: '.length + 1536)
    const cut = await listed(many(100, 1000))
    expect([cut.length, size(cut) <= 16_000, cut[0]!.length > 100]).toEqual([100, true, true])
    const names = await listed(many(900, 1000))
    expect([names.length, names[0]]).toEqual([900, '- skill-0'])
    const more = await listed(many(3000, 1000))
    expect(size(more)).toBeLessThan(16_100)
    expect(more.at(-1)).toBe(`and ${3000 - (more.length - 1)} more`)
  })
})

test('the first event of a run says what the agent and what a person may call', async () => {
  const header = {
    skills: {
      tone: skill('tone', { userInvocable: false }),
      secret: skill('secret', { disableModelInvocation: true }),
      gone: skill('gone'),
    },
    commands: skills('review'),
    permissions: { allow: [], ask: [], deny: [{ tool: 'Skill', match: { name: 'gone' } }] },
  }
  const { url } = await fakeApi({ turns: [{ text: 'ok' }] })
  const of = async (tools: string[]) => (await ran(startOf({ tools }, 'go', header), { cwd: await folder(), url })).events[0]
  expect(await of(['Skill'])).toMatchObject({ skills: ['review', 'tone'], slash_commands: ['gone', 'review', 'secret'] })
  expect(await of(['Read'])).toMatchObject({ skills: [], slash_commands: ['gone', 'review', 'secret'] })
})

describe('kept', () => {
  const origin = { source: 'user' as const, path: 'skills/deploy/SKILL.md' }
  const header = { skills: { deploy: skill('deploy', { content: 'Deploy: !`cat a.txt`', origin }), tone: skill('tone') } }
  const manifest = manifestText({ worker: { tools: ['Bash', 'Read', 'Skill'] } }, header)

  test('what a skill put into the conversation is in the transcript, and every request can be derived again', async () => {
    const { url } = await fakeApi({ turns: [{ tools: [callSkill('tone'), callSkill('deploy')] }, { text: 'ok' }] })
    const cwd = await folder({ 'a.txt': 'A' })
    expect(await agentcRun(['worker', 'go'], { cwd, url, manifest })).toMatchObject({ code: 0 })
    const ends = linesOf(cwd).flatMap((line) => (line.kind === 'tool_end' ? [line] : []))
    expect(ends.map(({ messages, patch }) => [messages?.length, patch?.skill?.name])).toEqual([
      [1, 'tone'],
      [1, 'deploy'],
    ])
    expect(ends[1]!.messages![0]).toContain('Deploy: exit 0')
    const kept = readManifest(readFileSync(join(runFolder(cwd), 'manifest.json'), 'utf8'))
    expect(verifyRun(transcriptOf(cwd), kept)).toEqual({ requests: 2, ended: true, difference: undefined })
  })
})
