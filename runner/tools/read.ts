import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { didYouMean } from '../../schemas/near.ts'
import { isInside, locate, type Place } from '../workspace.ts'
import { LineReader } from './lines.ts'
import { failed, fine, type Tool, type ToolContext, type ToolInput, type ToolOutput } from './tool.ts'

/** Lines that are read when the call does not say how many. */
const LINES = 2000
const CHUNK = 65_536

/** Reads a text file: `number<TAB>line`, numbers counted from 1. Whatever is left out is said, with how to get it. */
export const readTool: Tool = {
  paths: (input) => [input.file_path as string],
  search: false,
  async run(input, context) {
    const place = await locate(context.workspace, input.file_path as string)
    if (place.kind !== 'there') return notThere(place, context)
    const refusal = await wrongKind(place.real, place.shown)
    if (refusal) return failed(refusal)
    // Without O_NONBLOCK a pipe that took the file's place after the check would hang the run.
    const file = await open(place.real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: NodeJS.ErrnoException) => error)
    if (file instanceof Error) return failed(`${place.shown} cannot be opened (${file.code}).`)
    try {
      if (!(await file.stat()).isFile()) return failed(`${place.shown} is not a regular file.`)
      return await readLines(file, place.shown, input, context)
    } finally {
      await file.close()
    }
  },
}

async function wrongKind(path: string, shown: string): Promise<string | undefined> {
  const stats = await lstat(path)
  if (stats.isFile()) return undefined
  if (stats.isDirectory()) return `${shown} is a folder. List its files with Glob, pattern **/*, path ${shown}.`
  return `${shown} is ${stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : 'a device'}, not a regular file; it is not opened.`
}

/** What to tell about a path that is not a file inside the project. */
export async function notThere(place: Exclude<Place, { kind: 'there' }>, context: ToolContext): Promise<ToolOutput> {
  if (place.kind === 'outside') {
    return failed(`${place.given} lies outside the project. Only files in the working directory and its git repository can be used.`)
  }
  if (place.kind === 'unusable') return failed(`${place.given} cannot be used: ${place.reason}.`)
  const folder = dirname(place.real)
  const names = isInside(context.workspace.root, folder) ? await readdir(folder).catch(() => []) : []
  const near = didYouMean(
    basename(place.real),
    names.sort().filter((name) => context.mayShow({ path: `${folder}/${name}`, real: `${folder}/${name}` })),
  )
  const hint = near === undefined ? ' Find it with Glob.' : ` There is ${near} in the same folder.`
  return failed(`${place.shown} does not exist; relative paths start at the working directory.${hint}`)
}

async function readLines(file: FileHandle, shown: string, input: ToolInput, context: ToolContext): Promise<ToolOutput> {
  const from = (input.offset as number | undefined) ?? 1
  const most = (input.limit as number | undefined) ?? LINES
  const reader = new LineReader()
  const shownLines: string[] = []
  let at = 0
  let chars = 0
  let more = false
  const take = (line: string): boolean => {
    at += 1
    if (at < from) return true
    const text = `${at}\t${line}`
    more = shownLines.length === most || (chars + text.length > context.resultChars - 200 && shownLines.length > 0)
    if (more) return false
    shownLines.push(text)
    chars += text.length + 1
    return true
  }
  const chunk = Buffer.allocUnsafe(CHUNK)
  for (;;) {
    if (context.signal.aborted) return failed('The run was interrupted.')
    const { bytesRead } = await file.read(chunk, 0, CHUNK)
    if (bytesRead === 0) break
    const bytes = chunk.subarray(0, bytesRead)
    if (bytes.includes(0)) return failed(`${shown} is not text: it holds NUL bytes. Read shows text files only.`)
    if (!reader.feed(bytes, take)) break
  }
  if (!more) reader.end(take)
  return shownText(shown, shownLines, from, at, more)
}

function shownText(shown: string, lines: readonly string[], from: number, at: number, more: boolean): ToolOutput {
  if (at === 0) return fine(`[${shown} is empty]`)
  if (lines.length === 0) return failed(`${shown} has ${at} ${at === 1 ? 'line' : 'lines'}; offset ${from} is behind its end.`)
  const next = from + lines.length
  return fine(more ? `${lines.join('\n')}\n[The file goes on: read from offset ${next} for more]` : lines.join('\n'))
}
