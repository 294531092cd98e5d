import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunResult } from '../../../runner/index.ts'
import { agentc, agents, project } from '../../support/bin.ts'
import { put } from '../../support/tree.ts'
import { fakeApi } from '../stage.ts'

/** Powers of a project in runs of the real program: they count when it is trusted, and only then. */

const SETTINGS = {
  env: { STAGE: 'from the project', HOME: '/nowhere', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9', API_TOKEN: '${API_TOKEN}' },
  permissions: { allow: ['Bash(printenv:*)', 'Edit(src/**)'], defaultMode: 'acceptEdits', additionalDirectories: ['../further'] },
}

async function ran(settings: object, tools: { name: string; input: object }[], argv: string[] = []) {
  const cwd = project({ ...agents({ worker: ['tools: Bash, Read, Write'] }), '.claude/settings.json': JSON.stringify(settings) })
  put(cwd, '../further/o.txt', 'needle\n')
  put(cwd, '../home/.claude/settings.json', JSON.stringify({ permissions: { allow: ['Bash(printenv:*)'] } }))
  const api = await fakeApi({ turns: [{ tools }, { text: 'done' }] })
  const env = { ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: api.url, API_TOKEN: 'mine' }
  const { out, err } = await agentc(['run', 'worker', 'go', '--format', 'json', ...argv], { cwd, env })
  const { permission_denials: denials } = JSON.parse(out) as RunResult
  const said = JSON.stringify((await api.requests()).at(-1)!.messages.at(-1))
  return { denied: denials.map(({ tool_name: name }) => name), said, err, home: join(cwd, '../home') }
}

const print = { name: 'Bash', input: { command: 'printenv STAGE' } }
const further = { name: 'Read', input: { file_path: '../further/o.txt' } }
const write = { name: 'Write', input: { file_path: 'a.txt', content: 'x' } }

test('a project that is not trusted gives no variables, no folders and no mode, and that is said', async () => {
  const { denied, said, err } = await ran(SETTINGS, [print, further, write])
  expect(denied).toEqual(['Read', 'Write'])
  expect(said).not.toContain('from the project')
  expect(err).toMatch(
    /^agentc: The project is not trusted, so these of its settings do not count: allow \(2\), directory \(1\), env \(\d\), mode \(1\)\./,
  )
})

test('one that is trusted does', async () => {
  const { denied, said } = await ran(SETTINGS, [print, further, write], ['--trust'])
  expect(denied).toEqual([])
  expect(said).toContain('from the project')
  expect(said).toContain('needle')
})

test('variables of settings leave alone who pays and where home is; a secret there is the person’s own', async () => {
  const { said, home } = await ran(SETTINGS, [{ name: 'Bash', input: { command: 'printenv HOME; printenv API_TOKEN' } }], ['--trust'])
  expect(said).toContain(home.replace('/project/..', ''))
  expect(said).not.toContain('${API_TOKEN}')
})
