import type { AgentDefinition } from '../define/definition.ts'
import { locationOf } from '../report/location.ts'
import type { SkillDefinition, Skills } from '../skills/definition.ts'
import { skillLinks, type SkillLink } from '../skills/link.ts'
import { placeText } from './place.ts'

/** A name under `skills` of an agent: where it leads, or why it leads nowhere, and which files it replaced. */
export interface ExplainedSkill {
  name: string
  from: string
  overruled: string[]
}

export function explainSkills(agent: AgentDefinition, all: Skills): ExplainedSkill[] {
  return skillLinks(agent, all).map((link) => ({
    name: link.name,
    from: fromOf(link, all),
    overruled: link.skill?.overrides.map(placeOf) ?? [],
  }))
}

function fromOf({ name, skill, remote }: SkillLink, { lost }: Skills): string {
  if (skill) return placeOf(skill.definition) + (skill.definition.disableModelInvocation?.value ? ', for people only: left out' : '')
  if (remote) {
    const { file, at, address, digest } = remote
    return `${address}, pinned to ${digest.slice(0, 'sha256:'.length + 12)}… at ${placeText(file, at)}`
  }
  const file = lost.get(name)
  return file ? `${locationOf(file.origin)} cannot be read: left out` : 'not found: left out'
}

function placeOf({ file, at }: SkillDefinition): string {
  return placeText(file, at)
}
