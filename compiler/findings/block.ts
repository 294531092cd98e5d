import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'
import { didYouMean } from '../../schemas/near.ts'

/** Findings about the fields that hold blocks: hooks, MCP servers, skills. */

export function hooksType(file: SourceFile, at: Range, type: string): Diagnostic {
  return finding(
    'hook/type',
    placeIn(file, at),
    `\`hooks\` is ${type}, not a map from events to hooks; Claude Code drops the whole agent for it.`,
    {
      help: 'Write `hooks:` and below it `PreToolUse:` with a list, or remove the key.',
    },
  )
}

export function hooksFlat(file: SourceFile, at: Range, event: string): Diagnostic {
  return finding(
    'hook/flat',
    placeIn(file, at),
    `This hook of \`${event}\` stands directly under the event; agentc accepts it, Claude Code drops the whole agent.`,
    {
      help: 'Nest it: `- matcher: …` and below that `hooks:` with a list of `type: command`, `command: …`.',
    },
  )
}

export function hookEvent(file: SourceFile, at: Range, event: string, known: readonly string[]): Diagnostic {
  const meant = didYouMean(event, known)
  return finding('hook/unknown-event', placeIn(file, at), `\`${event}\` is no event, so its hooks never run.`, {
    help: meant
      ? `Did you mean \`${meant}\`?`
      : `Events are ${known.slice(0, 6).join(', ')} and others: see \`agentc explain hook/unknown-event\`.`,
  })
}

export function hookIncomplete(file: SourceFile, at: Range, problem: string, help: string): Diagnostic {
  return finding('hook/incomplete', placeIn(file, at), `${problem}, so the hook never runs.`, { help })
}

export function hookMilliseconds(file: SourceFile, at: Range, value: number, flat: boolean): Diagnostic {
  const outcome = flat ? `agentc reads it as ${value / 1000} seconds` : `it is ${Math.round(value / 60)} minutes as it stands`
  return finding(
    'hook/timeout-unit',
    placeIn(file, at),
    `A \`timeout\` of ${value} looks like milliseconds, but the unit is seconds; ${outcome}.`,
    {
      help: `Write \`timeout: ${Math.max(1, Math.round(value / 1000))}\`.`,
    },
  )
}

export function serversMap(file: SourceFile, at: Range): Diagnostic {
  return finding(
    'server/map',
    placeIn(file, at),
    '`mcpServers` is a map; agentc accepts it, Claude Code starts no server for it, because it expects a list.',
    {
      help: 'Write a list: `- name` for a server that is configured elsewhere, `- name: {command: …}` for one of its own.',
    },
  )
}

export function serverIncomplete(file: SourceFile, at: Range, name: string): Diagnostic {
  return finding(
    'server/incomplete',
    placeIn(file, at),
    `The server \`${name}\` has neither \`command\` nor \`url\`, so it cannot be started.`,
    {
      help: 'Give it a `command` (a program on this machine) or a `type: http` and a `url`.',
    },
  )
}

export function serverInvalid(file: SourceFile, at: Range, problem: string): Diagnostic {
  return finding('server/invalid', placeIn(file, at), `${problem}, so this entry is ignored.`, {
    help: 'An entry is a name, or one name with its settings below it.',
  })
}
