import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Start } from '../../../runner/context.ts'
import { NoticeQueue } from '../../../runner/notice-queue.ts'
import { type Attached, openPool, type PoolOptions } from '../../../runner/mcp/pool.ts'
import { openProcesses } from '../../../runner/processes.ts'
import { Scope } from '../../../runner/scope.ts'
import { builtInTools, isPresent } from '../../../runner/tools/registry.ts'
import type { ToolContext, ToolInput, ToolOutput } from '../../../runner/tools/tool.ts'
import type { ServerConfig } from '../../../schemas/shapes/server.ts'
import { type AgentParts, type HeaderParts, startOf } from '../manifest-fixture.ts'
import { folder } from '../stage.ts'

const STUB = new URL('stub.mjs', import.meta.url).pathname

/** The stub as a server; `kind` says what is special about it. */
export function stub(kind = 'plain', more: Partial<ServerConfig & { type: 'stdio' }> = {}): ServerConfig {
  return { type: 'stdio', command: process.execPath, args: [STUB, kind], ...more }
}

/** The program of a server that others wrote. */
export function programOf(name: string): string {
  const require = createRequire(import.meta.url)
  const file = require.resolve(`@modelcontextprotocol/${name}/package.json`)
  const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { bin: Record<string, string> }
  return join(dirname(file), Object.values(bin)[0]!)
}

export interface Setting {
  servers?: Record<string, ServerConfig>
  agent?: AgentParts
  header?: HeaderParts
  pool?: Partial<PoolOptions>
  /** A run that is gone on with. */
  begun?: Start
}

export interface Stage extends Attached {
  queue: NoticeQueue
  mark: string
  close(): Promise<void>
  call(name: string, input?: ToolInput, signal?: AbortSignal): Promise<ToolOutput>
}

let stages = 0

/** An agent with its servers, and their end when the test ends. */
export async function attached({ servers = {}, agent = {}, header = {}, pool = {}, begun }: Setting): Promise<Stage> {
  const cwd = await folder()
  const mark = `mcp-test-${process.pid}-${(stages += 1)}`
  const processes = openProcesses(mark, process.env, process, 500)
  const scope = new Scope(processes)
  const queue = new NoticeQueue()
  const opened = openPool({ servers, env: process.env, cwd, version: '0', processes, say: queue.say, ...pool })
  const close = async (): Promise<void> => {
    await opened.close()
    await scope.close()
  }
  onTestFinished(close)
  const start = startOf(agent, 'go', {
    ...header,
    mcpServers: Object.fromEntries(
      Object.entries(servers).map(([name, config]) => [
        name,
        { config, origin: { source: 'project', path: '.mcp.json', line: 1, column: 1 } },
      ]),
    ),
  })
  const ready = await opened.attach(begun ?? start, builtInTools, scope)
  const call: Stage['call'] = async (name, input = {}, signal = new AbortController().signal) => {
    const tool = ready.tools(name)
    if (!isPresent(tool)) throw new Error(`${name}: ${tool.absent}`)
    return tool.run(input, { signal } as ToolContext)
  }
  return { ...ready, queue, mark, close, call }
}

/** A port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
