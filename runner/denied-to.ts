import type { ManifestAgent, ManifestHeader } from '../schemas/shapes/manifest.ts'
import type { Rule } from '../schemas/shapes/permission.ts'
import type { SkillAtWork } from './context-patch.ts'

interface Subject {
  header: Pick<Readonly<ManifestHeader>, 'permissions'>
  agent: Pick<Readonly<ManifestAgent>, 'deny'>
}

/** What is denied to an agent by the settings and by its own file, in this order. */
export function deniedTo({ header, agent }: Subject): readonly Rule[] {
  return [...header.permissions.deny, ...agent.deny]
}

/** The same with what the skills deny that are at work just now. */
export function deniedNow({ atWork = [], ...subject }: Subject & { atWork?: readonly SkillAtWork[] | undefined }): readonly Rule[] {
  return [...deniedTo(subject), ...atWork.flatMap((skill) => skill.deny ?? [])]
}
