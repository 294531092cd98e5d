import type { Code } from '../../schemas/codes.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Origin } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding, wholeFile } from './finding.ts'

const REASONS: Record<string, string> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ENOENT: 'it does not exist',
  ENOTDIR: 'it is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its path is too long',
  EIO: 'the disk reports an error',
}

/** In: the code of a system's refusal, or a reason in words. */
function because(reason: string): string {
  return REASONS[reason] ?? reason
}

/** What is lost with a file that is not read. Those of skills, commands and instructions are said in their own words. */
const LOST: Partial<Record<SourceFile['kind'], string>> = {
  servers: 'the MCP servers in it are missing',
  hooks: 'the hooks in it are missing',
  lock: 'the tools that it locks are not known',
  settings: 'what it asks for does not hold',
  tool: 'the tools in it are missing',
}
const AGENTS = 'the agents in it are missing'

/** In: the most bytes that the file may have. */
export function tooLarge(origin: Origin, limit: number, kind: SourceFile['kind'] = 'agent'): Diagnostic {
  const lost = LOST[kind] ?? 'its agent is missing'
  return finding('file/too-large', wholeFile(origin), `${origin.path} is larger than ${limit / MIB} MiB, so it is not read and ${lost}.`, {
    help: LOST[kind] ? 'Make it smaller, or remove it.' : 'Keep long material in files of its own and let the agent read them.',
  })
}

const MIB = 1024 * 1024

/** In: a file that was read, and the offset of its first U+FFFD. */
export function invalidUtf8(file: SourceFile, offset: number): Diagnostic {
  const place = placeIn(file, [offset, offset + 1])
  return finding(
    'file/invalid-utf8',
    place,
    `${file.origin.path} is not valid UTF-8: each bad byte is read as U+FFFD, and the model sees that.`,
    {
      help: 'Save the file as UTF-8.',
    },
  )
}

/** A file or folder that is there and cannot be read. */
export function unreadable(origin: Origin, reason: string, kind: SourceFile['kind'] = 'agent'): Diagnostic {
  const lost = LOST[kind] ?? AGENTS
  return finding('file/unreadable', wholeFile(origin), `${origin.path} cannot be read (${because(reason)}), so ${lost}.`, {
    help: `Make it readable for the user who builds, or ${LOST[kind] ? 'remove it' : 'move it out of the agents folder'}.`,
  })
}

export function tooManyFolders(origin: Origin, limit: number): Diagnostic {
  const message = `${origin.path} and what comes after it is not read, because more than ${limit} folders lie below one agents folder.`
  return finding('file/unreadable', wholeFile(origin), message, {
    help: 'Look for a link that leads to a large tree, and let it lead to the folder with the agents only.',
  })
}

export function unreadableFlag(origin: Origin, reason: string): Diagnostic {
  const thing = origin.path === '--agents' ? 'The value of --agents' : `The file of --agents, ${origin.path},`
  return finding('file/unreadable', wholeFile(origin), `${thing} cannot be read (${because(reason)}), so its agents are missing.`, {
    help: 'Give --agents a JSON object, which starts with "{", or the path of a file that holds one, relative to the working directory.',
  })
}

export function brokenLink(origin: Origin, kind: 'agent' | 'tool' = 'agent'): Diagnostic {
  return finding('file/broken-link', wholeFile(origin), `The link ${origin.path} leads nowhere, so the ${kind}s behind it are missing.`, {
    help: 'Let the link lead to a file or folder that exists (is a submodule not checked out?), or delete it.',
  })
}

export function linkLoop(origin: Origin): Diagnostic {
  const message = `The link ${origin.path} leads to a folder that holds the agents folder itself, so it is not followed.`
  return finding('file/link-loop', wholeFile(origin), message, {
    help: 'Let the link lead to a folder that holds agents only.',
  })
}

export function notRegular(origin: Origin): Diagnostic {
  return finding(
    'file/not-regular',
    wholeFile(origin),
    `${origin.path} is a pipe, socket or device and no regular file, so it is not opened.`,
    {
      help: 'Put a regular file or a link to one in its place.',
    },
  )
}

/** Why a file is lost, where that has one reason only, as the end of a sentence that begins with its path. */
const LOSSES: Partial<Record<Code, string>> = {
  'file/too-large': 'is larger than 1 MiB',
  'file/broken-link': 'is a link that leads nowhere',
  'file/link-loop': 'is a link to a folder that holds the folder it is in',
  'file/not-regular': 'is a pipe, socket or device and no regular file',
}

/** In: what discovery says of an agent's file, to be said of another kind in its words. Out: why the file is lost; nothing if it could be read. */
export function lossOf({ code, at: { origin }, message }: Diagnostic): string | undefined {
  if (code !== 'file/unreadable') return LOSSES[code]
  const refusal = /\(([^()]+)\)/.exec(message.slice(origin.path.length))?.[1]
  return `cannot be read${refusal === undefined ? '' : ` (${refusal})`}`
}
