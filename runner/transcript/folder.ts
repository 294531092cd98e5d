import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Host, isAlive, ownerIn, ownerText } from '../processes.ts'
import { flusher } from './flush.ts'
import type { TranscriptLine } from './line.ts'
import type { Redact } from './redact.ts'
import { type Transcript, TranscriptFault } from './transcript.ts'

/** Where runs are kept, below the folder that the agent works in. */
export const RUNS = '.agentc/runs'

/** The folder of one run, open: its transcript can be written, and no other process resumes it. */
export interface RunFolder {
  /** The name of the folder. */
  id: string
  /** `redact` takes secrets out of all that is written; `session` names the run in what the model is told, also in a replay. */
  transcript(redact: Redact, session: string, now?: () => number): Transcript
  /** The transcript of an agent that the run has started, in a file of its own (a side chain). */
  side(id: string, redact: Redact, session: string, now?: () => number): Side
  close(): void
  /** Closes it and takes it away: the run could not begin. */
  discard(): void
}

export interface Side {
  transcript: Transcript
  /** Relative to the folder that the run works in. */
  path: string
  text(): string | undefined
  close(): void
}

/**
 * Makes the folder of a new run, with its manifest. If there is one of this id (a replay has the id of the recorded run),
 * the next free of `<id>-2`, `<id>-3` … is taken. A new `.agentc` folder keeps itself out of git.
 */
export function createRunFolder(project: string, id: string, manifest: { text: string; hash: string }, host: Host): RunFolder {
  try {
    const agentc = join(project, '.agentc')
    if (mkdirSync(agentc, { recursive: true }) !== undefined) writeFileSync(join(agentc, '.gitignore'), '*\n')
    mkdirSync(join(project, RUNS), { recursive: true })
    stayInside(project)
    const name = freeName(project, id)
    const folder = join(project, RUNS, name)
    writeFileSync(join(folder, 'lock'), lockText(host))
    writeFileSync(join(folder, 'manifest.json'), manifest.text, { mode: 0o600 })
    return opened(folder, name, manifest.hash, openSync(join(folder, 'transcript.jsonl'), 'ax', 0o600))
  } catch (error) {
    throw unwritable(error)
  }
}

/** Opens the folder of a run that is to go on; `whole` is the length of its transcript without a torn last line, which is cut off. */
export function reopenRunFolder(project: string, id: string, closure: string, whole: number, host: Host): RunFolder {
  const folder = join(project, RUNS, id)
  if (isRunning(folder, host)) throw new TranscriptFault(`Run ${id} is still running; it can be gone on with when it has ended.`)
  stayInside(project)
  try {
    writeFileSync(join(folder, 'lock'), lockText(host))
    const file = openSync(join(folder, 'transcript.jsonl'), 'r+')
    ftruncateSync(file, whole)
    closeSync(file)
    return opened(folder, id, closure, openSync(join(folder, 'transcript.jsonl'), 'a', 0o600))
  } catch (error) {
    throw unwritable(error)
  }
}

/** A project may hold links that somebody else has made: what is kept of a run never leaves the project by one. */
function stayInside(project: string): void {
  if (realpathSync(join(project, RUNS)) === join(realpathSync(project), RUNS)) return
  throw new TranscriptFault(`${RUNS} is a link to another place; runs are kept in the project itself.`)
}

/** Whether the process that writes this run is there; one that was killed leaves a lock that nobody holds. */
export function isRunning(folder: string, host: Host): boolean {
  const lock = existsSync(join(folder, 'lock')) ? readFileSync(join(folder, 'lock'), 'utf8') : ''
  const owner = ownerIn(lock)
  return owner !== undefined && owner.pid !== host.pid && isAlive(owner, host)
}

function lockText(host: Host): string {
  return `${ownerText(host)}\n`
}

function freeName(project: string, id: string): string {
  for (let at = 1; ; at++) {
    const name = at === 1 ? id : `${id}-${at}`
    try {
      mkdirSync(join(project, RUNS, name), { mode: 0o700 })
      return name
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function opened(folder: string, id: string, closure: string, file: number): RunFolder {
  const { sync, end } = flusher(file)
  const written = (to: number, flush: () => void, redact: Redact, session: string, now?: () => number): Transcript => {
    let outputs = 0
    return {
      run: { id, folder: `${RUNS}/${id}` },
      closure,
      put: (line) => append(to, now && TIMED.has(line.kind) ? { ...line, at: now() } : line, redact),
      sync() {
        try {
          flush()
        } catch (error) {
          throw unwritable(error)
        }
      },
      keep(text) {
        const name = keptName(folder, () => ++outputs)
        try {
          writeFileSync(join(folder, name), redact(text), { mode: 0o600 })
        } catch (error) {
          throw unwritable(error)
        }
        return `${RUNS}/${session}/${name}`
      },
    }
  }
  const release = (): void => {
    end()
    closeSync(file)
  }
  return {
    id,
    transcript: (redact, session, now) => written(file, sync, redact, session, now),
    side: (agent, redact, session, now) => sideOf(folder, id, agent, (to, flush) => written(to, flush, redact, session, now)),
    close() {
      release()
      rmSync(join(folder, 'lock'), { force: true })
    },
    discard() {
      release()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Lines that have a time but for which the run itself has no use. */
const TIMED = new Set(['request', 'assistant', 'fault', 'hook_reply', 'tool_start', 'tool_end'])

/** Opened with its first line, so that a transcript that is only read makes no file. */
function sideOf(folder: string, id: string, agent: string, written: (to: number, flush: () => void) => Transcript): Side {
  const name = `agents/agent-${agent}.jsonl`
  let open: { transcript: Transcript; close: () => void } | undefined
  const opened = () => {
    if (open) return open.transcript
    try {
      mkdirSync(join(folder, 'agents'), { recursive: true, mode: 0o700 })
      const file = openSync(join(folder, name), 'a', 0o600)
      const { sync, end } = flusher(file)
      const close = (): void => {
        end()
        closeSync(file)
      }
      open = { transcript: written(file, sync), close }
      return open.transcript
    } catch (error) {
      throw unwritable(error)
    }
  }
  const whole = written(-1, () => {})
  return {
    transcript: { ...whole, put: (line) => opened().put(line), sync: () => open?.transcript.sync(), keep: (text) => opened().keep(text) },
    path: `${RUNS}/${id}/${name}`,
    text: () => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined),
    close() {
      open?.close()
      open = undefined
    },
  }
}

function append(file: number, line: TranscriptLine, redact: Redact): void {
  const clean = redact(line)
  const text = Buffer.from(`${JSON.stringify(clean === line ? line : { ...clean, redacted: true })}\n`)
  try {
    // One write a line. A disk that takes only a part of it takes the rest next, or says why not.
    for (let at = 0; at < text.length;) at += writeSync(file, text, at)
  } catch (error) {
    throw unwritable(error)
  }
}

function keptName(folder: string, next: () => number): string {
  mkdirSync(join(folder, 'outputs'), { recursive: true, mode: 0o700 })
  for (;;) {
    const name = `outputs/${next()}.txt`
    if (!existsSync(join(folder, name))) return name
  }
}

function unwritable(error: unknown): Error {
  const { code, path } = error as NodeJS.ErrnoException
  if (code === undefined) return error as Error
  return new TranscriptFault(`The run cannot be kept in ${RUNS} (${code}${path === undefined ? '' : `, ${path.split('/').at(-1)}`}).`)
}
