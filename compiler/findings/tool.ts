import type { Diagnostic, Fix } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** Findings about `tools` and `disallowedTools`. */

const replace = (at: Range, text: string): Fix => ({ title: `Write \`${text}\``, edits: [{ range: at, text }] })

export function emptyTools(file: SourceFile, at: Range): Diagnostic {
  return finding('tool/empty', placeIn(file, at), '`tools` is written with nothing after it, so the agent gets no tool at all.', {
    help: 'Write `tools: []` if that is meant, or remove the key to give it all tools.',
  })
}

export function toolItemType(file: SourceFile, at: Range, key: string, type: string): Diagnostic {
  const effect = key === 'tools' ? 'grants' : 'denies'
  return finding(
    'tool/type',
    placeIn(file, at),
    `An entry of \`${key}\` is ${type} instead of the name of a tool, so it ${effect} nothing.`,
    {
      help: 'Write the name of one tool, such as `- Read`, or remove the entry.',
    },
  )
}

export function toolsType(file: SourceFile, at: Range, key: string, type: string): Diagnostic {
  const effect = key === 'tools' ? 'the agent gets no tool at all' : 'nothing is denied'
  const none = key === 'tools' ? ', `tools: []` for none' : ''
  return finding('tool/type', placeIn(file, at), `\`${key}\` is ${type} instead of names of tools, so ${effect}.`, {
    help: `Write names with commas, \`${key}: Read, Grep\`, or a list${none}.`,
  })
}

export function jsonInString(file: SourceFile, at: Range, key: string): Diagnostic {
  return finding(
    'tool/json-string',
    placeIn(file, at),
    `\`${key}\` is a list inside quotes, which makes it one text, so none of its names counts.`,
    {
      help: 'Remove the quotes around the brackets.',
    },
  )
}

export function wildcardMix(file: SourceFile, at: Range, others: string[]): Diagnostic {
  return finding('tool/wildcard-mix', placeIn(file, at), `\`*\` grants every tool, so ${others.join(', ')} beside it changes nothing.`, {
    help: 'Keep either `*` or the names.',
  })
}

export function unknownTool(file: SourceFile, at: Range, name: string, meant: string | undefined): Diagnostic {
  return finding('tool/unknown', placeIn(file, at), `There is no tool \`${name}\`, so this entry grants nothing.`, {
    help: meant ? `Did you mean \`${meant}\`?` : 'Check the spelling, or remove it; tools of MCP servers are written `mcp__server__tool`.',
    ...(meant && { fix: replace(at, meant) }),
  })
}

export function wrongCase(file: SourceFile, at: Range, name: string, meant: string): Diagnostic {
  return finding(
    'tool/case',
    placeIn(file, at),
    `\`${name}\` is not \`${meant}\`: names of tools are case-sensitive, so this entry grants nothing.`,
    {
      help: `Write \`${meant}\`.`,
      fix: replace(at, meant),
    },
  )
}

export function retiredTool(file: SourceFile, at: Range, name: string, successor: string): Diagnostic {
  return finding(
    'tool/retired',
    placeIn(file, at),
    `The tool \`${name}\` no longer exists, so this entry does nothing; its work is done by \`${successor}\`.`,
    {
      help: `Replace it by \`${successor}\`, or remove it.`,
    },
  )
}

export function hostOnlyTool(file: SourceFile, at: Range, name: string): Diagnostic {
  return finding(
    'tool/host-only',
    placeIn(file, at),
    `\`${name}\` is a tool of Claude Code that agentc does not have, so under \`agentc run\` this entry grants nothing.`,
    {
      help: 'Keep it if the agent is written for Claude Code.',
    },
  )
}

export function noToolsLeft(file: SourceFile, at: Range, entries: string[], meant: string[]): Diagnostic {
  return finding(
    'tool/none-left',
    placeIn(file, at),
    `None of the entries of \`tools\` is a tool (${entries.join(', ')}), so the agent could do nothing and is refused.`,
    {
      help:
        meant.length > 0
          ? `Did you mean \`tools: ${meant.join(', ')}\`?`
          : 'Name tools such as Read, Grep or Bash, write `tools: []` for none, or remove the key for all.',
    },
  )
}

export function deniesNothing(file: SourceFile, at: Range, name: string, meant: string | undefined): Diagnostic {
  return finding(
    'tool/denies-nothing',
    placeIn(file, at),
    `\`${name}\` is no tool, so this denial does nothing and the agent keeps what was to be taken away.`,
    {
      help: meant ? `Did you mean \`${meant}\`?` : 'Name a tool exactly as it is written, such as Bash or mcp__server__tool.',
      ...(meant && { fix: replace(at, meant) }),
    },
  )
}

export function deniesAll(file: SourceFile, at: Range): Diagnostic {
  return finding(
    'tool/denies-all',
    placeIn(file, at),
    '`disallowedTools: "*"` takes every tool away in agentc and nothing at all in Claude Code.',
    {
      help: 'Write `tools: []` for an agent without tools; both programs honour it.',
    },
  )
}

export function grantedAndDenied(file: SourceFile, at: Range, name: string, other: Range): Diagnostic {
  return finding(
    'tool/granted-and-denied',
    placeIn(file, at),
    `\`${name}\` is granted by \`tools\` and taken away here; the denial wins.`,
    {
      help: 'Remove it from one of the two lists.',
      related: [{ message: 'granted here', at: placeIn(file, other) }],
    },
  )
}

export function specifierInTools(file: SourceFile, at: Range, text: string, name: string): Diagnostic {
  return finding(
    'tool/specifier',
    placeIn(file, at),
    `agentc holds every call of ${name} to \`${text}\`; Claude Code ignores what is in the brackets and grants the whole tool.`,
    {
      help: 'For Claude Code, restrict it with permissions in settings.json or a PreToolUse hook.',
    },
  )
}

/** No program compares what an MCP tool is called with, so there is nothing to hold such a grant to. */
export function specifierOfMcp(file: SourceFile, at: Range, text: string, name: string): Diagnostic {
  return finding('tool/mcp-specifier', placeIn(file, at), `The brackets of \`${text}\` restrict nothing: it grants all of \`${name}\`.`, {
    help: `Write \`${name}\` if that is meant, or judge its calls with a hook on PreToolUse.`,
  })
}

export function specifierInMcpDenial(file: SourceFile, at: Range, text: string, name: string): Diagnostic {
  return finding(
    'tool/denied-specifier',
    placeIn(file, at),
    `The brackets of \`${text}\` mean nothing behind the name of an MCP tool: all of \`${name}\` is taken away.`,
    {
      help: `Write \`${name}\`, or judge single calls with a hook on PreToolUse.`,
    },
  )
}

export function specifierInDenial(file: SourceFile, at: Range, text: string, name: string): Diagnostic {
  return finding(
    'tool/denied-specifier',
    placeIn(file, at),
    `agentc denies only the calls that match \`${text}\`; Claude Code takes the whole tool ${name} away.`,
    {
      help: `Write \`${name}\` to take it away everywhere, or use \`permissions.deny\` in settings.json for the part.`,
    },
  )
}

export function memoryGrant(file: SourceFile, at: Range, added: string[]): Diagnostic {
  return finding('tool/memory-grant', placeIn(file, at), `\`memory\` adds ${added.join(', ')} to the tools that the list names.`, {
    help: 'Remove `memory` if that is too much.',
  })
}

export function memoryDenied(file: SourceFile, at: Range, denied: string[]): Diagnostic {
  return finding(
    'tool/memory-denied',
    placeIn(file, at),
    `\`memory\` needs ${denied.join(', ')}, which \`disallowedTools\` takes away; the denial wins, so the agent cannot keep notes.`,
    {
      help: 'Remove `memory`, or allow these tools.',
    },
  )
}

export function notForSubAgents(file: SourceFile, at: Range, name: string): Diagnostic {
  return finding(
    'tool/not-for-sub-agents',
    placeIn(file, at),
    `No sub-agent gets \`${name}\`; this entry counts only when the agent is the main one.`,
    {
      help: 'Remove it if the agent is always started by another.',
    },
  )
}
