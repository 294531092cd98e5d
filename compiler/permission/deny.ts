import { mcpPattern } from '../../schemas/mcp-tools.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { Mcp } from '../../schemas/shapes/manifest.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import { starFits } from '../../schemas/star.ts'

/** Whole tools that deny rules take from everyone, so that no model is ever offered them (claude-code-agents.md 5.1). */
export function settingsDeny(deny: readonly Rule[], { tools }: Profile): Set<string> {
  const names = bare(deny).filter((name) => !name.startsWith('mcp__'))
  return new Set(tools.map(({ name }) => name).filter((name) => names.some((pattern) => starFits(pattern, name))))
}

/** MCP servers and tools that deny rules take from everyone; `*` and `mcp__*` are all of them. */
export function settingsMcpDeny(deny: readonly Rule[]): Mcp {
  const names = bare(deny)
  if (names.some((name) => starFits(name, 'mcp__') || /^mcp__\*(?:__\*)?$/.test(name))) return 'all'
  return names.filter((name) => name.startsWith('mcp__')).map(mcpPattern)
}

function bare(rules: readonly Rule[]): string[] {
  return rules.filter(({ match }) => match === undefined).map(({ tool }) => tool)
}
