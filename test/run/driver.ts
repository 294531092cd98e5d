import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { run } from '../../runner/commands/run.ts'
import { stopOnSignals } from '../../runner/commands/signals.ts'
import { writingTools } from './writing-tools.ts'

/** `agentc run` with the tools of these tests, for processes that are killed. With KILL_AT it kills itself at that byte of its transcript. */

const killAt = process.env.KILL_AT === undefined ? Number.POSITIVE_INFINITY : Number(process.env.KILL_AT)
const writeSync = fs.writeSync as unknown as (file: number, data: Uint8Array, from?: number, length?: number) => number
let written = 0

fs.writeSync = ((file: number, data: Uint8Array, from = 0) => {
  const line = data instanceof Uint8Array && Buffer.from(data.subarray(from, from + 8)).toString() === '{"kind":'
  if (line && written + data.length - from > killAt) {
    if (killAt > written) writeSync(file, data, from, killAt - written)
    process.kill(process.pid, 'SIGKILL')
  }
  if (line) written += data.length - from
  return writeSync(file, data, from)
}) as unknown as typeof fs.writeSync
syncBuiltinESMExports()

const { signal, atOnce, outputClosed } = stopOnSignals()
process.stdout.on('error', outputClosed)
const { stdin, stdout, stderr, env } = process
const io = { stdin, stdout, stderr, env, cwd: process.cwd(), signal, atOnce, tools: writingTools }
process.exitCode = await run(process.argv.slice(2), io, () => Promise.reject(new Error('not asked for')))
