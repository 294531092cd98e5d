import { canonicalJson } from '../../schemas/canonical.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { mcpToolName } from '../../schemas/mcp-tools.ts'
import type { LockedTool, McpLock } from '../../schemas/shapes/server.ts'
import { toolChanged } from '../findings/server.ts'
import { allTools, type Lock } from '../servers/lock-file.ts'

/**
 * What servers say otherwise than when they were locked: tools with another description or schema, tools that came, tools that went. A
 * server that was not locked before, and one that is no longer set up, is the project's own change and nothing to warn of.
 */
export function changedTools({ file, content, rangeOf }: Lock, now: McpLock): Diagnostic[] {
  const before = new Map(allTools(content).map((item) => [keyOf(item), item]))
  const after = new Map(allTools(now).map((item) => [keyOf(item), item]))
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((key) => {
    const [old, fresh] = [before.get(key), after.get(key)]
    const { server, agent, tool } = (old ?? fresh)!
    if (listOf(content, server, agent) === undefined || listOf(now, server, agent) === undefined) return []
    const change = changeOf(old?.tool, fresh?.tool)
    return change === undefined ? [] : [toolChanged(file, rangeOf(server, tool.name, agent), mcpToolName(server, tool.name), change)]
  })
}

function keyOf({ server, agent, tool }: { server: string; agent?: string; tool: LockedTool }): string {
  return JSON.stringify([agent ?? null, server, tool.name])
}

function listOf({ servers, agents = {} }: McpLock, server: string, agent: string | undefined): unknown {
  return agent === undefined ? servers[server] : agents[agent]?.[server]
}

/** The end of a sentence about a tool. */
function changeOf(old: LockedTool | undefined, now: LockedTool | undefined): string | undefined {
  if (!old) return 'is new: its server did not have it when it was locked'
  if (!now) return 'is gone: its server no longer has it'
  if (old.hash === now.hash) return undefined
  if (old.description !== now.description)
    return `has another description: it was ${excerpt(old.description, now.description)}, now it is ${excerpt(now.description, old.description)}`
  if (canonicalJson(old.input_schema) !== canonicalJson(now.input_schema)) return 'takes another input than when it was locked'
  return now.readOnly ? 'says that it only reads, which it did not say before' : 'no longer says that it only reads'
}

const SHOWN = 120
const BEFORE = 30

/** The part of a text in which it differs from the other, on one line, with what cannot be seen written out. */
function excerpt(text: string, other: string): string {
  let same = 0
  while (same < text.length && text[same] === other[same]) same += 1
  const from = same > SHOWN - BEFORE ? same - BEFORE : 0
  const part = text.slice(from, from + SHOWN)
  const line = JSON.stringify(`${from > 0 ? '…' : ''}${part}${from + SHOWN < text.length ? '…' : ''}`)
  return line.replaceAll(/[\p{Cf}\p{Cc}\u2028\u2029]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
}
