import { MODELS } from '../../schemas/models.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { ManifestHeader, ManifestTool } from '../../schemas/shapes/manifest.ts'
import type { Tool } from '../../schemas/tools.ts'

/** What a run needs that is not one agent's: the tools with their schemas, the models, the limits, the rules of the settings. */
export function manifestHeader(profile: Profile): Omit<ManifestHeader, 'hash'> {
  return {
    agentc: 1,
    profile: profile.name,
    models: { ...MODELS },
    limits: { spawnDepth: profile.spawnDepth, parallelReads: 10, resultChars: 100_000 },
    features: {},
    tools: Object.fromEntries(profile.tools.map((tool) => [tool.name, toolEntry(tool)])),
    skills: {},
    commands: {},
    settings: { bypassDisabled: false, additionalDirectories: [], env: {} },
    memory: {},
    mcpServers: {},
    permissions: { allow: [], ask: [], deny: [] },
    hooks: {},
  }
}

function toolEntry({ description, inputSchema, traits, aliases }: Tool): ManifestTool {
  return {
    description,
    input_schema: inputSchema,
    traits: { readOnly: traits.readOnly },
    ...(aliases.length > 0 && { aliases: [...aliases] }),
  }
}
