import { MODELS } from '../../schemas/models.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { ManifestHeader, ManifestTool } from '../../schemas/shapes/manifest.ts'
import type { Tool } from '../../schemas/tools.ts'
import type { KnownServers } from '../servers/locked-tools.ts'
import type { Server } from '../servers/server.ts'
import { originAt } from '../source-file.ts'

/** What a run needs that is not one agent's: the tools with their schemas, the models, the limits, the rules of the settings. */
export function manifestHeader(
  profile: Profile,
  { servers, lock }: KnownServers,
  limits: Partial<ManifestHeader['limits']> = {},
): Omit<ManifestHeader, 'hash'> {
  return {
    agentc: 1,
    profile: profile.name,
    models: { ...MODELS },
    limits: { spawnDepth: profile.spawnDepth, parallelReads: 10, resultChars: 100_000, ...limits },
    features: {},
    tools: Object.fromEntries(profile.tools.map((tool) => [tool.name, toolEntry(tool)])),
    skills: {},
    commands: {},
    settings: { bypassDisabled: false, additionalDirectories: [], env: {} },
    memory: {},
    mcpServers: Object.fromEntries([...servers.values()].map((server) => [server.name, serverEntry(server)])),
    ...(lock && { mcpTools: lock.content.servers }),
    permissions: { allow: [], ask: [], deny: [] },
    hooks: {},
  }
}

/** What a file says about a server, and where. The text that the place is counted in hides secrets, and keeps its lines. */
function serverEntry({ config, file, range }: Server): ManifestHeader['mcpServers'][string] {
  return { config, origin: originAt(file, range) }
}

function toolEntry({ description, inputSchema, traits, aliases, code }: Tool): ManifestTool {
  return {
    description,
    input_schema: inputSchema,
    traits: { readOnly: traits.readOnly, ...(traits.polling && { polling: true as const }) },
    ...(aliases.length > 0 && { aliases: [...aliases] }),
    ...(code && { code }),
  }
}
