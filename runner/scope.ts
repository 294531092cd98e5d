import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Processes } from './processes.ts'

/** What closing came to. */
export interface Closed {
  /** Processes that were still there and were ended. */
  stray: number
  /** What could not be closed, a sentence each. */
  faults: readonly string[]
}

/** Everything that a run opens. It is closed in reverse order, whatever happens, and its processes last. */
export class Scope {
  readonly processes: Processes
  readonly #closers: { what: string; close: () => unknown }[] = []
  readonly #temporary: string[] = []
  #closing: Promise<Closed> | undefined

  constructor(processes: Processes) {
    this.processes = processes
  }

  /** `what` names the thing in a sentence, should closing it fail. */
  defer(what: string, close: () => unknown): void {
    if (this.#closing) throw new Error(`${what} was opened after the run had been closed`)
    this.#closers.push({ what, close })
  }

  /** A temporary folder that goes with the run. */
  async temporary(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'agentc-'))
    this.#temporary.push(folder)
    this.defer(`the temporary folder ${folder}`, () => rm(folder, { recursive: true, force: true }))
    return folder
  }

  /** Closes everything; a second call gives the outcome of the first. Nothing that fails keeps the rest from being closed. */
  close(): Promise<Closed> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** For an end that cannot wait: processes and temporary folders go at once, everything else with the program. */
  kill(): void {
    this.processes.kill()
    for (const folder of this.#temporary) rmSync(folder, { recursive: true, force: true })
  }

  async #close(): Promise<Closed> {
    const faults: string[] = []
    for (const { what, close } of this.#closers.reverse()) {
      try {
        await close()
      } catch (error) {
        faults.push(`${what} could not be closed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    const { stray, left } = await this.processes.end()
    if (left > 0) faults.push(`${left} ${left === 1 ? 'process' : 'processes'} of the run could not be ended`)
    return { stray, faults }
  }
}
