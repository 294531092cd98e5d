import { getsInstructions } from '../../schemas/instructions.ts'
import type { Origin } from '../../schemas/source.ts'
import type { AgentDefinition } from '../define/definition.ts'
import type { Instructions } from '../instructions/instructions.ts'
import { locationOf } from '../report/location.ts'
import { placeText } from './place.ts'
import type { Explained } from './settings.ts'

const WHOSE = {
  policy: 'the organisation’s',
  user: 'the person’s',
  project: 'the project’s',
  local: 'the person’s, for this folder',
} as const

/** CLAUDE.md and what belongs to it, in the order in which the agent gets it; what it does not get says why. */
export function explainInstructions({ file, omitClaudeMd }: AgentDefinition, { section, excluded }: Instructions): Explained[] {
  const agent = { omitClaudeMd: omitClaudeMd?.value, origin: file.origin }
  const files = (section?.files ?? []).map(({ level, origin, importedBy }): Explained => {
    const from = WHOSE[level] + (importedBy ? `, imported by ${locationOf(importedBy as Origin)}` : '')
    const off = getsInstructions(agent, level) ? undefined : `omitClaudeMd at ${placeText(file, omitClaudeMd?.range ?? [0, 0])}`
    return { name: locationOf(origin as Origin), from, overruled: [], ...(off !== undefined && { off }) }
  })
  const left = excluded.map(({ origin, by }): Explained => {
    return { name: locationOf(origin), from: 'left out', overruled: [], off: `claudeMdExcludes at ${placeText(by.file, by.range)}` }
  })
  return [...files, ...left]
}
