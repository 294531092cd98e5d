import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, vi } from 'vitest'
import { build } from '../../compiler/commands/build.ts'
import { freshManifest } from '../../compiler/commands/fresh.ts'
import { rebuilt } from '../../compiler/commands/rebuilt.ts'
import { now } from '../../compiler/commands/unchanged.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { createCompiler, type Compiler } from '../../compiler/compiler.ts'
import { agent, ended, start } from './bin.ts'
import { ioOf } from './in-process.ts'
import { optionsFor, saveOver, temporary } from './tree.ts'

/**
 * A project that is changed at random, and built after each change: with what earlier builds left behind, by a compiler that stays, and by
 * one that knows nothing. All three have to say the same. Times of files and the clock jump, texts keep their length.
 */

/** A generator of whole numbers below a bound, the same for the same seed. */
export type Random = (below: number) => number

export function seeded(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** That of the program, so that a build of either may use what one of the other has left. */
const VERSION = '0.1.0'

interface World {
  root: string
  cwd: string
  random: Random
  compiler: Compiler
  /** Paths that were changed since the staying compiler last compiled. */
  changed: string[]
}

const NAMES = ['a', 'b', 'c', 'd', 'e']
const FOLDERS = [
  'project/.claude/agents',
  'project/.claude/agents/in',
  'home/.claude/agents',
  'project/.claude/agents/in/deep',
  'managed/.claude/agents',
]
/** Equal in length, one of them broken. */
const TOOLS = [
  'tools: Read, Glob',
  'tools: Read, Bash',
  'tools: Grep, Bash',
  'tools: Grep, Glb ',
  'tools: Agent(b)  ',
  'tools: Agent(c,d)',
  'tools: [Read, Ba ',
]
const SETTINGS = [
  '{ "permissions": { "deny": ["Bash"] } }',
  '{ "permissions": { "deny": ["Grep"] } }',
  '{ "permissions": { "deny": [Bash  ] } }',
]

/** Runs so many steps from a seed. `kills` says how often a build is killed or several run at once: every so many steps. */
export async function model(seed: number, steps: number, kills: number): Promise<void> {
  const root = temporary()
  const cwd = join(root, 'project')
  mkdirSync(join(cwd, '.git'), { recursive: true })
  mkdirSync(join(root, 'home'))
  const options = optionsFor(root)
  const world: World = { root, cwd, random: seeded(seed), compiler: createCompiler(options), changed: [] }
  const real = Date.now
  let jump = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + jump)
  try {
    for (let step = 0; step < steps; step++) {
      const edits = 1 + world.random(3)
      const done = Array.from({ length: edits }, () => change(world))
      jump = [0, 10_000, 86_400_000, -86_400_000][world.random(4)]!
      if (step % kills === kills - 1) await disturbed(world)
      const at = `seed ${seed}, step ${step}: ${done.join('; ')}`
      await agree(world, at)
      if (world.random(3) === 0) await agree(world, `${at}; once more`)
    }
  } finally {
    clock.mockRestore()
  }
}

/** Does one thing to the tree; tells what. */
function change(world: World): string {
  const { root, random } = world
  const folder = FOLDERS[random(FOLDERS.length)]!
  const file = join(root, folder, `${NAMES[random(NAMES.length)]}.md`)
  const kind = random(14)
  // Through a link another file is written, of which only the second look of a watch tells, a compilation after anything.
  world.changed.push(lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? '*' : file)
  if (kind === 0) return tell('remove', file, () => rmSync(file, { recursive: true, force: true }))
  if (kind === 1) {
    const to = join(root, FOLDERS[random(FOLDERS.length)]!, `${NAMES[random(NAMES.length)]}.md`)
    world.changed.push(to)
    return tell(`rename to ${to}`, file, () => (mkdirSync(dirname(to), { recursive: true }), renameSync(file, to)))
  }
  if (kind === 2) return tell('touch', file, () => utimesSync(file, 1000 + random(3), 1000 + random(3)))
  if (kind === 3 || kind === 13) return tell('new text, old times', file, () => keepTimes(file, () => writeFileSync(file, text(random))))
  if (kind === 4) return tell('another file in its place, old times', file, () => keepTimes(file, () => saveOver(file, text(random))))
  if (kind === 5) return tell('a link', file, () => (rmSync(file, { force: true }), symlinkSync(join(root, 'elsewhere.md'), file)))
  if (kind === 6) {
    const elsewhere = join(root, 'elsewhere.md')
    world.changed.push('*')
    return tell('what links lead to', elsewhere, () => writeFileSync(elsewhere, text(random)))
  }
  if (kind === 7) return moveFolder(world)
  if (kind === 8) {
    const settings = join(root, ['project/.claude', 'home/.claude'][random(2)]!, 'settings.json')
    world.changed.push(settings)
    return tell(
      'settings',
      settings,
      () => (mkdirSync(dirname(settings), { recursive: true }), writeFileSync(settings, SETTINGS[random(3)]!)),
    )
  }
  // Times of whole seconds are kept to the nanosecond by what gives a file new text and its old times.
  const seconds = 1000 + random(2)
  return tell('write', file, () => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text(random))
    if (random(3) > 0) utimesSync(file, seconds, seconds)
  })
}

function moveFolder({ root, random, changed }: World): string {
  const from = join(root, 'project/.claude/agents', ['in', 'in/deep', 'out'][random(3)]!)
  const to = join(root, 'project/.claude/agents', ['in', 'out'][random(2)]!)
  changed.push(from, to)
  return tell(`move to ${to}`, from, () => renameSync(from, to))
}

/** What cannot be done is not done. */
function tell(what: string, path: string, act: () => void): string {
  try {
    act()
    return `${what} ${path}`
  } catch (error) {
    return `no ${what} ${path} (${(error as NodeJS.ErrnoException).code})`
  }
}

function text(random: Random): string {
  const name = NAMES[random(NAMES.length)]!
  return agent(name, TOOLS[Math.min(random(TOOLS.length + 6), random(TOOLS.length))]!)
}

function keepTimes(file: string, act: () => void): void {
  const { atime, mtime } = statSync(file)
  act()
  utimesSync(file, atime, mtime)
}

/** Builds that are killed in the middle, or run at the same time while files change. */
async function disturbed(world: World): Promise<void> {
  const argv = ['build', '--managed-dir', join(world.root, 'managed')]
  const children = Array.from({ length: 1 + world.random(3) }, () => start(argv, { cwd: world.cwd }))
  const ends = children.map(ended)
  if (world.random(2) === 0) change(world)
  const kill = world.random(2) === 0
  await new Promise((resolve) => setTimeout(resolve, world.random(250)))
  if (kill) for (const child of children) child.kill('SIGKILL')
  else change(world)
  await Promise.all(ends)
}

/** The three ways agree in everything that can be seen. */
async function agree(world: World, at: string): Promise<void> {
  const { cwd, root, random, compiler } = world
  const format = ['json', 'github', 'sarif'][random(3)]!
  const flags = ['--format', format, ...(random(4) === 0 ? ['--keep-going'] : [])]
  const warm = await said(['--project', cwd, ...flags], root)
  const clean = await said(['--project', cwd, ...flags, '--out', join(root, 'clean.json')], root)
  expect({ at, out: warm.out, code: warm.code }).toEqual({ at, out: clean.out, code: clean.code })
  const manifest = join(cwd, '.agentc/manifest.json')
  if (warm.code === 0 || flags.includes('--keep-going'))
    expect(readFileSync(manifest, 'utf8') === readFileSync(join(root, 'clean.json'), 'utf8'), at).toBe(true)
  const where = { project: cwd, home: join(root, 'home'), 'managed-dir': join(root, 'managed') }
  const run = await freshManifest(where, ioOf(root, { version: VERSION }).io, async () => rebuilt)
  const going = await said(['--project', cwd, '--keep-going', '--out', join(root, 'going.json')], root)
  expect(run.text === readFileSync(join(root, 'going.json'), 'utf8'), `${at}: what run gets`).toBe(true)
  const whole = world.changed.includes('*')
  const stayed = await compiler.compile(now(), whole ? undefined : world.changed.splice(0))
  world.changed = []
  const json = {
    agents: stayed.resolution.agents.size,
    codes: stayed.diagnostics.map(({ code, message, at: place }) => `${code} ${place.origin.path} ${place.range} ${message}`),
  }
  const fresh = await createCompiler(optionsFor(root)).compile(now())
  const other = {
    agents: fresh.resolution.agents.size,
    codes: fresh.diagnostics.map(({ code, message, at: place }) => `${code} ${place.origin.path} ${place.range} ${message}`),
  }
  expect({ at, ...json }).toEqual({ at, ...other })
  expect(manifestText(stayed) === manifestText(fresh), `${at}: the compiler that stays`).toBe(true)
  expect(going.code).toBe(clean.code === 0 ? 0 : 1)
}

async function said(argv: string[], root: string): Promise<{ out: string; code: number }> {
  const { io, ran } = ioOf(root, { version: VERSION })
  const code = await build([...argv, '--home', join(root, 'home'), '--managed-dir', join(root, 'managed')], io)
  return { out: ran.out, code }
}
