import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import type { Rule } from '../../../schemas/shapes/permission.ts'
import { PERMISSION_MODES, type PermissionMode } from '../../../schemas/values.ts'
import { type Asked, decide, type Rights } from '../../../runner/permission/decide.ts'
import { shellCall } from '../../../runner/permission/shell-call.ts'
import type { StartLine, ToolEndLine, TranscriptLine } from '../../../runner/transcript/line.ts'
import type { Workspace } from '../../../runner/workspace.ts'
import { committed, GIT_ENV } from '../../support/git.ts'
import { type FakeApi, folder, runToEnd } from '../stage.ts'
import { call, cast } from './stage.ts'

/** One agent of a tree as it is wished for: what its definition says, what the call that starts it says, and whom it starts. */
export interface Wish {
  mode: PermissionMode | undefined
  callMode: PermissionMode | undefined
  deny: Rule[]
  limits: Rule[]
  /** It is started as a fork of its parent, whose definition it then has. */
  fork: boolean
  /** It is started in the folder `a`. */
  narrowed: boolean
  background: boolean
  worktree: boolean
  children: Wish[]
}

export interface Grove {
  root: Wish
  allow: Rule[]
  ask: Rule[]
  deny: Rule[]
}

const path = fc.record({ path: fc.constantFrom('a/**', 'b/**', '**', 'secret-*'), anchor: fc.constantFrom('cwd', 'root') })
const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ tool: fc.constantFrom('Write', 'Edit', 'Read'), match: path as fc.Arbitrary<NonNullable<Rule['match']>> }),
  fc.constantFrom<Rule>(
    { tool: 'Write' },
    { tool: 'Bash' },
    { tool: 'Bash', match: { prefix: ['touch'] } },
    { tool: 'Bash', match: { prefix: ['rm'] } },
  ),
)
const rules: fc.Arbitrary<Rule[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Rule[]>([]) },
  { weight: 1, arbitrary: fc.array(rule, { minLength: 1, maxLength: 2 }) },
)
const sometimes = (weight: number) => fc.nat({ max: weight }).map((at) => at === weight)
const mode = fc.option(fc.constantFrom(...PERMISSION_MODES), { nil: undefined })

function wish(depth: number, least: number): fc.Arbitrary<Wish> {
  const below = depth === 0 ? fc.constant<Wish[]>([]) : fc.array(wish(depth - 1, 0), { minLength: least, maxLength: 2 })
  const [fork, narrowed, background, worktree] = [sometimes(4), sometimes(3), sometimes(3), sometimes(6)]
  return fc.record({ mode, callMode: mode, deny: rules, limits: rules, fork, narrowed, background, worktree, children: below })
}

/** Modes that let something through at the top, so that there is something to be taken away below. */
const loose = fc.constantFrom<PermissionMode | undefined>('bypassPermissions', 'acceptEdits', 'auto', undefined)
export const grove: fc.Arbitrary<Grove> = fc.record({
  root: fc.tuple(wish(3, 1), loose).map(([root, top]) => ({ ...root, mode: top, fork: false })),
  allow: fc.array(rule, { maxLength: 3 }),
  ask: rules,
  deny: rules,
})

/** What a mode and a wish come to: the rows are the mode of the parent, the columns the wish, both in the order of the modes. */
const ORDER = ['default', 'acceptEdits', 'auto', 'bypassPermissions', 'dontAsk', 'plan'] as const
const COMES_TO: Readonly<Record<PermissionMode, readonly PermissionMode[]>> = {
  default: ['default', 'default', 'default', 'default', 'dontAsk', 'plan'],
  acceptEdits: ['default', 'acceptEdits', 'acceptEdits', 'acceptEdits', 'dontAsk', 'plan'],
  auto: ['default', 'auto', 'auto', 'auto', 'dontAsk', 'plan'],
  bypassPermissions: ['default', 'acceptEdits', 'auto', 'bypassPermissions', 'dontAsk', 'plan'],
  dontAsk: ['dontAsk', 'dontAsk', 'dontAsk', 'dontAsk', 'dontAsk', 'plan'],
  plan: ['plan', 'plan', 'plan', 'plan', 'plan', 'plan'],
}

/** What holds at one place of the tree, seen by itself. */
interface Place {
  modes: readonly PermissionMode[]
  limits: readonly Rule[]
  deny: readonly Rule[]
  /** Below the top of the checkout. */
  cwd: '' | 'a'
}

/** An agent in its place. `chain` is what holds at it and at everything above it, the top first. */
export interface Planted {
  id: string
  wish: Wish
  fork: boolean
  chain: readonly Place[]
  parent: Planted | undefined
}

/** Gives every agent of a tree its name and its place. */
export function planted(root: Wish): Planted[] {
  const all: Planted[] = []
  const plant = (each: Wish, parent: Planted | undefined): void => {
    const above = parent?.chain.at(-1)
    const fork = each.fork && parent !== undefined && !parent.fork
    const wishes = [fork ? undefined : each.mode, parent && each.callMode].filter((wanted) => wanted !== undefined)
    const now = above
      ? wishes.reduce<PermissionMode>((so, wanted) => COMES_TO[so][ORDER.indexOf(wanted)]!, above.modes[0]!)
      : (each.mode ?? 'default')
    // Who wishes to be in one of these two is held to it, even where the mode is another one.
    const held = parent ? wishes.filter((wanted) => wanted === 'plan' || wanted === 'dontAsk') : []
    const own = fork ? above! : each
    const cwd = (each.narrowed && parent) || above?.cwd === 'a' ? 'a' : ''
    const at: Planted = {
      id: `n${all.length}`,
      wish: each,
      fork,
      chain: [...(parent?.chain ?? []), { modes: [now, ...held], limits: own.limits, deny: own.deny, cwd }],
      parent,
    }
    all.push(at)
    for (const child of each.children) plant(child, at)
  }
  plant(root, undefined)
  return all
}

const TASK = (id: string): string => `TASK ${id};`

/** The calls of an agent that the rules are about. */
function callsOf({ id, chain }: Planted): { name: string; input: Record<string, string>; file?: string }[] {
  const from = chain.at(-1)!.cwd
  const here = (file: string): string => relative(from === '' ? '/' : `/${from}`, `/${file}`)
  const write = (file: string) => ({ name: 'Write', input: { file_path: here(file), content: id }, file })
  return [
    write(`a/${id}.txt`),
    write(`b/${id}.txt`),
    write(`secret-${id}.txt`),
    { name: 'Read', input: { file_path: here('a/seed.txt') }, file: 'a/seed.txt' },
    { name: 'Bash', input: { command: `touch ${here(`c/${id}.txt`)}` } },
  ]
}

function spawnOf({ id, fork, wish: { callMode, background, worktree }, chain, parent }: Planted): object {
  const narrower = chain.at(-1)!.cwd !== parent!.chain.at(-1)!.cwd
  return call('Agent', {
    description: id,
    prompt: TASK(id),
    subagent_type: fork ? 'fork' : id,
    ...(callMode && { mode: callMode }),
    ...(background && { run_in_background: true }),
    ...(narrower && { cwd: 'a' }),
    ...(worktree && { isolation: 'worktree' }),
  })
}

const ENV = { ...process.env, ...GIT_ENV }

async function checkout(): Promise<string> {
  return committed(await folder({ 'a/seed.txt': 'seed', 'b/seed.txt': 'seed', 'c/seed.txt': 'seed' }))
}

/** What one agent did, by the name of its task. */
export type Deeds = ReadonlyMap<string, readonly ToolEndLine[]>

/** Lets a whole tree run on the scripted API: every agent makes its calls, and then starts those below it. */
export async function grown(
  { root, allow, ask, deny }: Grove,
  all: readonly Planted[],
  { url, play }: FakeApi,
  session: string,
): Promise<{ cwd: string; deeds: Deeds }> {
  const tools = ['Agent', 'Bash', 'Read', 'Write']
  const agents = Object.fromEntries(
    all
      .filter(({ fork }) => !fork)
      .map(({ id, wish: each }) => [id, { tools, deny: each.deny, limits: each.limits, ...(each.mode && { permissionMode: each.mode }) }]),
  )
  const {
    start,
    agents: known,
    keep,
  } = cast(agents, TASK('n0'), {
    limits: { spawnDepth: 3, parallelReads: 10, resultChars: 100_000 },
    permissions: { allow, ask, deny },
  })
  const turns = (at: Planted) => {
    const below = all.filter(({ parent }) => parent === at).map(spawnOf)
    const calls = callsOf(at).map(({ name, input }) => call(name, input))
    return [{ content: [...calls, ...below] }, { text: `${at.id} is done` }]
  }
  // A fork has the replies of its parent in front of its own, and the words of its parent; so it is looked for first.
  const forks = all
    .filter(({ fork }) => fork)
    .map((at) => ({ when: { any: `You are a fork[^"]*Task:[^"]{1,2}${TASK(at.id)}` }, turns: [{ text: '-' }, ...turns(at)] }))
  const others = all.filter(({ fork }) => !fork).map((at) => ({ when: { system: `You are ${at.id}\\.` }, turns: turns(at) }))
  await play({ rules: [...forks, ...others] })
  const cwd = await checkout()
  const { result } = await runToEnd(start, { cwd, url, agents: known, keep, env: ENV, host: process, ids: { session: () => session } })
  if (result.terminal_reason !== 'completed') throw new Error(`the tree did not come to its end: ${JSON.stringify([result.errors, root])}`)
  return { cwd, deeds: deedsIn(join(cwd, result.run_folder!)) }
}

function deedsIn(run: string): Deeds {
  const files = ['transcript.jsonl', ...listed(join(run, 'agents')).map((name) => `agents/${name}`)]
  return new Map(
    files.map((file) => {
      const lines = readFileSync(join(run, file), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as TranscriptLine)
      const { options } = lines.find((line) => line.kind === 'start') as StartLine
      return [/TASK (n\d+);/.exec(String(options.prompt))![1]!, lines.filter((line) => line.kind === 'tool_end')] as const
    }),
  )
}

function listed(path_: string): string[] {
  try {
    return readdirSync(path_)
  } catch {
    return []
  }
}

/** Whether a call may run, judged at each place of its chain by itself; the last one is that of the agent that makes it. */
export async function verdicts(at: Planted, which: number, cwd: string, { allow, ask, deny }: Grove): Promise<boolean[]> {
  const { name, input, file } = callsOf(at)[which]!
  const workspaceOf = ({ cwd: below }: Place): Workspace => ({ root: cwd, cwd: join(cwd, below), told: join(cwd, below) })
  const rights = (place: Place, now: PermissionMode): Rights => {
    return { limits: place.limits, deny: [...deny, ...place.deny], ask, allow, mode: now, workspace: workspaceOf(place) }
  }
  const own = rights(at.chain.at(-1)!, 'default')
  const shell = name === 'Bash' ? await shellCall(input.command!, own.workspace, own) : undefined
  const files = file === undefined ? [] : [{ path: join(cwd, file), real: join(cwd, file) }]
  const asked: Asked = { tool: name, input, files, search: false, shell }
  return at.chain.map((place) => place.modes.every((now) => decide(asked, rights(place, now)).allow))
}
