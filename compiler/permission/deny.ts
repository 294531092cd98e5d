import type { Profile } from '../../schemas/profile.ts'
import type { Mcp } from '../../schemas/shapes/manifest.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'

/** Whole tools that deny rules take from everyone, so that no model is ever offered them (claude-code-agents.md 5.1). */
export function settingsDeny(deny: readonly Rule[], { tools }: Profile): Set<string> {
  const names = bare(deny).filter((name) => !name.startsWith('mcp__'))
  return new Set(tools.map(({ name }) => name).filter((name) => names.some((pattern) => fits(pattern, name))))
}

/** MCP servers and tools that deny rules take from everyone; `*` and `mcp__*` are all of them. */
export function settingsMcpDeny(deny: readonly Rule[]): Mcp {
  const names = bare(deny)
  if (names.some((name) => fits(name, 'mcp__') || /^mcp__\*(?:__\*)?$/.test(name))) return 'all'
  return names
    .filter((name) => name.startsWith('mcp__'))
    .map((name) => {
      const [, server, tool] = /^mcp__(.*?)(?:__(.*))?$/s.exec(name)!
      return { server: server!, tool: tool || '*' }
    })
}

function bare(rules: readonly Rule[]): string[] {
  return rules.filter(({ match }) => match === undefined).map(({ tool }) => tool)
}

/** Whether a name fits a pattern in which a star stands for anything. No regular expression is made of what a stranger wrote. */
export function fits(pattern: string, name: string): boolean {
  const [first, ...rest] = pattern.split('*') as [string, ...string[]]
  if (rest.length === 0) return pattern === name
  const last = rest.pop()!
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= name.length - last.length
}
