import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunResult } from '../../../runner/index.ts'
import { resultText } from '../../../runner/message.ts'
import { agent, agentc } from '../../support/bin.ts'
import { expectPart } from '../../support/document.ts'
import { git } from '../../support/git.ts'
import { link, put, ROOT, temporary } from '../../support/tree.ts'
import { fakeApi } from '../stage.ts'
import type { Lists } from './stage.ts'

/** What the real program did (test/conformance/README.md), played through `agentc run`: rules in a settings file, calls from a scripted model. */
interface Recorded {
  settings: { permissions?: Lists }
  args: string[]
  results: { tool: string; input: Record<string, unknown>; outcome: 'ok' | 'denied' | 'error' | 'not-offered' | 'none' }[]
}

interface Row {
  file: string
  call: string
  theirs: string
  ours: 'ok' | 'denied' | 'error'
  reason: string
}

const FOLDER = join(ROOT, 'test/conformance/permissions')

/** The tree of the observations. The settings are those of this working copy, so that no file of the observations is in their way. */
function laid(settings: Recorded['settings']): string {
  const root = temporary()
  const files = { 'src/a.ts': 'let a', 'src/b.test.ts': '', '.env': 'SECRET=1', 'secrets/k.pem': 'k', 'README.md': 'a' }
  for (const [path, text] of Object.entries(files)) put(root, `project/${path}`, text)
  put(root, 'project/.claude/settings.local.json', JSON.stringify(settings))
  put(root, 'project/.claude/agents/observer.md', agent('observer', 'tools: Bash, Edit, Read, Write'))
  put(root, 'outside/o.txt', 'o')
  put(root, 'home/.profile', '')
  link(root, 'project/link', '../outside')
  link(root, 'project/src/envlink', '../.env')
  git(join(root, 'project'), 'init', '-q', '--template=')
  return root
}

/** Every observation that says something, with what came of the same call. All calls are one reply, so all are decided on the same tree. */
async function replayed(file: string): Promise<Row[]> {
  const given = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Recorded
  const root = laid(given.settings)
  const { results, args } = JSON.parse(JSON.stringify(given).replaceAll('<ROOT>', root)) as Recorded
  const asked = results.filter(({ outcome }) => outcome !== 'none' && outcome !== 'not-offered')
  // What is to be written is known to the agent, so that only the rules decide.
  const before = ['src/a.ts', 'src/b.test.ts'].map((file_path, at) => ({ id: `before_${at}`, name: 'Read', input: { file_path } }))
  const tools = asked.map(({ tool, input }, at) => ({ id: `call_${at}`, name: tool, input }))
  const api = await fakeApi({ turns: [{ tools: before }, { tools }, { text: 'done' }] })
  const env = { HOME: join(root, 'home'), ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key-0123456789' }
  const argv = ['run', 'observer', 'go', '--trust', '--format', 'json', ...args]
  const ran = await agentc(argv, { cwd: join(root, 'project'), env })
  const { permission_denials: denials } = JSON.parse(ran.out) as RunResult
  const answers = (await api.requests())
    .at(-1)!
    .messages.at(-1)!
    .content.filter((block) => block.type === 'tool_result')
  expect(answers).toHaveLength(tools.length)
  expect(
    (await api.requests())
      .at(-1)!
      .messages.at(-2)!
      .content.filter(({ type }) => type === 'tool_use'),
  ).toHaveLength(tools.length)
  return asked.map(({ tool, input, outcome }, at) => {
    const answer = answers[at]!
    const denied = denials.some(({ tool_use_id: id }) => id === `call_${at}`)
    const call = `${tool} ${String(input.command ?? input.file_path)}`.replaceAll(root, '')
    const ours = denied ? 'denied' : answer.is_error === true ? 'error' : 'ok'
    return {
      file,
      call,
      theirs: outcome,
      ours,
      reason: resultText(answer)
        .replaceAll(root, '')
        .split('\n')[0]!
        .replace(/^Permission denied: /, ''),
    }
  })
}

const rows: Row[] = []

describe('the observations, played through agentc run', () => {
  test.each(readdirSync(FOLDER).sort())('%s is played', async (file) => {
    rows.push(...(await replayed(file)))
  })

  test('no call that the real program denied is run', () => {
    expect(rows.length).toBeGreaterThan(300)
    expect(rows.filter(({ theirs, ours }) => theirs === 'denied' && ours !== 'denied')).toEqual([])
  })

  test('at least 95 of 100 calls that it ran are allowed', () => {
    const fine = rows.filter(({ theirs }) => theirs === 'ok')
    expect(fine.length).toBe(125)
    expect(fine.filter(({ ours }) => ours !== 'denied').length / fine.length).toBeGreaterThanOrEqual(0.95)
  })

  test.each([
    ['bash-deny.json', 'Bash find . -exec rm {} +'],
    ['bash-deny.json', 'Bash eval rm x'],
    ['bash-deny.json', 'Bash git -C . push'],
    ['bash-deny.json', 'Bash busybox rm x'],
    ['file-bypass.json', 'Bash cp .env z'],
    ['file-bypass.json', 'Bash head src/envlink'],
    ['file-bypass.json', 'Read /project/src/envlink'],
  ])('a hole of the real program is closed, or was none: %s, %s', (file, call) => {
    expect(rows.filter((row) => row.file === file && row.call === call).map(({ ours }) => ours)).toEqual(['denied'])
  })

  test('every difference is a row of the table in ARCHITECTURE.md; UPDATE=1 writes it', () => {
    // A program that this machine lacks says nothing about a decision.
    const failed = ({ theirs, ours, reason }: Row): boolean => theirs === 'ok' && ours === 'error' && !reason.includes('command not found')
    const differ = rows.filter((row) => (row.theirs === 'denied') !== (row.ours === 'denied') || failed(row))
    const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', '↵')
    const lines = differ.map(
      ({ file, call, theirs, ours, reason }) => `| ${file} | \`${cell(call)}\` | ${theirs} | ${ours}: ${cell(reason)} |`,
    )
    expectPart(
      'ARCHITECTURE.md',
      'permission-differences',
      ['| observed in | call | there | here |', '|---|---|---|---|', ...lines].join('\n'),
    )
  })
})
