import { readManifest } from '../../../schemas/manifest.ts'
import type { RunOptions } from '../../../runner/run-options.ts'
import type { Start } from '../../../runner/index.ts'
import { type AgentParts, type HeaderParts, manifestText } from '../manifest-fixture.ts'

export interface Cast {
  start: Start
  agents: NonNullable<RunOptions['agents']>
  keep: { text: string; hash: string }
}

/** A manifest of several agents, and the first of them ready to be run. */
export function cast(agents: Readonly<Record<string, AgentParts>>, prompt = 'go', parts: HeaderParts = {}): Cast {
  const text = manifestText(agents, parts)
  const open = readManifest(text)
  const name = Object.keys(agents)[0]!
  const start = { header: open.header, name, agent: open.agents.get(name)!, prompt }
  return { start, agents: open.agents, keep: { text, hash: open.header.hash } }
}

/** A call of a tool in a scripted reply. */
export function call(name: string, input: object, id?: string): object {
  return { type: 'tool_use', name, input, ...(id !== undefined && { id }) }
}
