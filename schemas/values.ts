/** The closed sets of values that a field may have. Sources: mission.md M2 and M10, measured.md "Accepted values". */

export const COLORS = ['red', 'blue', 'green', 'yellow', 'purple', 'orange', 'pink', 'cyan'] as const
export type Color = (typeof COLORS)[number]

export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number] | number

/** `manual` is a later spelling of `default`; it is accepted in files and normalised. */
export const PERMISSION_MODES = ['default', 'acceptEdits', 'auto', 'bypassPermissions', 'dontAsk', 'plan'] as const
export type PermissionMode = (typeof PERMISSION_MODES)[number]

/** Whether commands have to run in walls, from the loosest to the strictest. What a file may ask for is never looser than what holds anyway. */
export const SANDBOX_MODES = ['off', 'auto', 'required'] as const
export type SandboxMode = (typeof SANDBOX_MODES)[number]
export const SANDBOX_DEMANDS = ['auto', 'required'] as const
export type SandboxDemand = (typeof SANDBOX_DEMANDS)[number]

export const MEMORY_SCOPES = ['user', 'project', 'local'] as const
export type MemoryScope = (typeof MEMORY_SCOPES)[number]

export const ISOLATIONS = ['worktree', 'remote'] as const
export type Isolation = (typeof ISOLATIONS)[number]

/** The views that are computed ahead; `leaf` is a sub-agent at the depth limit. */
export const ROLES = ['main', 'sub', 'leaf', 'background'] as const
export type Role = (typeof ROLES)[number]

export const HOOK_EVENTS = [
  'SessionStart',
  'Setup',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'MessageDisplay',
  'SubagentStart',
  'SubagentStop',
  'TaskCreated',
  'TaskCompleted',
  'Stop',
  'StopFailure',
  'TeammateIdle',
  'InstructionsLoaded',
  'ConfigChange',
  'CwdChanged',
  'DirectoryAdded',
  'FileChanged',
  'WorktreeCreate',
  'WorktreeRemove',
  'PreCompact',
  'PostCompact',
  'Elicitation',
  'ElicitationResult',
  'SessionEnd',
  'PreModelSwitch',
  'PostModelSwitch',
] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

/** Events that `agentc run` has a moment for; hooks of the others run in Claude Code only. */
export const RUN_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'StopFailure',
  'PreCompact',
  'PostCompact',
  'WorktreeCreate',
  'WorktreeRemove',
  'SessionEnd',
] as const satisfies readonly HookEvent[]

export const HOOK_TYPES = ['command', 'prompt', 'agent', 'http', 'mcp_tool'] as const
export type HookType = (typeof HOOK_TYPES)[number]

/** An agent's name is at most this many UTF-16 units (claude-code-agents.md 2.1). */
export const NAME_LIMIT = 256

/** A file of more bytes is an error (measured.md: the real program refuses it too). */
export const FILE_LIMIT = 1_048_576

/** Whose instructions are in a CLAUDE.md, in the order in which a model gets them; `local` is a person's own for one folder. */
export const INSTRUCTION_LEVELS = ['policy', 'user', 'project', 'local'] as const
export type InstructionLevel = (typeof INSTRUCTION_LEVELS)[number]

/** A file with instructions of more bytes is left out (claude-code-agents.md 11.1). */
export const INSTRUCTIONS_LIMIT = 4 * 1_048_576

/** So many files deep instructions may import others (claude-code-agents.md 11.1). */
export const IMPORT_HOPS = 4

/** Which instructions of the user and the project are read: those in CLAUDE.md, in AGENTS.md, or none (code.claude.com, "memory", 2.1.285). */
export const INSTRUCTION_MODES = ['claude-md-or-agents-md', 'claude-md-and-agents-md', 'claude-md', 'managed-only'] as const
export type InstructionMode = (typeof INSTRUCTION_MODES)[number]
