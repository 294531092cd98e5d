/** The public surface of the runner. */
export { readManifest, ManifestFault, type OpenManifest } from '../schemas/manifest.ts'
export { runAgent, type Seams } from './loop.ts'
export { openRun, type OpenRun, type RunOptions } from './open.ts'
export type { Start } from './context.ts'
export type {
  InitEvent,
  ModelEvent,
  NoticeEvent,
  PermissionDenial,
  RetryEvent,
  RunEvent,
  RunResult,
  TerminalReason,
  ToolEvent,
} from './events.ts'
export type { Fault, ModelRequest, Outcome, Reply, Usage } from './message.ts'
export type { ModelClient } from './model/client.ts'
export { RecordingFault } from './model/replay.ts'
export type { Asked, Decide, Decision, Rights } from './permission.ts'
export type { Clock, Ids } from './clock.ts'
export type { Environment } from './environment.ts'
export type { Workspace } from './workspace.ts'
export type { ToolSet } from './tools/registry.ts'
export type { Absent, Tool, ToolContext, ToolOutput } from './tools/tool.ts'
