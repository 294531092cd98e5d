import { fillIn, serverEnvironment } from '../../schemas/server-variables.ts'
import type { ServerConfig } from '../../schemas/shapes/server.ts'
import { type Connect, type Reach, Unreachable, type Wire, type WireEvents } from './wire.ts'

/** What a server is opened in. `env` and `processes` are those of the run. */
export interface Surroundings extends Omit<Reach, 'config' | 'env'> {
  env: Readonly<Record<string, string | undefined>>
  /** Of the plugin that the server comes with. */
  pluginRoot?: string | undefined
  connect?: Connect
}

/**
 * Opens the way to a server: its settings are filled in from the environment here and nowhere before, and the SDK is loaded with the first
 * server. A variable that is not set is never sent as its name: the server is not started. Throws `Unreachable`.
 */
export async function openServer(config: ServerConfig, events: WireEvents, surroundings: Surroundings): Promise<Wire> {
  const { env, cwd, pluginRoot, processes, connect = (await import('./client.ts')).connect, ...rest } = surroundings
  const values = { ...env, CLAUDE_PROJECT_DIR: cwd, CLAUDE_PLUGIN_ROOT: pluginRoot }
  const filled = fillIn(config, values)
  if ('unset' in filled) throw new Unreachable(`the variable ${filled.unset}, which its settings name, is not set`)
  const environment = filled.config.type === 'stdio' ? serverEnvironment(config, filled.config, values) : {}
  return connect({ ...rest, config: filled.config, env: environment, cwd, processes: processes.part() }, events)
}
