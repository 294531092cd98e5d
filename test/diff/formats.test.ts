import { Ajv } from 'ajv'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DiffReport } from '../../schemas/shapes/output.ts'
import { agent } from '../support/bin.ts'
import { ROOT } from '../support/tree.ts'
import { repository } from './repository.ts'

/** A name that tries to be markup, a mention, a workflow command and a second line. */
const HOSTILE = '@all `x` | **b** <img src=x> ::error::%0A'

function changed() {
  const repo = repository()
  repo.put('.claude/agents/reviewer.md', agent('reviewer', 'tools: Read, Bash', 'model: haiku'))
  repo.put('.claude/agents/hostile.md', `---\nname: ${JSON.stringify('@all `x` | **b** <img src=x>')}\ndescription: d\n---\n\np\n`)
  return repo
}

describe('formats of agentc diff', () => {
  test('json is what schemas/diff.schema.json describes', async () => {
    const { out, code } = await changed().diff(['main', '--format', 'json'])
    const schema = JSON.parse(readFileSync(join(ROOT, 'schemas/diff.schema.json'), 'utf8')) as object
    const validate = new Ajv({ strict: false }).compile(schema)
    const report = JSON.parse(out) as DiffReport
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
    expect(code).toBe(0)
    expect(report).toMatchObject({ old: 'main', new: 'working tree', leftOut: { old: [], new: [] }, summary: { gains: 2, others: 1 } })
    expect(report.changes.at(1)).toMatchObject({
      kind: 'tools',
      change: 'added',
      gain: true,
      agent: 'reviewer',
      items: ['Bash'],
      file: '.claude/agents/reviewer.md',
      line: 4,
    })
  })

  test('github writes a command a change, escaped, and the summary to the file of the job', async () => {
    const repo = changed()
    const summary = join(repo.base, 'summary.md')
    const { out, code } = await repo.diff(['main', '--format', 'github'], { env: { GITHUB_STEP_SUMMARY: summary } })
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['::warning', '::warning', '::notice'])
    expect(lines[1]).toBe('::warning file=.claude/agents/reviewer.md,line=4,title=Gain of power::reviewer: gains Bash')
    expect(readFileSync(summary, 'utf8')).toContain('- `reviewer`: `gains Bash` in `.claude/agents/reviewer.md`')
    const gate = await repo.diff(['main', '--format', 'github', '--fail-on-gain'], { env: { GITHUB_STEP_SUMMARY: repo.base } })
    expect(gate).toMatchObject({ code: 1, err: 'The summary cannot be written (EISDIR).\n' })
    expect(gate.out).toContain('::error file=')
  })

  test('markdown keeps everything from files inside code spans', async () => {
    const { out } = await changed().diff(['main', '--format', 'markdown'])
    expect(out).toContain('- `` @all `x` | **b** <img src=x> ``: `is new')
    expect(out).toContain('**Gains of power**')
    expect(out).toContain('**Other changes**')
  })

  test('a name cannot start a line or a command of its own', async () => {
    const repo = repository()
    const file = 'flag.json'
    repo.put(file, JSON.stringify({ [HOSTILE]: { description: 'd', prompt: 'p' } }))
    const from = await repo.diff(['main', '--layers', 'builtin,flag', '--agents', file, '--format', 'github'])
    expect(from.out).toBe('')
    repo.put('.claude/agents/x.md', `---\nname: "a\\u0085::error::b%0A"\ndescription: d\n---\n\np\n`)
    const { out } = await repo.diff(['main', '--format', 'github'])
    for (const line of out.trimEnd().split('\n').filter(Boolean)) expect(line).toMatch(/^::(?:warning|notice) (?:file=|title=)/)
  })

  test('pretty is coloured only when asked, and gains stand first', async () => {
    const repo = changed()
    const plain = await repo.diff(['main'])
    expect(plain.out).not.toContain('\u001b[')
    expect(
      plain.out
        .split('\n')
        .slice(1)
        .map((line) => line[0] ?? ''),
    ).toEqual(['!', '!', '~', ''])
    expect((await repo.diff(['main', '--color', 'always'])).out).toContain('\u001b[')
  })
})
