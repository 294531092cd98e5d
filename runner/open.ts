import { join } from 'node:path'
import { doneAlready } from './begun.ts'
import { openConnections } from './connections.ts'
import { type Ids, liveClock, liveIds } from './clock.ts'
import type { Start } from './context.ts'
import type { WorktreeHooks } from './hooks/occasion.ts'
import { type Environment, lookAround } from './environment.ts'
import { formerWorkspace, holdWorktree, rootIsolation, rootOf } from './delegation/root.ts'
import type { RunEvent, RunResult } from './events.ts'
import { accountOf } from './extend.ts'
import { extensionsOf, ownWorktrees } from './extensions.ts'
import { runAgent, type Seams } from './loop.ts'
import { liveCount } from './model/count.ts'
import { modelChain } from './model/chain.ts'
import type { Asks } from './model/answers.ts'
import { recorder } from './model/recording.ts'
import { openRecording } from './model/replay.ts'
import { fallbackOf } from './request.ts'
import { decide, nobody } from './permission/decide.ts'
import { Grants } from './permission/grants.ts'
import { type Host, openProcesses } from './processes.ts'
import { sandboxOf } from './sandbox/of-run.ts'
import { Scope } from './scope.ts'
import type { Resume, RunOptions } from './run-options.ts'
import { runTools, type ToolSet } from './tools/registry.ts'
import { newToolState } from './tools/state.ts'
import { noPerson } from './tools/tool.ts'
import { createRunFolder, reopenRunFolder, type RunFolder } from './transcript/folder.ts'
import { withInputs } from './input/live.ts'
import { remoteSkills } from './skills/remote.ts'
import { offeredTools } from './transcript/history.ts'
import { redactor } from './transcript/redact.ts'
import { transcribed } from './transcript/transcribe.ts'
import { NO_TRANSCRIPT, TranscriptFault } from './transcript/transcript.ts'
import type { Outside } from './outside.ts'
import { furtherFolders, openWorkspace, type Workspace } from './workspace.ts'

export interface OpenRun {
  events: AsyncGenerator<RunEvent, RunResult>
  /** Recorded turns that the run has not asked for; 0 without a replay. */
  rest(): number
  /** Ends all processes of the run at once, and takes its temporary folders away. */
  kill(): void
}

const NO_HOST: Host = { pid: 0, kill: () => undefined }

/** What processes of tools get to see. */
function withoutCredentials(env: RunOptions['env']): RunOptions['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('ANTHROPIC_')))
}

/** Puts the seams of a run together: live, live and recorded, or replayed; kept or not; new or gone on with. */
export async function openRun(options: RunOptions): Promise<OpenRun> {
  const { resume } = options
  const done = resume && !options.person && doneAlready(resume)
  if (done) return { events: only(done), rest: () => 0, kill: () => {} }
  const parts = await openParts(options)
  try {
    return await openIn(parts, options)
  } catch (error) {
    await parts.scope.close()
    // What has not begun is no run that was cut off.
    if (resume) parts.folder?.close()
    else parts.folder?.discard()
    throw error
  }
}

type Parts = Awaited<ReturnType<typeof openParts>>

/** What a run stands on. All that it will open is closed with the scope; nothing is begun. */
async function openParts(options: RunOptions) {
  const { host = NO_HOST, start } = options
  const bare = await openWorkspace(options.cwd, options.home, options.env.CLAUDE_CONFIG_DIR || undefined)
  const { folders, missing } = await furtherFolders(
    bare,
    start.header.settings.additionalDirectories.map(({ value }) => value),
  )
  const workspace = { ...bare, folders }
  const connections = openConnections()
  const outside = await outsideOf({ ...options, api: { fetch: connections.fetch, ...options.api } }, workspace)
  const session = outside.ids.session()
  // Two replays of one recording are two runs: they must not end each other's processes.
  const mark = options.replay === undefined ? session : liveIds.session()
  const env = withoutCredentials(options.env)
  const scope = new Scope(openProcesses(mark, env, host))
  scope.defer('the connections', () => connections.close())
  const { apiKey: ANTHROPIC_API_KEY, authToken: ANTHROPIC_AUTH_TOKEN } = options.api
  const redact = redactor({ ...options.env, ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN })
  const sandbox = await sandboxOf(options, workspace)
  const folder = folderOf(options, session)
  const transcript = folder?.transcript(redact, session, outside.clock.now) ?? NO_TRANSCRIPT
  const fetch = connections.fetch
  return { host, env, workspace, missing, sandbox, fetch, outside, session, scope, folder, redact, transcript }
}

async function openIn(parts: Parts, options: RunOptions): Promise<OpenRun> {
  const { resume, start } = options
  const seams = await seamsOf(parts, options)
  if (resume) await endLeftOver(parts.scope.processes)
  const asked = resume ? { ...start, prompt: resume.prompt ?? '', patches: undefined } : start
  const ready = await withInputs(asked, seams, resume ? 'prompt' : 'all')
  const past = resume && pastWith(resume, ready.start)
  const { missing, outside, folder, session, redact, env, host, scope } = parts
  const root = rootOf({
    start: resume ? start : ready.start,
    agents: options.agents,
    seams: { ...seams, past, said: [...missing.map((name) => `the further folder ${name} is no folder here`), ...ready.notices] },
    lane: (id) => (id === undefined ? outside : (outside.lane?.(id) ?? outside)),
    tools: options.tools ?? runTools(start.header, options.readCode),
    session,
    folder,
    redact,
    env,
    host,
    backgroundMs: options.backgroundMs,
  })
  return { events: closing(runAgent(root.start, root.seams), folder), rest: outside.rest, kill: () => scope.kill() }
}

async function seamsOf(parts: Parts, options: RunOptions): Promise<Seams> {
  const { resume } = options
  const { workspace, outside, scope, folder, transcript, redact } = parts
  const before = resume && { requests: resume.history.requests, last: resume.history.last }
  let { environment } = outside
  const extensions = extensionsIn(parts, options, () => environment)
  const hookAccount = accountOf(resume)
  const place = await placeOf(parts, options, ownWorktrees(options.start, extensions, hookAccount, workspace, options.signal))
  if (place.worktree) {
    holdWorktree(place.worktree, scope, extensions.events)
    environment = { ...environment, cwd: place.workspace.told }
  }
  return {
    ...outside,
    extensions,
    hookAccount,
    sandbox: parts.sandbox({ temporary: () => scope.temporary(), say: (message) => extensions.queue.say('sandbox', message) }),
    environment,
    model: folder ? transcribed(outside.model, transcript, redact, before) : outside.model,
    tools: toolsOf(options),
    decide,
    ...asksOf(options, outside),
    grants: options.grants ?? new Grants(),
    fetchSkill: remoteSkills({ config: workspace.config, loopback: options.loopbackSkills }),
    state: newToolState(),
    workspace: { ...place.workspace, told: environment.cwd, plugins: options.pluginFolders, ...options.layers },
    scope,
    transcript,
    signal: options.signal,
    past: resume,
    person: outside.person ? outside.person(options.person) : options.person,
  }
}

function extensionsIn(
  { outside, scope, fetch, workspace, session, transcript }: Parts,
  options: RunOptions,
  environment: () => Environment,
) {
  const { cwd } = workspace
  const transcriptPath = transcript.run ? join(cwd, transcript.run.folder, 'transcript.jsonl') : ''
  return extensionsOf(options, { outside, environment, scope, fetch, cwd, session: { id: session, transcriptPath, folder: cwd } })
}

/** Where the run works. Throws `TranscriptFault`, if there is no such place or no more. */
async function placeOf({ workspace, outside, session, env, host }: Parts, options: RunOptions, hooks: WorktreeHooks) {
  const told = outside.environment.cwd
  const place = options.resume
    ? await formerPlace(options, workspace, told)
    : await rootIsolation(options.start, { ...workspace, told }, session, env, host, hooks)
  if (typeof place === 'string') throw new TranscriptFault(place)
  return place
}

/** The prompt that a run is gone on with, its commands and skills resolved. */
function pastWith(resume: Resume, { prompt, patches }: Start): Resume {
  return resume.prompt === undefined ? resume : { ...resume, prompt, ...(patches && { patches }) }
}

/** A run that had worked in a worktree goes on in it. */
async function formerPlace({ start }: RunOptions, workspace: Workspace, told: string): ReturnType<typeof rootIsolation> {
  if (start.agent.isolation !== 'worktree') return { workspace }
  const former = await formerWorkspace(told, workspace)
  return former ? { workspace: former } : `The run had worked in the worktree ${told}, which is gone: start it again.`
}

async function outsideOf(options: RunOptions, workspace: Workspace): Promise<Outside> {
  if (options.replay !== undefined) return openRecording(options.replay)
  const clock = options.clock ?? liveClock
  const model = modelChain(options.api, clock, fallbackOf(options.start))
  const count = liveCount(options.api)
  const { resume } = options
  if (resume) {
    const id = resume.history.context.sessionId
    return { model, clock, count, ids: { session: () => id }, environment: resume.environment, rest: () => 0 }
  }
  const live = { clock, count, ids: once(options.ids ?? liveIds), model }
  const environment = await lookAround(workspace, options.env)
  const secrets = [options.api.apiKey, options.api.authToken].filter((secret) => secret !== undefined)
  const seen = options.record ? recorder(live, environment, options.record, secrets) : live
  return { ...seen, environment, rest: () => 0 }
}

/** The person, if there is one: of nobody there is nothing to write down. In a replay it is the one of the recording, and no other is asked. */
function asksOf({ ask, askPerson, replay }: RunOptions, { asked }: Outside): Asks {
  const none = { ask: nobody, askPerson: noPerson }
  if (replay !== undefined) return asked?.(none) ?? none
  const asks = { ask: ask ?? nobody, askPerson: askPerson ?? noPerson }
  return (ask ?? askPerson) === undefined ? asks : (asked?.(asks) ?? asks)
}

/** A run has one id, however often it is asked for. */
function once(ids: Ids): Ids {
  let id: string | undefined
  return { session: () => (id ??= ids.session()) }
}

function folderOf({ cwd, keep, resume, host }: RunOptions, session: string): RunFolder | undefined {
  if (!host) return undefined
  if (resume) return reopenRunFolder(cwd, resume.id, resume.closure, resume.whole, host)
  return keep && createRunFolder(cwd, session, keep, host)
}

/** A run that goes on has the tools it began with, as far as this version has them. */
function toolsOf({ resume, start, readCode, tools = runTools(start.header, readCode) }: RunOptions): ToolSet {
  if (!resume) return tools
  const offered = offeredTools(resume)
  return (name) => {
    const was = offered(name)
    return 'absent' in was ? was : tools(name)
  }
}

/** Processes that a killed run has left behind carry the mark of the one that goes on. */
async function endLeftOver(processes: ReturnType<typeof openProcesses>): Promise<void> {
  processes.environment()
  await processes.end()
}

async function* only(result: RunResult): AsyncGenerator<RunEvent, RunResult> {
  yield result
  return result
}

async function* closing(events: AsyncGenerator<RunEvent, RunResult>, folder: RunFolder | undefined): AsyncGenerator<RunEvent, RunResult> {
  try {
    return yield* events
  } finally {
    folder?.close()
  }
}
