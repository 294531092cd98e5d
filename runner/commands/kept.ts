import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { ManifestFault, type OpenManifest, readManifest } from '../../schemas/manifest.ts'
import { didYouMean } from '../../schemas/near.ts'
import { EXIT } from '../exit-codes.ts'
import { RUNS } from '../transcript/folder.ts'
import { DamagedTranscript } from '../transcript/read.ts'
import type { RunIo } from './run-io.ts'

/** A run as it lies on the disk. */
export interface KeptRun {
  id: string
  folder: string
  transcript: string
  manifest: OpenManifest
}

/** Something a person can put right; printed as one line. */
export class Trouble extends Error {
  override name = 'Trouble'
}

/** What is wrong with the folder that `--project` names, as a sentence: one that is not there has no runs either, and nobody meant it. */
export function projectFault(project: string | undefined, cwd: string): string | undefined {
  if (project === undefined) return undefined
  const path = resolve(cwd, project)
  if (!existsSync(path)) return `The folder ${project} does not exist.`
  return statSync(path).isDirectory() ? undefined : `${project} is a file, and no folder.`
}

/** The names of all runs of a project, sorted. */
export function runIds(project: string): string[] {
  const folder = join(project, RUNS)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'transcript.jsonl')))
    .map((entry) => entry.name)
    .sort()
}

/** Finds a run by its name, or by its folder, wherever that lies. Throws `Trouble` and `ManifestFault`. */
export function keptRun(project: string, cwd: string, run: string): KeptRun {
  const named = !run.includes('/') && existsSync(join(project, RUNS, run, 'transcript.jsonl'))
  const folder = named ? join(project, RUNS, run) : resolve(cwd, run)
  if (!existsSync(join(folder, 'transcript.jsonl'))) throw new Trouble(unknown(project, run))
  const text = (name: string): string => textIn(folder, name)
  return { id: basename(folder), folder, transcript: text('transcript.jsonl'), manifest: readManifest(text('manifest.json')) }
}

/**
 * Reads a run for a command that only looks at it, and gives the exit code. What is wrong with the run is told in one line;
 * any other exception is a bug.
 */
export function lookAt(
  run: string,
  project: string | undefined,
  io: Pick<RunIo, 'stderr' | 'cwd'>,
  look: (kept: KeptRun) => number,
): number {
  const fault = projectFault(project, io.cwd)
  if (fault !== undefined) return (io.stderr.write(`agentc: ${fault}\n`), EXIT.usage)
  try {
    return look(keptRun(resolve(io.cwd, project ?? '.'), io.cwd, run))
  } catch (error) {
    if (!(error instanceof Trouble || error instanceof ManifestFault || error instanceof DamagedTranscript)) throw error
    io.stderr.write(`agentc: ${error.message}\n`)
    return EXIT.error
  }
}

/** The transcripts of the agents that a run has started, by their names. Throws `Trouble`. */
export function sideTranscripts({ folder }: Pick<KeptRun, 'folder'>): string[] {
  const below = join(folder, 'agents')
  const names = existsSync(below) ? readdirSync(below).filter((name) => name.endsWith('.jsonl')) : []
  return names.sort().map((name) => textIn(folder, join('agents', name)))
}

function textIn(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch (error) {
    throw new Trouble(`${name} of run ${basename(folder)} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** A run of this very project: one that is to go on must be where its files are. */
export function ownRun(project: string, run: string): KeptRun {
  const kept = keptRun(project, project, run)
  if (kept.folder === join(project, RUNS, kept.id)) return kept
  throw new Trouble(`Run ${kept.id} is not in ${RUNS} of this folder; go on with it where it was begun.`)
}

function unknown(project: string, run: string): string {
  const ids = runIds(project)
  const near = didYouMean(run, ids)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  return `There is no run ${JSON.stringify(run)} in ${RUNS}.${hint} ${ids.length > 0 ? 'agentc runs lists them all.' : 'There are none yet.'}`
}
