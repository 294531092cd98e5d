import type { Role } from '../../schemas/values.ts'
import type { Color } from '../../schemas/values.ts'
import type { View } from '../../schemas/shapes/manifest.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import type { LockedTool } from '../../schemas/shapes/server.ts'
import type { AgentDefinition, DroppedAgent } from '../define/definition.ts'
import type { Subject } from '../tool-view/layers.ts'

/** An agent as it really is: the definition that won, those it replaced, and everything computed from it. */
export interface ResolvedAgent {
  definition: AgentDefinition
  /** The replaced definitions, the highest layer first. */
  overrides: AgentDefinition[]
  color: Color
  /** The prompt with the guidance that depends on the tools in view (built-in agents only). */
  prompt: string
  subject: Subject
  views: Record<Role, View>
  /** Caps from specifiers in `tools`, and deny rules from specifiers in `disallowedTools`. */
  limits: Rule[]
  deny: Rule[]
  spawns: 'all' | string[]
  /** The tools of the servers it brings along, where they are locked. */
  mcpTools?: Record<string, LockedTool[]>
  /** Skills whose text is put before the task. */
  skills: string[]
}

export interface Resolution {
  /** In name order (code units). */
  agents: ReadonlyMap<string, ResolvedAgent>
  /** Names whose highest file gives no definition: nothing below it may take its place (design 3). */
  dropped: ReadonlyMap<string, DroppedAgent>
}
