import type { Diagnostic, Place } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** Findings about MCP servers: where they are set up, and what their tools are locked to. Values of `env` and `headers` are never said. */

export function invalidFile(file: SourceFile, at: Range, problem: string): Diagnostic {
  return finding('server/invalid-file', placeIn(file, at), `${nameOf(file)} ${problem}, so the servers in it are missing.`, {
    help: 'Write one JSON object: { "mcpServers": { "name": { "command": "…" } } }.',
  })
}

export function ignoredPart(file: SourceFile, at: Range, server: string, part: string, problem: string): Diagnostic {
  const message = `\`${part}\` of the server \`${server}\` ${problem}, so it is ignored.`
  return finding('server/ignored-part', placeIn(file, at), message, {
    help: '`args` is a list of texts, `env` and `headers` are maps from names to texts, `timeout` is a number of milliseconds from 1000 on.',
  })
}

export function unknownType(file: SourceFile, at: Range, server: string, type: string, meant: string | undefined): Diagnostic {
  const message = `\`${type}\` is no type of server, so \`${server}\` cannot be started.`
  return finding('server/unknown-type', placeIn(file, at), message, {
    help: meant === undefined ? 'Types are stdio, http, sse and ws.' : `Did you mean \`${meant}\`?`,
  })
}

export function urlWithoutType(file: SourceFile, at: Range, server: string): Diagnostic {
  const message = `The server \`${server}\` has a \`url\` and no \`type\`; agentc takes it as http, Claude Code does not start it.`
  return finding('server/url-without-type', placeIn(file, at), message, { help: 'Add `type: http`, or the type it has: sse or ws.' })
}

export function reservedName(file: SourceFile, at: Range, server: string): Diagnostic {
  return finding('server/reserved-name', placeIn(file, at), `Claude Code keeps the name \`${server}\` for itself and skips this server.`, {
    help: 'Give the server another name.',
  })
}

export function samePrefix(file: SourceFile, at: Range, server: string, prefix: string, other: string, where: Place): Diagnostic {
  const message =
    server === other
      ? `Two servers here are called \`${server}\`, and only one of them is used.`
      : `The tools of \`${server}\` and \`${other}\` all begin with \`${prefix}\`, so nobody can tell them apart.`
  return finding('server/same-prefix', placeIn(file, at), message, {
    help: 'Rename one of them: characters other than letters, digits, `_` and `-` become `_` in the names of tools.',
    related: [{ message: server === other ? 'the other one' : `\`${other}\` is here`, at: where }],
  })
}

export function policyOnly(file: SourceFile, at: Range, server: string): Diagnostic {
  return finding('server/policy-only', placeIn(file, at), `Only the servers of the policy may be used, so \`${server}\` is not there.`, {
    help: 'Ask whoever keeps the policy to add the server to managed-mcp.json.',
  })
}

export function switchedOff(file: SourceFile, at: Range, server: string, key: string, where: Place): Diagnostic {
  return finding('server/switched-off', placeIn(file, at), `\`${key}\` of the settings switches off \`${server}\`, so it is not there.`, {
    help: 'Remove it there if the server is wanted, or here if it is not.',
    related: [{ message: 'switched off here', at: where }],
  })
}

export function unknownServer(file: SourceFile, at: Range, server: string, meant: string | undefined): Diagnostic {
  const message = `No server \`${server}\` is set up here, so there are none of its tools unless the session that runs the agent has it.`
  return finding('reference/unknown-server', placeIn(file, at), message, {
    help: meant === undefined ? 'Add it to .mcp.json, or correct the name.' : `Did you mean \`${meant}\`?`,
  })
}

export function noServerTool(file: SourceFile, at: Range, pattern: string, meant: string | undefined): Diagnostic {
  const message = `\`${pattern}\` matches no tool of the servers as they were locked, so this entry does nothing.`
  return finding('tool/no-server-tool', placeIn(file, at), message, {
    help:
      meant === undefined
        ? 'Correct the name, or run `agentc build --lock-mcp` if the server has the tool by now.'
        : `Did you mean \`${meant}\`?`,
  })
}

export function invalidLock(file: SourceFile, at: Range, problem: string): Diagnostic {
  return finding('server/invalid-lock', placeIn(file, at), `The lock ${file.origin.path} ${problem}, so no tool of a server is known.`, {
    help: 'Run `agentc build --lock-mcp` to write it anew; it is not meant to be edited.',
  })
}

export function missingLock(file: SourceFile, reason: string): Diagnostic {
  return finding('server/invalid-lock', placeIn(file, [0, 0]), `The lock ${file.origin.path} cannot be read (${reason}).`, {
    help: 'Give --mcp-lock the path of a file that `agentc build --lock-mcp` wrote.',
  })
}

/** In: what changed, as the end of a sentence, and the old and the new text where that says more. */
export function toolChanged(file: SourceFile, at: Range, tool: string, change: string): Diagnostic {
  return finding('server/tool-changed', placeIn(file, at), `The tool \`${tool}\` ${change}.`, {
    help: 'Read what the server says now; if that is what you want, run `agentc build --lock-mcp --accept`.',
  })
}

export function notLocked(place: Place, server: string, reason: string): Diagnostic {
  return finding('server/not-locked', place, `The tools of the server \`${server}\` cannot be listed: ${reason}.`, {
    help: 'Start the server by hand to see what it says; its output is not shown here, because it may hold secrets.',
  })
}

function nameOf({ origin }: SourceFile): string {
  return origin.path.slice(origin.path.lastIndexOf('/') + 1)
}
