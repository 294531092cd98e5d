import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'
import type { Start } from '../context.ts'
import { turns } from '../in-turn.ts'
import { modeInForce } from '../permission/mode.ts'
import { isInside, slashed, type Workspace } from '../workspace.ts'
import { writeOwn } from '../write-whole.ts'
import { filesOf, hashOfFiles, NoNotes, writeFiles } from './files.ts'
import { snapshotPlace } from './place.ts'

/** What is the same in two places and when: the notes of an agent, their snapshot in a project, and what both were last time. */
export interface Known {
  notes: string | undefined
  snapshot: string | undefined
  /** As both were when they were last the same. */
  synced: string | undefined
}

/**
 * What becomes of notes and snapshot. Only what has not changed since both were the same gives way to the other, so that nobody's newer notes
 * are ever overwritten: `carry` writes the snapshot, `take` the notes.
 */
export function whatToDo({ notes, snapshot, synced }: Known): 'nothing' | 'carry' | 'take' | 'conflict' {
  if (notes === snapshot) return 'nothing'
  if (snapshot === undefined) return 'carry'
  if (notes === undefined) return 'take'
  if (snapshot === synced) return 'carry'
  return notes === synced ? 'take' : 'conflict'
}

/** The snapshot of an agent's notes in a project. Both give what people are to be told, a sentence each. */
export interface Snapshot {
  /** Before the notes are read: carries them into the project, or takes them from there. */
  begin(): Promise<readonly string[]>
  /** When the agent has ended: carries them into the project, and takes nothing. */
  end(): Promise<readonly string[]>
}

/**
 * The snapshot of an agent whose notes are the user's (M8), with the feature `memory-snapshots`; not in plan mode, in which nothing is written.
 * `undefined`: there is none. Of a project that is not trusted the feature is off: its snapshot would reach all other projects.
 */
export function snapshotOf(start: Start, workspace: Workspace): Snapshot | undefined {
  const { header, name, agent } = start
  if (header.features['memory-snapshots'] !== true || agent.memory !== 'user' || !workspace.memory) return undefined
  if (modeInForce(start) === 'plan') return undefined
  const { folder } = workspace.memory
  const sync = (mayTake: boolean) => async (): Promise<readonly string[]> => {
    const found = await snapshotPlace(workspace, name)
    if ('fault' in found) return [`the notes of ${name} are not carried into the project: ${found.fault}`]
    const record = recordPlace(workspace, found.folder)
    if (record === undefined) return []
    const shown = slashed(relative(workspace.root, found.folder))
    return inTurn(() => synced({ name, notes: folder, snapshot: found.folder, record, shown }, mayTake))
  }
  return { begin: sync(true), end: sync(false) }
}

/** A repository that holds the configuration folder could say of itself what was the same; it has no snapshots. */
function recordPlace({ config, root }: Workspace, snapshot: string): string | undefined {
  if (config === undefined || isInside(root, config)) return undefined
  return join(config, 'agentc', 'memory-snapshots', `${sha256(snapshot).slice('sha256:'.length, 'sha256:'.length + 32)}.json`)
}

/** Several agents of one name may end together. */
const inTurn = turns()

interface Places {
  name: string
  notes: string
  snapshot: string
  /** Where it is kept what both were. */
  record: string
  /** The snapshot, for people. */
  shown: string
}

async function synced({ name, notes, snapshot, record, shown }: Places, mayTake: boolean): Promise<readonly string[]> {
  try {
    const [here, there] = [await filesOf(notes), await filesOf(snapshot)]
    const known = { notes: hashOfFiles(here), snapshot: hashOfFiles(there), synced: await recorded(record) }
    const what = whatToDo(known)
    if (what === 'conflict') return [conflict(name, shown)]
    if (what === 'take' && !mayTake) return []
    if (what === 'carry') await writeFiles(snapshot, here, there)
    if (what === 'take') await writeFiles(notes, there, here)
    const now = what === 'take' ? known.snapshot : known.notes
    if (now !== undefined && now !== known.synced) await keep(record, now)
    if (what === 'nothing') return []
    return [`the notes of ${name} were ${what === 'carry' ? 'carried into the project' : 'taken from the project'}: ${shown}`]
  } catch (error) {
    if (!(error instanceof NoNotes)) throw error
    return [`the notes of ${name} and their snapshot ${shown} are left as they are: ${error.message}`]
  }
}

function conflict(name: string, shown: string): string {
  return `the notes of ${name} and their snapshot ${shown} have both changed, so both are left as they are; remove one of the two to get the other in its place`
}

/** A record that cannot be read says nothing: what differs then is a conflict, and nothing is overwritten. */
async function recorded(file: string): Promise<string | undefined> {
  try {
    const { synced } = JSON.parse(await readFile(file, 'utf8')) as { synced?: unknown }
    return typeof synced === 'string' ? synced : undefined
  } catch {
    return undefined
  }
}

async function keep(file: string, synced: string): Promise<void> {
  try {
    await writeOwn(file, `${JSON.stringify({ agentc: 1, synced })}\n`)
  } catch (error) {
    throw new NoNotes(`what they were cannot be kept (${(error as NodeJS.ErrnoException).code})`)
  }
}
