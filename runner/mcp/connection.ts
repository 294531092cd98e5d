import { lockedToolHash } from '../../schemas/mcp-tools.ts'
import type { LockedTool } from '../../schemas/shapes/server.ts'
import { liveClock } from '../clock.ts'
import type { Say } from '../notice-queue.ts'
import { failed, fine, type ToolOutput } from '../tools/tool.ts'
import { resultOf } from './result.ts'
import { type CallOptions, Late, type ListedTool, Refused, type Resource, Unreachable, type Wire, type WireEvents } from './wire.ts'

export interface ConnectionOptions {
  name: string
  open(events: WireEvents): Promise<Wire>
  say: Say
  /** Its tools as they were locked; a call of one that is another now is refused. */
  locked?: readonly LockedTool[] | undefined
  /** Milliseconds that a call may go without an answer or a sign of progress. */
  timeoutMs: number
  /** Milliseconds before each new start of a server that has ended; there are no more starts than these. */
  backOff?: readonly number[]
}

export type Ready = { tools: readonly ListedTool[] } | { fault: string }

const BACK_OFF = [0, 500, 1000, 2000, 4000]

/**
 * One server, from its first start to the end of what it belongs to. Its tools are those of the first start: the prompt of a run never
 * changes because of a server. One that has ended is started again by the next call, a few times; a call that it ended under is not
 * repeated, because nobody knows what it has done.
 */
export class Connection {
  readonly name: string
  readonly #options: ConnectionOptions
  #first: Promise<Ready> | undefined
  #wire: Wire | undefined
  #opening: Promise<Wire> | undefined
  /** Wires that have to be closed before the connection is. */
  readonly #closing = new Set<Promise<void>>()
  #starts = 0
  #why = 'it was not started'
  #closed = false
  /** What the server lists now, by the hash of each tool. */
  #listed = new Map<string, string>()

  constructor(options: ConnectionOptions) {
    this.name = options.name
    this.#options = options
  }

  /** Starts the server, once. Never rejects. */
  ready(): Promise<Ready> {
    this.#first ??= this.#open().then(
      ({ tools }) => ({ tools }),
      (error: unknown) => ({ fault: error instanceof Unreachable ? error.message : `it failed (${String(error)})` }),
    )
    return this.#first
  }

  /** Why a tool is not called, if it is not. */
  refusal(tool: string): string | undefined {
    const { locked } = this.#options
    const now = this.#listed.get(tool)
    if (now === undefined) return `the MCP server ${this.name} no longer has the tool ${tool}`
    if (!locked || locked.some(({ name, hash }) => name === tool && hash === now)) return undefined
    return `the tool ${tool} of the MCP server ${this.name} is not as it was when it was locked; a person has to look at it and run agentc build --lock-mcp`
  }

  async call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    progress?: CallOptions['progress'],
  ): Promise<ToolOutput> {
    return this.ask(async (wire, options) => {
      const refusal = this.refusal(tool)
      if (refusal !== undefined) return failed(`Not called: ${refusal}.`)
      return resultOf(await wire.call(tool, input, { ...options, progress }))
    }, signal)
  }

  /** Asks the server, which is started again if it has ended. Whatever goes wrong is an output. */
  async ask(question: (wire: Wire, options: CallOptions) => Promise<ToolOutput>, signal: AbortSignal): Promise<ToolOutput> {
    const { timeoutMs } = this.#options
    let sent = false
    const unknown = (): string => (sent ? '; what the call has done is not known' : '')
    try {
      const wire = await this.#usable(signal)
      sent = true
      return await question(wire, { signal, timeoutMs })
    } catch (error) {
      if (signal.aborted) return failed(`The run was interrupted${unknown()}.`)
      if (error instanceof Refused) return failed(error.message)
      if (error instanceof Late) return failed(`The MCP server ${this.name} did not answer within ${timeoutMs / 1000} seconds${unknown()}.`)
      if (!(error instanceof Unreachable)) throw error
      this.#drop(error.message)
      return failed(`The MCP server ${this.name} cannot be used: ${error.message}${unknown()}.`)
    }
  }

  /** What it lists beside its tools; nothing if it does not say. */
  async resources(signal: AbortSignal): Promise<readonly Resource[]> {
    let found: readonly Resource[] = []
    await this.ask(async (wire, options) => {
      found = await wire.resources(options)
      return fine('')
    }, signal)
    return found
  }

  /** The text of one resource, or why there is none, as a clause. */
  async textOf(uri: string, signal: AbortSignal): Promise<{ text: string } | { fault: string }> {
    const parts: string[] = []
    const { text, isError } = await this.ask(async (wire, options) => {
      for (const part of await wire.read(uri, options)) parts.push(part.text ?? '')
      return fine('')
    }, signal)
    if (isError) return { fault: text.replace(/\.$/, '') }
    return parts.join('').trim() === '' ? { fault: `${uri} of the MCP server ${this.name} holds no text` } : { text: parts.join('\n') }
  }

  /** Ends the server. Nothing of it is left when this returns. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#opening?.catch(() => undefined)
    this.#drop('it was closed')
    await Promise.all(this.#closing)
  }

  async #usable(signal: AbortSignal): Promise<Wire> {
    await this.ready()
    if (this.#wire) return this.#wire
    this.#opening ??= this.#again(signal)
    return this.#opening
  }

  async #again(signal: AbortSignal): Promise<Wire> {
    const { backOff = BACK_OFF } = this.#options
    try {
      const pause = backOff[this.#starts - 1]
      if (pause === undefined) throw new Unreachable(`${this.#why}, and it is not started again after ${this.#starts} starts`)
      if (pause > 0) await liveClock.sleep(pause, signal)
      const wire = await this.#open()
      this.#options.say('mcp-restarted', `the MCP server ${this.name} was started again`)
      return wire
    } finally {
      this.#opening = undefined
    }
  }

  async #open(): Promise<Wire> {
    if (this.#closed) throw new Unreachable('it was closed')
    await Promise.all(this.#closing)
    this.#starts += 1
    let wire: Wire | undefined
    const ended = (reason: string): void => {
      if (this.#wire !== undefined && this.#wire === wire) this.#gone(reason)
    }
    wire = await this.#options.open({ changed: () => void this.#changed(), closed: ended }).catch((error: unknown) => {
      this.#why = error instanceof Error ? error.message : String(error)
      throw error
    })
    if (this.#closed) {
      await wire.close()
      throw new Unreachable('it was closed')
    }
    this.#wire = wire
    this.#took(wire.tools, this.#starts > 1)
    return wire
  }

  #gone(reason: string): void {
    this.#drop(reason)
    if (!this.#closed)
      this.#options.say('mcp-ended', `the MCP server ${this.name} cannot be used any more: ${reason}; its tools stay in the list`)
  }

  #drop(reason: string): void {
    const wire = this.#wire
    if (!wire) return
    this.#wire = undefined
    this.#why = reason
    const closing = wire.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  /** The server says that its list is another one. What came is announced and not offered, what went is refused when it is called. */
  async #changed(): Promise<void> {
    const wire = this.#wire
    const signal = new AbortController().signal
    const tools = await wire?.list({ signal, timeoutMs: this.#options.timeoutMs }).catch(() => undefined)
    if (tools && wire === this.#wire) this.#took(tools, true)
  }

  #took(tools: readonly ListedTool[], tell: boolean): void {
    const before = this.#listed
    this.#listed = new Map(tools.map((tool) => [tool.name, hashOfTool(tool)]))
    if (!tell) return
    const names = [...new Set([...before.keys(), ...this.#listed.keys()])].sort()
    const changes = names.flatMap((name) => changeOf(name, before.get(name), this.#listed.get(name)))
    if (changes.length === 0) return
    this.#options.say(
      'mcp-tools-changed',
      `the tools of the MCP server ${this.name} changed during the run (${changes.join(', ')}); the list in the prompt stays as it was`,
    )
  }
}

/** The same hash as in a lock, which knows `readOnly` only where it is true. */
export function hashOfTool({ name, description, input_schema, readOnly }: ListedTool): string {
  return lockedToolHash({ name, description, input_schema, ...(readOnly && { readOnly }) })
}

function changeOf(name: string, before: string | undefined, now: string | undefined): string[] {
  if (before === now) return []
  return [`${name} ${before === undefined ? 'came' : now === undefined ? 'went' : 'is another one'}`]
}
