import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerConfig } from '../../../schemas/shapes/server.ts'
import { nextId } from '../../../runner/delegation/child.ts'
import type { RunResult } from '../../../runner/index.ts'
import { openRun } from '../../../runner/open.ts'
import type { EndLine } from '../../../runner/transcript/line.ts'
import { committed, git, GIT_ENV } from '../../support/git.ts'
import { withEnvironment } from '../../support/processes.ts'
import type { AgentParts, HeaderParts } from '../manifest-fixture.ts'
import { overHttp } from '../mcp/bridge.ts'
import { stub } from '../mcp/stage.ts'
import { seeded } from '../processes.ts'
import { connectionsTo, descriptors } from '../sockets.ts'
import { fakeApi, folder, stillClock } from '../stage.ts'
import { call, cast } from './stage.ts'

/** How many agents of each depth one of the depth above starts. */
export interface Size {
  branches: number
  twigs: number
  leaves: number
}

export interface CrowdRun {
  result: RunResult
  cwd: string
  session: string
  /** By the id of each agent: how often its start and its end were told, and how it ended by its own transcript. */
  started: ReadonlyMap<string, number>
  notified: ReadonlyMap<string, number>
  ends: ReadonlyMap<string, readonly RunResult[]>
  /** Ids of the agents in the background that were told to stop. */
  stopped: readonly string[]
  /** Processes that the test has killed meanwhile. */
  kills: number
  /** What agents reported of worktrees that are kept. */
  kept: readonly string[]
  /** Connections to the API and to the server over http that were open right after the end. */
  connections: readonly string[]
  /** What this process has open that it had not before, without what the test's own server has been asked for. */
  opened: () => Promise<readonly string[]>
}

const ENV = { ...process.env, ...GIT_ENV }

const AGENTS: Record<string, AgentParts> = {
  lead: { tools: ['Agent', 'TaskStop'] },
  branch: { tools: ['Agent', 'Bash'] },
  twig: { tools: ['Agent', 'Bash'] },
  leaf: { tools: ['Bash'] },
  keeper: { tools: ['Bash'], servers: [{ name: 'own', config: stub() }] },
  isolated: { tools: ['Bash', 'Write'], isolation: 'worktree' },
}

interface Doing {
  type: string
  turns: (done: string) => object[]
}

const say = (fault?: object) => (done: string) => [{ text: done, ...(fault && { fault }) }]
const first =
  (content: object[], ...more: object[]) =>
  (done: string) => [{ content }, ...more, { text: done }]
/** What an agent at the bottom does: work that leaves something behind, and everything that can go wrong with model, shell or server. */
const DOINGS: readonly Doing[] = [
  { type: 'leaf', turns: first([call('Bash', { command: 'sleep 300 & (setsid sleep 300 &) ; echo started' })]) },
  { type: 'leaf', turns: first([call('Bash', { command: 'kill -9 $$' })]) },
  { type: 'leaf', turns: first([call('mcp__s__say', {}), call('mcp__h__say', {})]) },
  { type: 'leaf', turns: first([call('mcp__s__die', {}), call('mcp__s__say', {})]) },
  { type: 'leaf', turns: say({ type: 'refusal' }) },
  { type: 'leaf', turns: say({ type: '401' }) },
  { type: 'leaf', turns: say({ type: '529', times: 1 }) },
  { type: 'leaf', turns: say({ type: 'reset_mid', times: 2 }) },
  { type: 'leaf', turns: say({ type: 'empty' }) },
  { type: 'leaf', turns: say({ type: 'max_tokens' }) },
  { type: 'keeper', turns: first([call('mcp__own__say', {})]) },
  { type: 'keeper', turns: first([call('mcp__own__die', {}), call('mcp__own__say', {})]) },
  { type: 'isolated', turns: first([call('Bash', { command: 'git status --short' })]) },
  { type: 'isolated', turns: first([call('Write', { file_path: 'new.txt', content: 'x' })]) },
]

/** One agent of the crowd, by its tag. */
interface Member {
  tag: string
  turns: object[]
  /** It is told to stop, and may never answer. */
  stop: boolean
}

function spawn(tag: string, type: string, more: object = {}, id?: string): object {
  return call('Agent', { description: tag, prompt: `TASK ${tag};`, subagent_type: type, ...more }, id)
}

/** Who there is and what each does; the same for the same seed. */
function members(seed: number, { branches, twigs, leaves }: Size): { all: Member[]; branches: Member[] } {
  const random = seeded(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const all: Member[] = []
  const inner = (tag: string, below: object[]): object[] => {
    const fault =
      random() < 0.2 ? pick([{ type: 'refusal' }, { type: '401' }, { type: '529', times: 1 }, { type: 'truncate', times: 1 }]) : undefined
    return [{ content: [...below, call('Bash', { command: 'sleep 300 & echo x' })] }, { text: `${tag} is done`, ...(fault && { fault }) }]
  }
  const tops = Array.from({ length: branches }, (_, at): Member => {
    const tag = `b${at}`
    const stop = random() < 0.25
    if (stop && random() < 0.5) return { tag, stop, turns: [{ text: 'never', fault: { type: 'hang' } }] }
    const below = Array.from({ length: twigs }, (__, twig) => {
      const leavesOf = Array.from({ length: leaves }, (___, leaf) => {
        const [own, doing] = [`${tag}.${twig}.${leaf}`, pick(DOINGS)]
        all.push({ tag: own, stop: false, turns: doing.turns(`${own} is done`) })
        return spawn(own, doing.type)
      })
      all.push({ tag: `${tag}.${twig}`, stop: false, turns: inner(`${tag}.${twig}`, leavesOf) })
      return spawn(`${tag}.${twig}`, 'twig')
    })
    return { tag, stop, turns: inner(tag, below) }
  })
  // A request holds the tags of those that its agent has started too, so the upper ones are looked for first.
  const depth = ({ tag }: Member): number => tag.split('.').length
  return { all: [...tops, ...all].sort((a, b) => depth(a) - depth(b)), branches: tops }
}

/**
 * A run of many agents on the scripted API: a lead starts branches in the background, ten of which work at a time, each starts twigs, and
 * each of these leaves. Models fail, agents are told to stop, and processes of shells and servers are killed from outside meanwhile.
 */
export async function crowd(seed: number, size: Size): Promise<CrowdRun> {
  const session = `crowd-${process.pid}-${seed}-${size.branches}`
  const { all, branches } = members(seed, size)
  const idOf = (at: number): string => nextId({ session }, { id: 'main', started: at }, `toolu_b${at}`)
  const stopped = branches.flatMap(({ stop }, at) => (stop ? [idOf(at)] : []))
  const starts = branches.map(({ tag }, at) => spawn(tag, 'branch', { run_in_background: true }, `toolu_b${at}`))
  const stops = stopped.map((id) => call('TaskStop', { task_id: id }))
  const rules = all.map(({ tag, turns }) => ({ when: { any: `TASK ${tag.replaceAll('.', '\\.')};` }, turns }))
  const lead = {
    when: { system: 'You are lead' },
    turns: [{ content: starts }, ...(stops.length > 0 ? [{ content: stops, delay_ms: 150 }] : []), { text: 'waiting', repeat: 400 }],
  }
  const { url } = await fakeApi({ rules: [lead, ...rules] })
  const { config, forget } = await overHttp(stub())
  const { start, agents, keep } = cast(AGENTS, 'go', header(config))
  const cwd = committed(await folder({ 'a.txt': 'A' }))
  const ports = [url, (config as { url: string }).url].map((each) => Number(new URL(each).port))
  const before = new Set(descriptors())
  const opened = async (): Promise<string[]> => (await forget(), descriptors().filter((one) => !before.has(one)))
  const run = await openRun({
    start,
    agents,
    keep,
    cwd,
    env: ENV,
    signal: new AbortController().signal,
    api: { apiKey: 'test-key-0123456789', authToken: undefined, baseURL: url },
    clock: stillClock(),
    ids: { session: () => session },
    host: process,
  })
  const killer = killing(session, seed)
  const [started, notified] = [new Map<string, number>(), new Map<string, number>()]
  const count = (counts: Map<string, number>, id: string): void => void counts.set(id, (counts.get(id) ?? 0) + 1)
  for (;;) {
    const step = await run.events.next()
    if (!step.done) {
      if (step.value.type !== 'system') continue
      if (step.value.subtype === 'task_started') count(started, step.value.task_id)
      if (step.value.subtype === 'task_notification') count(notified, step.value.task_id)
      continue
    }
    const connections = connectionsTo(ports)
    const kills = killer()
    const result = step.value
    const sides = join(cwd, result.run_folder!, 'agents')
    const texts = readdirSync(sides).map(
      (name) => [name.replace(/^agent-|\.jsonl$/g, ''), readFileSync(join(sides, name), 'utf8')] as const,
    )
    const lines = texts.map(([, text]) => text).join('')
    const kept = [...new Set([...lines.matchAll(/kept in the worktree (\S+) on the branch/g)].map(([, path]) => path!))]
    const ends = new Map(texts.map(([id, text]) => [id, endsIn(text)]))
    return { result, cwd, session, started, notified, ends, stopped, kills, kept, connections, opened }
  }
}

function header(overHttp: ServerConfig): HeaderParts {
  const origin = { source: 'user', path: '.claude.json', line: 1, column: 1 } as const
  const server = (each: ServerConfig) => ({ config: each, origin })
  return {
    limits: { spawnDepth: 3, parallelReads: 10, resultChars: 100_000, run: { agents: 400 } },
    permissions: { allow: ['Bash', 'Write', 'mcp__*'].map((tool) => ({ tool })), ask: [], deny: [] },
    mcpServers: { s: server(stub()), h: server(overHttp) },
  }
}

function endsIn(text: string): RunResult[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{"kind":"end"'))
    .map((line) => (JSON.parse(line) as EndLine).result)
}

/** Kills one process of the run every now and then, whatever it is; what it gives ends that and says how many there were. */
function killing(session: string, seed: number): () => number {
  const random = seeded(seed + 1)
  let kills = 0
  const timer = setInterval(() => {
    const pids = withEnvironment(`AGENTC_RUN=${session}`)
    if (pids.length === 0 || random() < 0.5) return
    try {
      process.kill(pids[Math.floor(random() * pids.length)]!, 'SIGKILL')
      kills += 1
    } catch {
      // It has ended meanwhile.
    }
  }, 60)
  return () => {
    clearInterval(timer)
    return kills
  }
}

/** Worktrees of a repository beside its own checkout: the path of each, and whether it is locked. */
export function worktrees(cwd: string): { path: string; locked: boolean }[] {
  const blocks = git(cwd, 'worktree', 'list', '--porcelain').trim().split('\n\n').slice(1)
  return blocks.map((block) => ({ path: /^worktree (.*)$/m.exec(block)![1]!, locked: /^locked/m.test(block) }))
}
