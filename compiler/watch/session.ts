import type { Compilation } from '../compile.ts'
import type { Compiler } from '../compiler.ts'
import { placesOf, type Places } from './places.ts'
import { watchFolders, type FolderWatcher } from './watcher.ts'

/** What a watch is made of. */
export interface WatchSeams {
  compiler: Compiler
  /** Now, in nanoseconds since 1970. */
  now: () => bigint
  /** Gets every compilation after a change; what it is worth to say about it is decided there. In: how many files were parsed for it. */
  compiled: (compilation: Compilation, parsed: number) => void
  /** Gets the first one, once changes are seen. */
  ready: (compilation: Compilation, parsed: number) => void
  /** Gets a fault of our own; the watch is over. */
  failed: (error: unknown) => void
}

/** Changes come in bursts: work begins when nothing came for so long, or the first has waited for so long (milliseconds). */
const QUIET = 10
const LONGEST_WAIT = 400
/** After so much quiet everything is looked at once more: a system may lose changes, and links and second names of files do not tell. */
const SECOND_LOOK = 700

/** So often a compilation of nothing new is made while nobody waits: the engine makes code fast that runs often, and the first edit meets it. */
const WARM_UPS = 6

/** Watches until it is closed. One compilation at a time: what changes meanwhile is for the next. */
export class WatchSession {
  private readonly seams: WatchSeams
  private readonly watcher: FolderWatcher
  private places: Places | undefined
  private changed = new Set<string>()
  private firstAt = 0
  private timer: NodeJS.Timeout | undefined
  private working = false
  private closed = false
  private told = 0

  constructor(seams: WatchSeams) {
    this.seams = seams
    this.watcher = watchFolders((path) => this.note(path))
  }

  /** Compiles, watches, and compiles again, because something may have changed before it was watched. */
  async start(): Promise<void> {
    this.working = true
    await this.follow(await this.compile())
    const compilation = await this.compile()
    if (this.closed) return
    this.seams.ready(compilation, this.parsed())
    await this.follow(compilation)
    for (let round = 0; round < WARM_UPS && this.changed.size === 0 && !this.closed; round++) {
      await this.compile([])
      await new Promise((resolve) => void setTimeout(resolve, QUIET))
    }
    this.working = false
    if (!this.closed) this.wait(this.changed.size > 0 ? QUIET : SECOND_LOOK)
  }

  async close(): Promise<void> {
    this.closed = true
    clearTimeout(this.timer)
    await this.watcher.close()
  }

  private note(path: string): void {
    if (this.closed || !this.places?.matters(path)) return
    if (this.changed.size === 0) this.firstAt = performance.now()
    this.changed.add(path)
    if (!this.working) this.wait(Math.min(QUIET, Math.max(0, this.firstAt + LONGEST_WAIT - performance.now())))
  }

  private wait(milliseconds: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.turn().catch(this.seams.failed), milliseconds)
  }

  /** One compilation: of what changed, or of everything where nothing is known to have changed. */
  private async turn(): Promise<void> {
    this.working = true
    const paths = this.changed
    this.changed = new Set()
    const compilation = await this.compile(paths.size > 0 ? paths : undefined)
    if (this.closed) return
    this.seams.compiled(compilation, this.parsed())
    await this.follow(compilation)
    this.working = false
    if (this.closed) return
    if (this.changed.size > 0) this.wait(QUIET)
    else if (paths.size > 0) this.wait(SECOND_LOOK)
  }

  private compile(paths?: Iterable<string>): Promise<Compilation> {
    return this.seams.compiler.compile(this.seams.now(), paths)
  }

  /** How many files were parsed since it was asked last. */
  private parsed(): number {
    const { parsed } = this.seams.compiler
    const since = parsed - this.told
    this.told = parsed
    return since
  }

  /** Folders that are new to the watch may have changed before they were in it. */
  private async follow({ discovery }: Compilation): Promise<void> {
    this.places = placesOf(discovery.inputs)
    for (const folder of await this.watcher.follow(this.places.folders)) this.changed.add(folder)
  }
}
