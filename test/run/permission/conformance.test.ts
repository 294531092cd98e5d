import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Mode } from '../../../runner/permission/asked.ts'
import { openWorkspace } from '../../../runner/workspace.ts'
import { expectPart } from '../../support/document.ts'
import { put, ROOT, temporary } from '../../support/tree.ts'
import { decided, type Lists, rightsOf } from './stage.ts'

interface Observation {
  tool: string
  input: Record<string, unknown>
  outcome: 'ok' | 'denied' | 'error' | 'not-offered' | 'none'
}
interface Recorded {
  settings: { permissions?: Lists }
  args: string[]
  results: Observation[]
}

const FOLDER = join(ROOT, 'test/conformance/permissions')

/** The tree of the observations. */
async function laid(): Promise<string> {
  const files = { 'src/a.ts': 'let', 'src/b.test.ts': '', '.env': 'SECRET=1', 'secrets/k.pem': 'k', 'README.md': 'a' }
  const root = temporary()
  for (const [path, text] of Object.entries(files)) put(root, `project/${path}`, text)
  put(root, 'outside/o.txt', 'o')
  await mkdir(join(root, 'home'))
  await symlink('../outside', join(root, 'project/link'))
  await symlink('../.env', join(root, 'project/src/envlink'))
  execFileSync('git', ['init', '-q'], { cwd: join(root, 'project') })
  return root
}

interface Row {
  file: string
  call: string
  theirs: string
  ours: string
  reason: string
  /** A deny rule forbids it: the real program has a hole there. */
  forbidden: boolean
}

/** Every observation that says something, with what agentc decides. In `file-plan.json` the rows after the first shell write say nothing. */
async function replayed(): Promise<Row[]> {
  const rows: Row[] = []
  for (const file of readdirSync(FOLDER).sort()) {
    const root = await laid()
    const recorded = JSON.parse(readFileSync(join(FOLDER, file), 'utf8').replaceAll('<ROOT>', root)) as Recorded
    const mode = (recorded.args[1] ?? 'default') as Mode
    const rights = rightsOf(recorded.settings.permissions ?? {}, await openWorkspace(join(root, 'project'), join(root, 'home')), mode)
    for (const { tool, input, outcome } of recorded.results) {
      if (outcome === 'none' || outcome === 'not-offered') continue
      const decision = await decided(tool, input, rights)
      const call = `${tool} ${String(input.command ?? input.file_path ?? input.pattern)}`.replaceAll(root, '')
      const reason = decision.reason.replaceAll(root, '')
      rows.push({
        file,
        call,
        theirs: outcome,
        ours: decision.allow ? 'ok' : 'denied',
        reason,
        forbidden: !decision.allow && decision.rule !== undefined,
      })
    }
  }
  return rows
}

let rows: Row[] = []
beforeAll(async () => {
  rows = await replayed()
})

test('no observation that the real program denied is allowed', () => {
  expect(rows.filter(({ theirs, ours }) => theirs === 'denied' && ours === 'ok')).toEqual([])
})

test('at least 95 of 100 observations that the real program allowed, and no deny rule forbids, are allowed', () => {
  const fine = rows.filter(({ theirs, forbidden }) => theirs === 'ok' && !forbidden)
  expect(fine.length).toBeGreaterThan(100)
  expect(fine.filter(({ ours }) => ours === 'ok').length / fine.length).toBeGreaterThanOrEqual(0.95)
})

test('the known holes of the real program are closed', () => {
  const holes = ['find . -exec rm {} +', 'eval rm x', 'git -C . push', 'busybox rm x']
  for (const call of holes)
    expect(rows.find((row) => row.file === 'bash-deny.json' && row.call === `Bash ${call}`)?.ours, call).toBe('denied')
  expect(rows.filter(({ call, file }) => call === 'Bash cp .env z' && file === 'file-bypass.json').map(({ ours }) => ours)).toEqual([
    'denied',
  ])
})

test('every difference is a row of the table in ARCHITECTURE.md; UPDATE=1 writes it', () => {
  const differ = rows.filter(({ theirs, ours }) => (theirs === 'denied') !== (ours === 'denied'))
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', '↵')
  const lines = differ.map(({ file, call, theirs, reason }) => `| ${file} | \`${cell(call)}\` | ${theirs} | denied: ${cell(reason)} |`)
  expectPart(
    'ARCHITECTURE.md',
    'permission-differences',
    ['| observed in | call | there | here |', '|---|---|---|---|', ...lines].join('\n'),
  )
})
