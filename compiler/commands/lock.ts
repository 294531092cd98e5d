import { join, relative } from 'node:path'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { McpLock } from '../../schemas/shapes/server.ts'
import { compile, type Compilation } from '../compile.ts'
import type { CompileOptions } from '../options.ts'
import { faultOf } from '../discover/file-system.ts'
import { MCP_LOCK } from '../discover/server-files.ts'
import { writeAtomically } from '../emit/write.ts'
import { countsOf, countsText } from '../report/summary.ts'
import type { Io } from './io.ts'

/** Locking, and what a build goes on with. */
export interface Locked {
  /** Compiled anew with the lock, if one was written; with what was found while locking. */
  compilation: Compilation
  /** What became of the lock, for a person. */
  line: string
  /** 1 if the lock is not what the servers say now. */
  code: number
}

export interface LockFlags {
  check?: boolean
  accept?: boolean
  'keep-going'?: boolean
}

/**
 * `agentc build --lock-mcp`: asks the servers for their tools and writes the lock. What a server says otherwise than it is locked is
 * reported, and the lock stays as it is until somebody accepts it: a changed description is a way to change what agents do.
 */
export async function lockMcp(before: Compilation, options: CompileOptions, flags: LockFlags, io: Io): Promise<Locked> {
  const errors = countsOf(before.diagnostics.filter(({ code }) => code !== 'server/invalid-lock')).errors
  if (errors > 0 && !flags['keep-going'])
    return { compilation: before, line: `no server was started, because of ${countsText({ errors, warnings: 0, infos: 0 })}`, code: 1 }
  const { content, diagnostics } = await ask(before, io)
  const { changedTools } = await import('../lock/compare.ts')
  const old = before.mcp.lock
  const changed = old && !flags.accept ? changedTools(old, content) : []
  const compilation = { ...before, diagnostics: [...before.diagnostics, ...diagnostics, ...changed] }
  const file = options.mcpLock ?? join(before.discovery.projectRoot, MCP_LOCK)
  const shown = relative(io.cwd, file) || file
  if (changed.length > 0) return { compilation, line: `${shown} stays as it is, because ${countText(changed.length)} changed`, code: 1 }
  if (diagnostics.length > 0 && !flags['keep-going']) return { compilation, line: `${shown} stays as it is`, code: 1 }
  const { lockText } = await import('../servers/lock-file.ts')
  const text = lockText(diagnostics.length > 0 && old ? withOld(content, old.content) : content)
  if (text === old?.file.text) return { compilation, line: `unchanged: ${shown}`, code: 0 }
  if (flags.check) return { compilation, line: `stale: ${shown}; run \`agentc build --lock-mcp\``, code: 1 }
  return write(file, shown, text, options, diagnostics)
}

/** Interrupted, it first ends what it started: the servers are in groups of their own and would live on. */
async function ask(compilation: Compilation, io: Io): Promise<{ content: McpLock; diagnostics: Diagnostic[] }> {
  const { lockServers } = await import('../lock/lock.ts')
  const { mcp, resolution, discovery } = compilation
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  const kill = (pid: number, signal: NodeJS.Signals): boolean => process.kill(pid, signal)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const options = { cwd: discovery.projectRoot, env: io.env, version: io.version, kill, signal: stopped.signal }
    return await lockServers({ servers: mcp.servers, resolution }, options)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

async function write(file: string, shown: string, text: string, options: CompileOptions, found: readonly Diagnostic[]): Promise<Locked> {
  const code = found.length > 0 ? 1 : 0
  try {
    writeAtomically(file, text)
  } catch (error) {
    return { compilation: await compile(options), line: `${shown} cannot be written (${faultOf(error)})`, code: 1 }
  }
  const compilation = await compile(options)
  return { compilation: { ...compilation, diagnostics: [...compilation.diagnostics, ...found] }, line: `wrote ${shown}`, code }
}

/** With `--keep-going`: servers that did not answer stay locked to what they were. */
function withOld(now: McpLock, old: McpLock): McpLock {
  const agents = { ...old.agents, ...now.agents }
  for (const [agent, servers] of Object.entries(old.agents ?? {})) agents[agent] = { ...servers, ...agents[agent] }
  return { agentc: 1, servers: { ...old.servers, ...now.servers }, agents }
}

function countText(tools: number): string {
  return tools === 1 ? '1 tool' : `${tools} tools`
}
