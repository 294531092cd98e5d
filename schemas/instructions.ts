import type { Source } from './source.ts'
import type { InstructionLevel } from './values.ts'

interface OfAgent {
  omitClaudeMd?: boolean | undefined
  origin: { source: Source }
}

/**
 * Whether an agent gets the instructions of a level. `omitClaudeMd` leaves out those of the person and the project; the organisation's hold
 * for every agent but its own, which are written with them in mind (claude-code-agents.md 1.2).
 */
export function getsInstructions({ omitClaudeMd, origin }: OfAgent, level: InstructionLevel): boolean {
  return !omitClaudeMd || (level === 'policy' && origin.source !== 'policy')
}
