import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { endOf, messagesIn, startFault } from '../../schemas/mcp-stdio.ts'
import { MARKER, markedWith } from '../../schemas/run-mark.ts'
import { endGroup, sweep, type Kill } from './processes.ts'

/** How a program is started that speaks MCP over its standard streams. */
export interface Program {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  /** The marks of the runs that this process is inside of, as they stand in its environment. */
  outer: string | undefined
  kill: Kill
}

/** A longer message is no list of tools. */
const MESSAGE_LIMIT = 16 * 1024 * 1024
/** How long a server may take to end by itself once its standard input is closed. */
const GRACE_MS = 500

/**
 * The way to a program's standard streams: a message a line. The SDK's own starts the program in our process group and, when it is closed,
 * leaves behind what the program started (runner-facts.md B5), so it is not used. Whatever the program writes to standard error is thrown
 * away, because it may hold secrets.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  /** Why there is nobody to talk to any more. */
  ended?: string
  private child?: ChildProcessWithoutNullStreams
  private readonly run = randomUUID()
  private readonly program: Program
  private readonly messages = messagesIn(MESSAGE_LIMIT)

  constructor(program: Program) {
    this.program = program
  }

  async start(): Promise<void> {
    const { command, args, cwd, outer } = this.program
    const env = { ...this.program.env, [MARKER]: markedWith(outer, this.run) }
    const child = spawn(command, [...args], { cwd, env, detached: true, windowsHide: true })
    this.child = child
    child.stderr.resume()
    child.stdin.on('error', () => undefined)
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.take(text))
    child.on('exit', (code, signal) => this.end(endOf(code, signal)))
    child.on('error', (error: NodeJS.ErrnoException) => this.end(startFault(error.code)))
    await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error as Error))])
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.child?.stdin.write(`${JSON.stringify(message)}\n`)
  }

  /** Ends the program and everything it started. */
  async close(): Promise<void> {
    const child = this.child
    if (child?.pid !== undefined) {
      child.stdin.end()
      if (child.exitCode === null && child.signalCode === null) await endedWithin(child, GRACE_MS)
      endGroup(child.pid, this.program.kill)
      await sweep(this.run, this.program.kill)
      child.stdout.destroy()
      child.stderr.destroy()
    }
    this.end('it was closed')
  }

  private end(reason: string): void {
    if (this.ended !== undefined) return
    this.ended = reason
    this.onclose?.()
  }

  private take(text: string): void {
    const messages = this.messages(text)
    if (!messages) return this.end('it sends a message larger than 16 MiB')
    for (const message of messages) this.onmessage?.(message as JSONRPCMessage)
  }
}

async function endedWithin(child: ChildProcessWithoutNullStreams, ms: number): Promise<void> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ms)
  await once(child, 'exit', { signal: late.signal }).catch(() => undefined)
  clearTimeout(timer)
}
