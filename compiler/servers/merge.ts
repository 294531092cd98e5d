import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { inToolName } from '../../schemas/mcp-tools.ts'
import * as say from '../findings/server.ts'
import { placeIn } from '../source-file.ts'
import type { DeclaredServer, Server, Servers } from './server.ts'

/**
 * In: the servers of all files, lowest precedence first. Out: the one that counts for each name, with those it replaced: local beats project
 * beats user beats plugin, and a whole entry wins (claude-code-agents.md 10.3). A policy that sets up servers is the only source of any.
 */
export function mergeServers(declared: readonly DeclaredServer[]): { servers: Servers; diagnostics: Diagnostic[] } {
  const byPolicy = declared.filter(({ scope }) => scope === 'policy')
  const shut = byPolicy.length === 0 ? [] : declared.filter(({ scope }) => scope !== 'policy')
  const chains = new Map<string, DeclaredServer[]>()
  for (const server of byPolicy.length === 0 ? declared : byPolicy) chains.set(server.name, [...(chains.get(server.name) ?? []), server])
  const servers = new Map<string, Server>()
  for (const name of [...chains.keys()].sort()) {
    const [winner, ...overruled] = chains.get(name)!.toReversed() as [DeclaredServer, ...DeclaredServer[]]
    servers.set(name, { ...winner, overruled: [...overruled, ...shut.filter((server) => server.name === name).toReversed()] })
  }
  const outside = shut.map(({ file, range, name }) => say.policyOnly(file, range, name))
  return { servers, diagnostics: [...outside, ...samePrefix([...servers.values()])] }
}

/** Names that become one in the names of tools: `my server` and `my_server`. */
function samePrefix(servers: readonly Server[]): Diagnostic[] {
  const first = new Map<string, Server>()
  return servers.flatMap((server) => {
    const prefix = `mcp__${inToolName(server.name)}__`
    const before = first.get(prefix)
    first.set(prefix, before ?? server)
    return before ? [say.samePrefix(server.file, server.range, server.name, prefix, before.name, placeIn(before.file, before.range))] : []
  })
}
