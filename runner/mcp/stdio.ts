import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { endOf, messagesIn, startFault } from '../../schemas/mcp-stdio.ts'
import { MARKER } from '../../schemas/run-mark.ts'
import type { Processes } from '../processes.ts'

/** How a program is started that speaks MCP over its standard streams. */
export interface Program {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
}

/** A longer message is a fault of the server: it would fill the memory of the run. */
const MESSAGE_LIMIT = 64 * 1024 * 1024
/** How long a server may take to end by itself once its standard input is closed, before it is told to. */
const GRACE_MS = 300

/**
 * The way to a program's standard streams: a message a line. The SDK's own starts the program in our process group and, when it is closed,
 * leaves behind what the program started (runner-facts.md B5). Here it leads a group of its own and carries the mark of the run, and closing
 * ends all of that: standard input closed, SIGTERM, SIGKILL. Standard error is thrown away, because it may hold secrets.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  /** Why there is nobody to talk to any more, as the end of a sentence. */
  ended?: string
  readonly #program: Program
  readonly #processes: Processes
  #child: ChildProcessWithoutNullStreams | undefined
  readonly #messages = messagesIn(MESSAGE_LIMIT)

  /** `processes` are those of this server alone. */
  constructor(program: Program, processes: Processes) {
    this.#program = program
    this.#processes = processes
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#program
    const marked = { ...env, [MARKER]: this.#processes.environment()[MARKER] }
    const child = spawn(command, [...args], { cwd, env: marked, detached: true, windowsHide: true })
    this.#child = child
    this.#processes.own(child.pid)
    child.stderr.resume()
    child.stdin.on('error', () => undefined)
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#take(text))
    child.on('exit', (code, signal) => this.#end(endOf(code, signal)))
    child.on('error', (error: NodeJS.ErrnoException) => this.#end(startFault(error.code)))
    await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error as Error))])
  }

  /** Waits while the server does not take what was sent before. */
  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child
    if (!child || this.ended !== undefined) throw new Error(this.ended ?? 'it was not started')
    if (!child.stdin.write(`${JSON.stringify(message)}\n`)) await Promise.race([once(child.stdin, 'drain'), once(child, 'exit')])
  }

  /** Ends the program and everything it started. */
  async close(): Promise<void> {
    const child = this.#child
    if (child?.pid !== undefined) {
      child.stdin.end()
      if (child.exitCode === null && child.signalCode === null) await endedWithin(child, GRACE_MS)
      await this.#processes.end()
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
    }
    this.#end('it was closed')
  }

  #end(reason: string): void {
    if (this.ended !== undefined) return
    this.ended = reason
    this.onclose?.()
  }

  #take(text: string): void {
    const messages = this.#messages(text)
    if (!messages) return this.#end('it sent a message larger than 64 MiB')
    for (const message of messages) this.onmessage?.(message as JSONRPCMessage)
  }
}

async function endedWithin(child: ChildProcessWithoutNullStreams, ms: number): Promise<void> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ms)
  await once(child, 'exit', { signal: late.signal }).catch(() => undefined)
  clearTimeout(timer)
}
