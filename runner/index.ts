/** The public surface of the runner. */
export { readManifest, ManifestFault, type OpenManifest } from '../schemas/manifest.ts'
export { runAgent, type Seams } from './loop.ts'
export { openRun, type OpenRun } from './open.ts'
export type { RunOptions } from './run-options.ts'
export type { Start } from './context.ts'
export type {
  FallbackEvent,
  InitEvent,
  ModelEvent,
  NoticeEvent,
  PermissionDenial,
  RetryEvent,
  RunEvent,
  RunResult,
  SubagentStats,
  TaskEvent,
  TerminalReason,
  ToolEvent,
} from './events.ts'
export type { Fault, ModelRequest, Outcome, Reply, Usage } from './message.ts'
export type { ModelClient } from './model/client.ts'
export { RecordingFault } from './model/replay.ts'
export type { Host } from './processes.ts'
export { verifyRun, type Verdict } from './transcript/verify.ts'
export { readTranscript, DamagedTranscript, type ReadTranscript } from './transcript/read.ts'
export { TranscriptFault } from './transcript/transcript.ts'
export type { TranscriptLine } from './transcript/line.ts'
export type { Asked, Decide, Decision, Rights } from './permission/decide.ts'
export type { Clock, Ids } from './clock.ts'
export type { Environment } from './environment.ts'
export type { Workspace } from './workspace.ts'
export type { ToolSet } from './tools/registry.ts'
export type { Absent, Tool, ToolContext, ToolOutput } from './tools/tool.ts'
