import { getsInstructions } from '../../schemas/instructions.ts'
import type { Origin } from '../../schemas/source.ts'
import type { AgentDefinition } from '../define/definition.ts'
import type { Instructions } from '../instructions/instructions.ts'
import { positionOf } from '../position.ts'
import { locationOf } from '../report/location.ts'
import { placed } from '../settings/settings.ts'
import { shownPlace, type Explained } from './settings.ts'

const WHOSE = {
  policy: 'the organisation’s',
  user: 'the person’s',
  project: 'the project’s',
  local: 'the person’s, for this folder',
} as const

/** CLAUDE.md and what belongs to it, in the order in which the agent gets it; what it does not get says why. */
export function explainInstructions(definition: AgentDefinition, { section, excluded }: Instructions): Explained[] {
  const agent = { omitClaudeMd: definition.omitClaudeMd?.value, origin: definition.file.origin }
  const files = (section?.files ?? []).map(({ level, origin, importedBy }): Explained => {
    const from = WHOSE[level] + (importedBy ? `, imported by ${locationOf(importedBy as Origin)}` : '')
    const off = getsInstructions(agent, level) ? undefined : `omitClaudeMd at ${placeOf(definition)}`
    return { name: locationOf(origin as Origin), from, overruled: [], ...(off !== undefined && { off }) }
  })
  const left = excluded.map(({ origin, by }): Explained => {
    return { name: locationOf(origin), from: 'left out', overruled: [], off: `claudeMdExcludes at ${shownPlace(placed(by))}` }
  })
  return [...files, ...left]
}

function placeOf({ file, omitClaudeMd }: AgentDefinition): string {
  const { line, column } = positionOf(file.text, omitClaudeMd?.range[0] ?? 0)
  return `${locationOf(file.origin)}:${line}:${column}`
}
