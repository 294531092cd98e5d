import { FAMILY_GUIDANCE } from '../../schemas/model-families.ts'
import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { AgentDefinition } from '../define/definition.ts'

interface OfAgent {
  definition: Pick<AgentDefinition, 'file'>
}

/** Whether a prompt gets the guidance of its model's family: those of built-in agents do; that of a file is complete as it is (M2). */
export function wantsGuidance({ definition }: OfAgent): boolean {
  return definition.file.origin.source === 'builtin'
}

/** The texts for a manifest in which some agent wants them. The model is known when a run begins, so all families are there. */
export function guidanceFor(agents: readonly OfAgent[]): Pick<ManifestHeader, 'guidance'> {
  return agents.some(wantsGuidance) ? { guidance: { ...FAMILY_GUIDANCE } } : {}
}
