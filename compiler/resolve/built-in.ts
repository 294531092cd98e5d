import type { AgentDefinition } from '../define/definition.ts'

/** Built-in agents that are offered only when a feature is on (M5, M11). */
const GATED: Readonly<Record<string, string>> = { verification: 'verification' }

/** All definitions but the built-in ones whose feature is off. */
export function offered(definitions: readonly AgentDefinition[], features: ReadonlySet<string>): AgentDefinition[] {
  return definitions.filter(({ file, name }) => {
    const feature = file.origin.source === 'builtin' ? GATED[name.value] : undefined
    return feature === undefined || features.has(feature)
  })
}
