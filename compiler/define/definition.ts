import type { Located, Range } from '../../schemas/source.ts'
import type { HookGroup, Hooks } from '../../schemas/shapes/hook.ts'
import type { ServerUse } from '../../schemas/shapes/server.ts'
import type { Color, Effort, Isolation, MemoryScope, PermissionMode } from '../../schemas/values.ts'
import type { SourceFile } from '../source-file.ts'

/** One entry of `tools` or `disallowedTools`, as written: `Bash(git *)` has the name `Bash` and the specifier `git *`. */
export interface ToolEntry {
  text: string
  name: string
  specifier?: string
  range: Range
}

/** M3: absent or `*` is everything, an empty list nothing, a list only these. */
export type ToolSelector = { kind: 'all' } | { kind: 'only'; entries: ToolEntry[] }

/** The fields that may be absent, each with the place of its value. A wrong value is reported and the field left out. */
export interface OptionalFields {
  model?: Located<ModelChoice>
  effort?: Located<Effort>
  maxTurns?: Located<number>
  permissionMode?: Located<PermissionMode>
  background?: Located<boolean>
  initialPrompt?: Located<string>
  isolation?: Located<Isolation>
  memory?: Located<MemoryScope>
  color?: Located<Color>
  skills?: Located<Located<string>[]>
  mcpServers?: Located<Located<ServerUse>[]>
  hooks?: Located<Hooks>
  omitClaudeMd?: Located<boolean>
  requiredMcpServers?: Located<string[]>
  criticalSystemReminder_EXPERIMENTAL?: Located<string>
  cacheTtl?: Located<'5m' | '1h'>
  autoCompactWindow?: Located<number>
}

/** A model as written, pinned: a full id or `inherit`. */
export interface ModelChoice {
  id: string
  contextWindow?: '1m'
}

/** What one file says about one agent; nothing in it comes from another file. */
export interface AgentDefinition extends OptionalFields {
  file: SourceFile
  /** The identity: `reviewer`, or `plugin:folder:reviewer`. */
  name: Located<string>
  description: Located<string>
  prompt: string
  tools: ToolSelector
  disallowedTools: ToolEntry[]
  /** `hooks` that is no map, or the first hook directly under its event; some hosts lose the agent for it. */
  looseHook?: Range
  /** The command lines of its hooks, where they are written. */
  hookCommands?: Located<string>[]
  /** Where each group of its hooks stands. */
  hookPlaces?: ReadonlyMap<HookGroup, Range>
  /** Key to place of its value, for every known key that was written. */
  places: ReadonlyMap<string, { key: Range; value: Range }>
}

/** An agent of which no definition can be read: its place in the list is kept, so that nothing vanishes. */
export interface DroppedAgent {
  file: SourceFile
  name: string
  /** Code of the finding that says why. */
  code: string
}
