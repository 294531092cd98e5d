import type { Profile } from '../../schemas/profile.ts'
import type { Tool } from '../../schemas/tools.ts'
import type { Role } from '../../schemas/values.ts'
import { decide, MEMORY_TOOLS, type Decision, type Subject } from './layers.ts'

/** The built-in tools of one view: those it always has, and those it has while the agent is in plan mode. */
export interface BuiltInView {
  tools: string[]
  plan: string[]
}

/** The decision about every tool of the pool in one role, in the pool's order. */
export function decisions(role: Role, subject: Subject, profile: Profile): Decision[] {
  return profile.tools.map((tool) => decide(tool, role, subject, profile))
}

/**
 * Computes a view. An explicit list gives its own order, each tool once, then what memory adds;
 * everything else stands in the order of the pool (measured.md "Tools of a sub-agent").
 */
export function builtInView(role: Role, subject: Subject, profile: Profile): BuiltInView {
  const kept = decisions(role, subject, profile).filter((decision) => decision.kept)
  const plan = kept.filter((decision) => decision.layer === 'plan-mode').map(({ tool }) => tool.name)
  const always = new Set(kept.filter((decision) => decision.layer !== 'plan-mode').map(({ tool }) => tool.name))
  return { tools: ordered(always, subject, profile), plan }
}

function ordered(kept: ReadonlySet<string>, subject: Subject, profile: Profile): string[] {
  if (subject.tools.kind === 'all') return [...kept]
  const written = subject.tools.entries.map((entry) => profile.byName.get(entry.name)).filter((tool): tool is Tool => tool !== undefined)
  const names = [...written.map((tool) => tool.name), ...MEMORY_TOOLS]
  return [...new Set(names)].filter((name) => kept.has(name))
}
