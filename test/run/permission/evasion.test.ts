import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../runner/workspace.ts'
import { ACCESSES, FINE_ACCESSES } from './evasion-file.ts'
import { GIT_ENV } from '../../support/git.ts'
import { filled, finished, harmed, inCopy, layPattern, NOBODY } from './evasion-ground.ts'
import { FINE, type Group, GROUPS, SOMETIMES } from './evasion-shell.ts'
import { decided, rightsOf } from './stage.ts'

let pattern = ''
let workspace: Workspace

beforeAll(async () => {
  pattern = layPattern()
  workspace = await openWorkspace(join(pattern, 'project'), join(pattern, 'home'))
})

/** The soak proves every attempt, the tests every eighth: each takes a copy of the folder and a shell. */
const EVERY = process.env['AGENTC_SOAK'] ? 1 : 8

/** Without another user to become, the lines would run with all that the tester may do: then only their verdicts are tested. */
const forReal = NOBODY ? test : test.skip
if (!NOBODY) process.stdout.write('skipped aloud: the attempts run for real only as root, who becomes nobody for them\n')

/** Runs a line for real in a copy of the folder, with no rights outside of it, and says what it did. */
function ran(line: string, harm: Group['harm'], path = ''): Promise<string | undefined> {
  return inCopy(pattern, async (root) => {
    const env = { PATH: process.env['PATH'], HOME: join(root, 'home'), GIT_PAGER: 'cat', ...GIT_ENV }
    const output = await finished('bash', ['-c', line, 'bash', filled(path, root)], { cwd: join(root, 'project'), env, ...NOBODY })
    return harmed(harm, root, output, pattern) ? undefined : output
  })
}

const there = new Map<string, boolean>()
function missing(line: string): boolean {
  return [...line.matchAll(new RegExp(SOMETIMES, 'g'))].some(([program]) => {
    if (!there.has(program)) there.set(program, spawnSync('bash', ['-c', `type -P ${program}`]).status === 0)
    return there.get(program) === false && program !== 'time'
  })
}

test('there are at least 250 attempts, all different', () => {
  const all = GROUPS.flatMap(({ name, attempts }) => attempts.map((attempt) => `${name}: ${attempt}`))
  expect(all.length).toBeGreaterThanOrEqual(250)
  expect(new Set(all).size).toBe(all.length)
})

/** Several at once: each has its own folder. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

describe.each(GROUPS)('$name', ({ lists, harm, attempts }) => {
  test('no attempt is allowed', async () => {
    const rights = rightsOf(lists, workspace)
    const allowed: string[] = []
    for (const command of attempts) if ((await decided('Bash', { command }, rights)).allow) allowed.push(command)
    expect(allowed).toEqual([])
  })

  forReal('every attempt, run for real, does the harm that it is refused for', { timeout: 120_000 }, async () => {
    const proved: string[] = []
    const harmless: string[] = []
    const tried = attempts.filter((line, at) => at % EVERY === 0 && !missing(line))
    await each(tried, async (line) => {
      const output = await ran(line, harm)
      if (output === undefined) proved.push(line)
      else harmless.push(`${line} → ${output}`)
    })
    expect(harmless).toEqual([])
    expect(proved).toHaveLength(tried.length)
  })
})

describe.each(FINE)('what is allowed stays allowed: $lists.allow', ({ lists, lines }) => {
  test.each(lines)('%j', async (command) => {
    expect(await decided('Bash', { command }, rightsOf(lists, workspace))).toMatchObject({ outcome: 'allow' })
  })
})

test('there are at least 100 file accesses, all different', () => {
  const all = ACCESSES.flatMap(({ name, tools, paths }) => tools.flatMap((tool) => paths.map((path) => `${name} ${tool} ${path}`)))
  expect(all.length).toBeGreaterThanOrEqual(100)
  expect(new Set(all).size).toBe(all.length)
})

describe.each(ACCESSES)('$name', ({ lists, mode, tools, harm, paths }) => {
  test.each(tools)('%s may open none of them', async (tool) => {
    const rights = rightsOf(lists, workspace, mode)
    const allowed: string[] = []
    for (const path of paths) if ((await decided(tool, { file_path: filled(path, pattern) }, rights)).allow) allowed.push(path)
    expect(allowed).toEqual([])
  })

  forReal('every path, opened for real, leads where it must not', { timeout: 120_000 }, async () => {
    const harmless: string[] = []
    await each(
      paths.filter((_path, at) => at % EVERY === 0),
      async (path) => {
        const output = await ran(harm === 'changed' ? 'printf x > "$1"' : 'cat "$1"', harm, path)
        if (output !== undefined) harmless.push(`${path} → ${output}`)
      },
    )
    expect(harmless).toEqual([])
  })
})

test.each(FINE_ACCESSES)('%s of %s stays allowed', async (tool, path, lists) => {
  expect(await decided(tool, { file_path: filled(path, pattern) }, rightsOf(lists, workspace))).toMatchObject({ outcome: 'allow' })
})
