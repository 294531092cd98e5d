import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One whole process: wall time, processor time and peak memory. */

const GNU_TIME = '/usr/bin/time'
const REPORTER = fileURLToPath(new URL('report-memory.cjs', import.meta.url))
const running = new Set()

/** Says how memory is read here: GNU time where it is present, else each Node process reports its own at its end. */
export const memoryBy = existsSync(GNU_TIME) ? 'GNU time' : 'process.resourceUsage'

/** In: `[program, ...arguments]`, working directory, environment, a folder for notes. Out: `{ at (ms since 1970), wall, cpu (ms), rss (MiB), code }`. */
export function measure(command, { cwd, env, notes }) {
  const note = join(notes, 'measured.txt')
  rmSync(note, { force: true })
  const [program, ...args] = memoryBy === 'GNU time' ? [GNU_TIME, '-q', '-f', '%M %U %S', '-o', note, ...command] : command
  const spied = memoryBy === 'GNU time' ? env : { ...env, NODE_OPTIONS: `--require=${REPORTER}`, AGENTC_BENCH_NOTE: note }
  return new Promise((resolve, reject) => {
    const at = performance.timeOrigin + performance.now()
    const start = process.hrtime.bigint()
    const child = spawn(program, args, { cwd, env: spied, stdio: 'ignore' })
    running.add(child)
    child.once('error', reject)
    child.once('exit', (code) => {
      const wall = Number(process.hrtime.bigint() - start) / 1e6
      running.delete(child)
      resolve({ at, wall, code, ...noted(note) })
    })
  })
}

/** Ends what `measure` started and still runs. */
export function stopRunning() {
  for (const child of running) child.kill('SIGKILL')
}

function noted(file) {
  const [kilobytes, user, system] = readFileSync(file, 'utf8').trim().split(/\s+/).map(Number)
  return { rss: kilobytes / 1024, cpu: (user + system) * 1000 }
}

/** In: numbers. Out: the one in the middle (of an even count, the mean of the two). */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
