import { Worker } from 'node:worker_threads'
import { sha256 } from '../../schemas/canonical.ts'
import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import { WORKER_SOURCE } from './custom-worker.ts'
import { type Absent, failed, fine, type Tool, type ToolContext, type ToolInput, type ToolOutput } from './tool.ts'

/** Gives the code that lies beside the manifest under this hash; `undefined` if there is none. */
export type ReadCode = (hash: string) => Promise<string | undefined>

const TIMEOUT = 120_000
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }

/**
 * The tools that the project wrote: those of the header that have code. Each call runs in a thread of its own, without standard input,
 * with bounds on memory and time; a crash is a result. Code that does not fit its hash in the manifest is not run.
 * A worker is no sandbox: the code has the rights of this program, which is why it is loaded for a project that is trusted only.
 */
export function customTool(
  name: string,
  header: Readonly<ManifestHeader>,
  read: ReadCode | undefined,
  timeout = TIMEOUT,
): Tool | Absent | undefined {
  const code = Object.hasOwn(header.tools, name) ? header.tools[name]!.code : undefined
  if (!code) return undefined
  if (!read) return { absent: 'its code cannot be read here' }
  return {
    async run(input, context) {
      const text = await read(code.hash)
      if (text === undefined) return failed(`The code of ${name} is not beside the manifest: build again.`)
      if (sha256(text) !== code.hash) return failed(`The code of ${name} is not what the manifest was built with: build again.`)
      return inWorker(name, text, input, context, timeout)
    },
  }
}

function inWorker(name: string, code: string, input: ToolInput, context: ToolContext, timeout: number): Promise<ToolOutput> {
  const worker = new Worker(WORKER_SOURCE, {
    eval: true,
    workerData: { code, input, cwd: context.workspace.cwd },
    env: Object.fromEntries(Object.entries(context.env).filter(([, value]) => value !== undefined)) as Record<string, string>,
    argv: [],
    execArgv: [],
    stdin: false,
    // What it prints is read and dropped: it must not mix with the output of this program.
    stdout: true,
    stderr: true,
    resourceLimits: LIMITS,
  })
  return new Promise<ToolOutput>((resolve) => {
    let over = false
    const done = (output: ToolOutput) => {
      if (over) return
      over = true
      clearTimeout(timer)
      context.signal.removeEventListener('abort', interrupt)
      void worker.terminate().then(() => resolve(output))
    }
    const interrupt = () => done(failed('The run was interrupted.'))
    const timer = setTimeout(() => done(failed(`${name} timed out after ${timeout} ms and was ended.`)), timeout)
    context.signal.addEventListener('abort', interrupt)
    if (context.signal.aborted) interrupt()
    worker.stdout.resume()
    worker.stderr.resume()
    worker.once('message', ({ text, isError }: ToolOutput) =>
      done(isError ? failed(`${name} failed: ${text}`) : fine(text === '' ? '[no output]' : text)),
    )
    worker.once('error', (error: NodeJS.ErrnoException) =>
      done(failed(`${name} crashed: ${error.code ?? ''} ${error.message}`.replace('  ', ' '))),
    )
    worker.once('exit', (exit) => done(failed(`${name} ended without an answer (exit code ${exit}).`)))
  })
}
