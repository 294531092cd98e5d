import type { ManifestAgent, ManifestHeader } from '../../schemas/shapes/manifest.ts'

/** The notes of an agent as they stand in its prompt, for the whole run. A run that goes on or is replayed takes them from what was kept. */
export interface ShownMemory {
  /** As the agent is told of it. */
  folder: string
  content: string
}

/** What memory adds at the end of a prompt; `undefined` for an agent that has none, or goes without. */
export function memorySection(
  header: Pick<ManifestHeader, 'memory'>,
  { memory: scope }: Pick<ManifestAgent, 'memory'>,
  shown: ShownMemory | undefined,
): string | undefined {
  const text = scope !== undefined && Object.hasOwn(header.memory, scope) ? header.memory[scope] : undefined
  if (!shown || text === undefined) return undefined
  // At once, so that what a note holds is never taken for a place to fill in.
  return text.replace(/\{\{(folder|content)\}\}/g, (_, place: keyof ShownMemory) => shown[place])
}
