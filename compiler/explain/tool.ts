import type { Profile } from '../../schemas/profile.ts'
import { ROLES, type Role } from '../../schemas/values.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import type { Settings } from '../settings/settings.ts'
import { decide, type Decision } from '../tool-view/layers.ts'
import { placeText } from './place.ts'
import { denialOf } from './settings.ts'

/** Why a tool is in or out, role by role. */
export interface ToolReason {
  tool: string
  roles: Record<Role, { in: boolean; why: string }>
}

export function toolReasons(agent: ResolvedAgent, profile: Profile, settings: Settings): ToolReason[] {
  const plan = agent.definition.permissionMode?.value === 'plan'
  return profile.tools.map((tool) => {
    const reason = (role: Role): { in: boolean; why: string } => {
      const decision = decide(tool, role, agent.subject, profile)
      return { in: decision.kept && (plan || decision.layer !== 'plan-mode'), why: why(decision, agent, settings) }
    }
    return { tool: tool.name, roles: Object.fromEntries(ROLES.map((role) => [role, reason(role)])) as ToolReason['roles'] }
  })
}

const FIXED: Partial<Record<Decision['layer'], string>> = {
  bash: 'this program searches through Bash, and Monitor goes with it',
  person: 'only where a person sits in front of it',
  'sub-agents': 'no sub-agent gets it',
  depth: 'a sub-agent at the depth limit starts no others',
  'plan-mode': 'only while the agent is in plan mode',
  'custom-agents': 'only built-in agents get it',
  background: 'no agent in the background gets it',
}

function why(decision: Decision, { definition, subject }: ResolvedAgent, settings: Settings): string {
  if (decision.layer === 'settings')
    return `taken from everyone by the deny rule ${denialOf(decision.tool.name, settings) ?? 'of the settings'}`
  const fixed = FIXED[decision.layer]
  if (fixed !== undefined) return fixed
  if (decision.layer === 'disallowedTools') return `taken away by ${writtenAt('disallowedTools', decision.entry, definition)}`
  if (decision.layer === 'memory') return `added by ${writtenAt('memory', decision.entry, definition)}`
  if (!decision.kept) return `not in ${writtenAt('tools', decision.entry, definition)}`
  return subject.tools.kind === 'all' ? 'no list restricts it' : `granted by ${writtenAt('tools', decision.entry, definition)}`
}

/** The key of a field, and where its entry or else the whole value stands. */
export function writtenAt(key: string, entry: Decision['entry'], { file, places }: ResolvedAgent['definition']): string {
  const range = entry?.range ?? places.get(key)?.value
  return range ? `${key} at ${placeText(file, range)}` : key
}
