import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { folded } from '../../schemas/near.ts'
import { switchedOff } from '../findings/server.ts'
import { lostValue } from '../findings/settings.ts'
import { blockedBy } from '../settings/server-lists.ts'
import { pluginsOnly, type Settings, type Switch } from '../settings/settings.ts'
import { placeIn } from '../source-file.ts'
import type { DeclaredServer } from './server.ts'

/** The part of the settings that is about servers. */
export type ServerSwitches = Pick<Settings, 'servers' | 'switches'>

/**
 * Leaves out what the settings switch off: servers of `.mcp.json` that `disabledMcpjsonServers` names, all of the user's and the project's
 * where only plugins may bring some (claude-code-agents.md 3.4, 10.3), and what lists of servers deny or do not allow. Each is said where it is set up.
 */
export function withoutSwitchedOff(
  declared: readonly DeclaredServer[],
  settings: ServerSwitches,
): { declared: DeclaredServer[]; diagnostics: Diagnostic[] } {
  const left: DeclaredServer[] = []
  const diagnostics: Diagnostic[] = []
  for (const server of declared) {
    const by = switchFor(server, settings)
    if (by) diagnostics.push(switchedOff(server.file, server.range, server.name, by.key, placeIn(by.file, by.range)))
    else left.push(server)
  }
  return { declared: left, diagnostics: [...diagnostics, ...misspelt(declared, settings)] }
}

/** Names that switch nothing off, although a server of the project has the same letters. Others may be meant for other projects. */
function misspelt(declared: readonly DeclaredServer[], { servers }: ServerSwitches): Diagnostic[] {
  const names = declared.filter(({ scope }) => scope === 'project').map(({ name }) => name)
  return servers.disabled.flatMap(({ value, file, range }) => {
    const meant = names.includes(value) ? undefined : names.find((name) => folded(name) === folded(value))
    return meant === undefined ? [] : [lostValue(file, range, 'disabledMcpjsonServers', `the name of a server, as \`${meant}\` is`)]
  })
}

function switchFor(server: DeclaredServer, settings: ServerSwitches): Switch | undefined {
  const { scope, name } = server
  const { servers, switches } = settings
  const strict = pluginsOnly('mcp', scope === 'local' ? 'user' : scope, { switches })
  if (strict) return strict
  const listed = blockedBy(server, settings)
  if (listed) return listed
  const disabled = scope === 'project' ? servers.disabled.find(({ value }) => value === name) : undefined
  return disabled && { ...disabled, key: 'disabledMcpjsonServers' }
}
