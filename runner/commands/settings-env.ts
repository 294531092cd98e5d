import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Who pays, and where agentc itself looks for what the person keeps: not for a file to say. */
const OWN = /^(?:ANTHROPIC_.*|HOME|CLAUDE_CONFIG_DIR)$/

/**
 * The environment of a run's commands, servers and hooks: the person's, with what the settings add (`env`). A secret is written there as a
 * reference to itself, and so comes from the person's.
 */
export function withSettings(env: Env, { env: added }: ManifestHeader['settings']): Env {
  const set = Object.entries(added).filter(([name, { value }]) => !OWN.test(name) && value !== `\${${name}}`)
  return { ...env, ...Object.fromEntries(set.map(([name, { value }]) => [name, value])) }
}
