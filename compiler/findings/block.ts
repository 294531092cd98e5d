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
    `\`hooks\` is ${type}, not a map from events to hooks; ${file.kind === 'agent' ? 'Claude Code drops the whole agent for it' : 'none of them runs'}.`,
    {
      help: 'Write `hooks:` and below it `PreToolUse:` with a list, or remove the key.',
    },
  )
}

export function hooksFlat(file: SourceFile, at: Range, event: string): Diagnostic {
  return finding(
    'hook/flat',
    placeIn(file, at),
    `This hook of \`${event}\` stands directly under the event; agentc accepts it, Claude Code drops the ${file.kind === 'agent' ? 'whole agent' : 'hook'}.`,
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

export function hookNotRun(file: SourceFile, at: Range, event: string): Diagnostic {
  return finding(
    'hook/event-not-run',
    placeIn(file, at),
    `\`agentc run\` has no moment for \`${event}\`, so its hooks run in Claude Code only.`,
  )
}

export function hookIncomplete(file: SourceFile, at: Range, problem: string, help: string): Diagnostic {
  return finding('hook/incomplete', placeIn(file, at), `${problem}, so the hook never runs.`, { help })
}

export function hookMatcher(file: SourceFile, at: Range, problem: string, runs: boolean, help: string): Diagnostic {
  return finding(
    'hook/matcher',
    placeIn(file, at),
    `${problem}, so ${runs ? 'the hook runs whatever it is about' : 'the hook never runs for it'}.`,
    { help },
  )
}

/** An `if` that is no rule: the hook runs more often than it should, which keeps what it guards guarded. */
export function hookCondition(file: SourceFile, at: Range): Diagnostic {
  return finding(
    'hook/condition',
    placeIn(file, at),
    'This `if` is no permission rule, so the hook runs at every call that its matcher fits.',
    {
      help: 'Write one rule, such as `Bash(git push *)`.',
    },
  )
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

export function scriptMissing(file: SourceFile, at: Range, script: string): Diagnostic {
  return finding(
    'hook/script-missing',
    placeIn(file, at),
    `The script \`${script}\` of this hook does not exist, so the hook fails each time and blocks nothing.`,
    {
      help: 'Create the script, or correct its path; it counts from the folder in which the program is started.',
    },
  )
}

export function scriptNotExecutable(file: SourceFile, at: Range, script: string): Diagnostic {
  return finding(
    'hook/script-not-executable',
    placeIn(file, at),
    `The script \`${script}\` of this hook may not be executed, so the hook fails each time and blocks nothing.`,
    {
      help: `Run \`chmod +x ${script}\`, or name the program that is to run it: \`bash ${script}\`.`,
    },
  )
}
