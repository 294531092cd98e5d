import { getsInstructions } from '../schemas/instructions.ts'
import type { Start } from './context.ts'

/**
 * What people have written down for all agents, as the manifest holds it, with what this agent is to be without left out; `undefined` where
 * nothing is left. It is text for the model and decides nothing, so a project need not be trusted for it.
 */
export function instructionsFor({ header: { instructions }, agent }: Pick<Start, 'header' | 'agent'>): string | undefined {
  const files = (instructions?.files ?? []).filter(({ level }) => getsInstructions(agent, level))
  return files.length === 0 ? undefined : [instructions!.intro, ...files.map(({ text }) => text)].join('\n\n')
}
