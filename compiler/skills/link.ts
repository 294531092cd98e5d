import type { Located } from '../../schemas/source.ts'
import type { AgentDefinition } from '../define/definition.ts'
import type { RemoteSkill } from '../config/remote-skills.ts'
import { callableRemote, type ResolvedSkill, type Skills } from './definition.ts'

/** A name under `skills` of an agent, and what it leads to. */
export interface SkillLink {
  written: Located<string>
  /** The name that the skill is called by; the written one if it leads nowhere. */
  name: string
  skill?: ResolvedSkill
  remote?: RemoteSkill
}

/**
 * What the names under `skills` lead to. A bare name in an agent of a plugin means the plugin's own skill first; a leading `/` is dropped
 * (claude-code-agents.md 8.3; mission M23).
 */
export function skillLinks({ skills, file }: AgentDefinition, all: Skills): SkillLink[] {
  return (skills?.value ?? []).map((written) => {
    const bare = written.value.normalize('NFC').replace(/^\//, '')
    const { plugin } = file.origin
    const names = plugin === undefined || bare.includes(':') ? [bare] : [`${plugin}:${bare}`, bare]
    const name = names.find((candidate) => all.skills.has(candidate) || all.lost.has(candidate)) ?? bare
    const skill = all.skills.get(name)
    const remote = callableRemote(name, all)
    return { written, name, ...(skill && { skill }), ...(remote && { remote }) }
  })
}

/** The skills that are put before an agent's task: those that exist and may be (8.3), each once, as written. */
export function preloaded(agent: AgentDefinition, all: Skills): string[] {
  const links = skillLinks(agent, all).filter(
    ({ skill, remote }) => remote ?? (skill && skill.definition.disableModelInvocation?.value !== true),
  )
  return [...new Set(links.map(({ name }) => name))]
}
