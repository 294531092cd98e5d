import { lstat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { locate, type Place, shownPath, slashed } from '../workspace.ts'
import { fileGlob } from '../path-pattern.ts'
import type { Found } from './ripgrep.ts'
import { notThere } from './read.ts'
import { failed, fine, type ToolContext, type ToolOutput } from './tool.ts'

/** Where a search looks, checked: a file or a folder inside the project. */
export interface Ground {
  place: Extract<Place, { kind: 'there' }>
  folder: boolean
  /** What ripgrep is told: a path below `cwd`, so that its own words hold no path of this machine. */
  cwd: string
  target: string
}

export async function searchGround(given: unknown, context: ToolContext): Promise<Ground | ToolOutput> {
  const place = await locate(context.workspace, (given as string | undefined) ?? '.')
  if (place.kind !== 'there') return notThere(place, context)
  const stats = await lstat(place.real)
  if (!stats.isFile() && !stats.isDirectory()) return failed(`${place.shown} is neither a file nor a folder; it is not searched.`)
  if (stats.isDirectory()) return { place, folder: true, cwd: place.real, target: './' }
  return { place, folder: false, cwd: dirname(place.real), target: `./${basename(place.real)}` }
}

/** Collects what a search may show: files that the glob names and the rules allow, up to the limits. */
export class Harvest {
  readonly lines: string[] = []
  full = false
  #chars = 0
  readonly #most: number
  readonly #ground: Ground
  readonly #context: ToolContext
  readonly #glob: ((path: string) => boolean) | undefined
  readonly #known = new Map<string, string | undefined>()

  constructor(ground: Ground, context: ToolContext, glob: string | undefined, most: number) {
    this.#ground = ground
    this.#context = context
    this.#glob = glob === undefined ? undefined : fileGlob(glob)
    this.#most = most
  }

  /** The path to show for a file that ripgrep has named, or `undefined` if it is not to be shown. */
  shown(named: string): string | undefined {
    if (!this.#known.has(named)) {
      if (this.#known.size > 10_000) this.#known.clear()
      this.#known.set(named, this.#judge(named))
    }
    return this.#known.get(named)
  }

  /** Adds a line; `false` once there is no room, so that something was left out. */
  add(line: string): boolean {
    if (this.lines.length >= this.#most || this.#chars + line.length > this.#context.resultChars - 400) {
      this.full = true
      return false
    }
    this.lines.push(line)
    this.#chars += line.length + 1
    return true
  }

  #judge(named: string): string | undefined {
    const { place, folder } = this.#ground
    const below = folder ? join(named) : ''
    const path = join(place.path, below)
    if (this.#glob && !this.#glob(folder ? slashed(below) : place.shown)) return undefined
    const shown = folder ? shownPath(this.#context.workspace, path) : place.shown
    return this.#context.mayShow({ path, real: join(place.real, below) }) ? shown : undefined
  }
}

/**
 * The text of a search, with a note for everything that it does not show. The note about hidden files stands
 * whether or not one of them matched: a count would tell, guess by guess, what is in them.
 */
export function harvested(harvest: Harvest, found: Found, hides: boolean, nothing: string): ToolOutput {
  if (found.stopped === 'interrupted') return failed('The run was interrupted.')
  const notes: string[] = []
  if (harvest.full) notes.push('[More was found and left out: narrow the search]')
  if (found.stopped === 'timeout') notes.push('[The search took too long and was ended: narrow it]')
  if (hides) notes.push('[Files that permission rules hide from this agent are never shown]')
  if (found.fault !== '') notes.push(`[Not everything could be searched: ${found.fault}]`)
  if (harvest.lines.length === 0 && found.fault !== '') return failed(found.fault)
  return fine([...(harvest.lines.length > 0 ? harvest.lines : [nothing]), ...notes].join('\n'))
}
