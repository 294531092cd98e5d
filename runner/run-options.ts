import type { ManifestAgent } from '../schemas/shapes/manifest.ts'
import type { Past } from './begun.ts'
import type { Clock, Ids } from './clock.ts'
import type { Start } from './context.ts'
import type { Environment } from './environment.ts'
import type { LiveOptions } from './model/live.ts'
import type { Ask } from './permission/decide.ts'
import type { Grants } from './permission/grants.ts'
import type { Person } from './person.ts'
import type { Host } from './processes.ts'
import type { ReadCode } from './tools/custom.ts'
import type { ToolSet } from './tools/registry.ts'
import type { AskPerson } from './tools/tool.ts'
import type { Workspace } from './workspace.ts'

/** What a run is opened with. */
export interface RunOptions {
  start: Start
  cwd: string
  home?: string | undefined
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  api: LiveOptions
  /** The process that runs this, `process` itself; without it nothing is kept and no process is ended. */
  host?: Host | undefined
  /** Keeps the run in `.agentc/runs`, with this manifest beside its transcript. */
  keep?: { text: string; hash: string } | undefined
  /** Goes on with a run that is kept. `start` is the run's own. */
  resume?: Resume | undefined
  /** Gets the lines of a recording, each as it is made. */
  record?: ((line: string) => void) | undefined
  /** The text of a recording: the run is answered from it and nothing is sent. */
  replay?: string | undefined
  clock?: Clock
  ids?: Ids
  /** agentc's version, which MCP servers are told. */
  version?: string | undefined
  /** Other tools than the built-in ones. */
  tools?: ToolSet | undefined
  /** Asks the person about a call; without it there is none. */
  ask?: Ask | undefined
  /** What the person has allowed from now on, for runs that are parts of one session. */
  grants?: Grants | undefined
  /** Reads the code of the project's own tools, by its hash; without it they are not there. */
  readCode?: ReadCode | undefined
  /** Puts a question of the agent to the person; without it nobody is there. */
  askPerson?: AskPerson | undefined
  /** Says what comes after a piece of work: the run is a conversation. Without it, it ends with the first. */
  person?: Person | undefined
  /** The agents of the manifest that this one may start, and those below it; without them none may. */
  agents?: ReadonlyMap<string, ManifestAgent> | undefined
  /** Where plugins lie, by name, for the hooks and servers that run from there. */
  pluginFolders?: Readonly<Record<string, string>> | undefined
  /** Skills that are kept elsewhere may be had from this machine without TLS: for tests. */
  loopbackSkills?: boolean | undefined
  /** Where the managed files are, and what comes with agentc. */
  layers?: Pick<Workspace, 'managed' | 'bundled'> | undefined
  /** How long an agent that is done waits for those in the background. */
  backgroundMs?: number | undefined
}

/** A run that is kept, and what it is gone on with. */
export interface Resume extends Past {
  id: string
  environment: Environment
  offered: readonly string[]
  closure: string
  /** Length of the transcript without a torn last line. */
  whole: number
}
