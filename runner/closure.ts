import { type OpenManifest, topHash, writeManifest } from '../schemas/manifest.ts'

/** A manifest of some agents: the same form, the same header, its own hash. `names` must have been read. */
export function closureText(open: OpenManifest, names: readonly string[]): { text: string; hash: string } {
  const { hash: _, ...header } = open.header
  const agents = new Map(names.flatMap((name) => (open.agents.has(name) ? [[name, open.agents.get(name)!] as const] : [])))
  const pairs = [...agents].map(([name, agent]) => [name, agent.hash] as const)
  return { text: writeManifest(header, agents), hash: topHash(header, pairs) }
}

/** The agents that skills of the manifest run in. A person may call them whatever tools the agent has. */
function skillAgents({ header }: OpenManifest): string[] {
  const all = [...Object.values(header.skills), ...Object.values(header.commands)]
  return all.flatMap(({ context, agent = 'general-purpose' }) => (context === 'fork' ? [agent] : []))
}

/** The agent and all that it can spawn, at any depth. Without the tool that spawns, an agent is alone. */
export function closureNames(open: OpenManifest, name: string, canSpawn: boolean): readonly string[] {
  const names = new Set([name])
  if (!canSpawn) return [...names]
  for (const each of names) {
    const agent = open.agents.get(each)
    for (const other of agent ? skillAgents(open) : []) if (open.names.includes(other)) names.add(other)
    const spawns = agent && Object.values(agent.toolViews).some((view) => view.tools.includes('Agent')) ? agent.spawns : []
    for (const other of spawns === 'all' ? open.names : spawns) if (open.names.includes(other)) names.add(other)
  }
  return [...names].sort()
}
