import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, read as readCallback, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { sha256 } from '../../schemas/canonical.ts'
import { didYouMean } from '../../schemas/near.ts'
import { isInside, locate, type Place, type Workspace } from '../workspace.ts'
import { wrongKind } from './file-kind.ts'
import { imageOutput, isPdf, PDF_REASON } from './image.ts'
import { LineReader } from './lines.ts'
import { shownNotebook } from './notebook.ts'
import { decodeText, WHOLE_BYTES } from './text-file.ts'
import { failed, fine, type Tool, type ToolContext, type ToolInput, type ToolOutput } from './tool.ts'

/** Lines that are read when the call does not say how many. */
const LINES = 2000
const CHUNK = 65_536
const readChunk = promisify(readCallback)

type Found = Extract<Place, { kind: 'there' }>

/**
 * Reads a text file: `number<TAB>line`, numbers counted from 1. Whatever is left out is said, with how to get it.
 * Pictures go to the model as such, notebooks cell by cell; PDF and other binary files are refused. What was read may be edited from then on.
 * A file of usual size is read at once: nine ways through the thread pool take longer than it does.
 */
export const readTool: Tool = {
  paths: (input) => [input.file_path as string],
  async run(input, context) {
    const place = await locate(context.workspace, input.file_path as string)
    if (place.kind !== 'there') return notThere(place, context)
    let file: number
    try {
      const refusal = wrongKind(lstatSync(place.real), place.shown)
      if (refusal) return failed(refusal)
      // Without O_NONBLOCK a pipe that took the file's place after the check would hang the run.
      file = openSync(place.real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    } catch (error) {
      return failed(`${place.shown} cannot be opened (${(error as NodeJS.ErrnoException).code}).`)
    }
    try {
      const stats = fstatSync(file, { bigint: true })
      if (!stats.isFile()) return failed(`${place.shown} is not a regular file.`)
      return await (stats.size > WHOLE_BYTES ? readBig : readWhole)(file, place, stats, input, context)
    } finally {
      closeSync(file)
    }
  },
}

/** What to tell about a path that is not a file inside the project. */
export async function notThere(place: Exclude<Place, { kind: 'there' }>, context: ToolContext): Promise<ToolOutput> {
  if (place.kind === 'outside') {
    return failed(
      `${place.given} lies outside the project. Only files in the working directory and its git repository can be used.${insteadOf(place.given, context.workspace)}`,
    )
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

/** In a worktree the same file is there too. */
function insteadOf(given: string, { checkout, root }: Workspace): string {
  const inCheckout = checkout !== undefined && isAbsolute(given) && isInside(checkout, given)
  return inCheckout ? ` This agent works in a worktree: use ${join(root, relative(checkout, given))}.` : ''
}

function readWhole(file: number, { real, shown }: Found, stats: BigIntStats, input: ToolInput, context: ToolContext): ToolOutput {
  const bytes = readFileSync(file)
  const output = wholeOutput(bytes, shown, input, context)
  if (!output.isError) context.state.files.note(real, stats, sha256(bytes))
  return output
}

function wholeOutput(bytes: Buffer, shown: string, input: ToolInput, context: ToolContext): ToolOutput {
  const image = imageOutput(bytes, shown)
  if (image) return image
  if (isPdf(bytes)) return failed(`${shown} is a PDF file. ${PDF_REASON}`)
  const file = decodeText(bytes)
  if (!file) return failed(binaryReason(shown))
  const text = shown.endsWith('.ipynb') ? shownNotebook(file.text) : undefined
  // What is no UTF-8 is shown as UTF-8 all the same, with a sign for each byte that is none.
  const utf8 = text !== undefined || file.encoding.startsWith('utf-16') ? Buffer.from(text ?? file.text, 'utf8') : bytes
  const lines = new ShownLines(shown, input, context)
  if (lines.feed(utf8)) lines.end()
  return lines.output()
}

async function readBig(
  file: number,
  { real, shown }: Found,
  stats: BigIntStats,
  input: ToolInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const lines = new ShownLines(shown, input, context)
  const chunk = Buffer.allocUnsafe(CHUNK)
  for (let first = true; ; first = false) {
    if (context.signal.aborted) return failed('The run was interrupted.')
    const { bytesRead } = await readChunk(file, chunk, 0, CHUNK, null)
    const bytes = chunk.subarray(0, bytesRead)
    if (first && isPdf(bytes)) return failed(`${shown} is a PDF file. ${PDF_REASON}`)
    if (bytes.includes(0)) return failed(binaryReason(shown))
    if (bytesRead === 0) lines.end()
    if (bytesRead === 0 || !lines.feed(bytes)) break
  }
  const output = lines.output()
  if (!output.isError) context.state.files.note(real, stats, undefined)
  return output
}

function binaryReason(shown: string): string {
  return `${shown} is not text: it holds NUL bytes. Read shows text files, pictures (PNG, JPEG, GIF, WebP) and notebooks.`
}

/** The part of a file's lines that a call asks for, up to what a result may hold. */
class ShownLines {
  readonly #reader = new LineReader()
  readonly #lines: string[] = []
  readonly #shown: string
  readonly #from: number
  readonly #most: number
  readonly #room: number
  #at = 0
  #chars = 0
  #more = false

  constructor(shown: string, input: ToolInput, { resultChars }: ToolContext) {
    this.#shown = shown
    this.#from = (input.offset as number | undefined) ?? 1
    this.#most = (input.limit as number | undefined) ?? LINES
    this.#room = resultChars - 200
  }

  /** `false`: there is more than may be shown. */
  feed(bytes: Buffer): boolean {
    return this.#reader.feed(bytes, this.#take)
  }

  end(): void {
    this.#reader.end(this.#take)
  }

  output(): ToolOutput {
    const [shown, lines, at] = [this.#shown, this.#lines, this.#at]
    if (at === 0) return fine(`[${shown} is empty]`)
    if (lines.length === 0) return failed(`${shown} has ${at} ${at === 1 ? 'line' : 'lines'}; offset ${this.#from} is behind its end.`)
    const next = this.#from + lines.length
    return fine(this.#more ? `${lines.join('\n')}\n[The file goes on: read from offset ${next} for more]` : lines.join('\n'))
  }

  #take = (line: string): boolean => {
    this.#at += 1
    if (this.#at < this.#from) return true
    const text = `${this.#at}\t${line}`
    this.#more = this.#lines.length === this.#most || (this.#chars + text.length > this.#room && this.#lines.length > 0)
    if (this.#more) return false
    this.#lines.push(text)
    this.#chars += text.length + 1
    return true
  }
}
