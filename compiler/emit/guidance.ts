import type { AgentDefinition } from '../define/definition.ts'

interface OfAgent {
  definition: Pick<AgentDefinition, 'file'>
}

/** Whether a prompt gets the guidance of its model's family: those of built-in agents do; that of a file is complete as it is (M2). */
export function wantsGuidance({ definition }: OfAgent): boolean {
  return definition.file.origin.source === 'builtin'
}
