import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Past } from '../begun.ts'
import type { Start } from '../context.ts'
import type { NoticeEvent } from '../events.ts'
import { notice } from '../notice-queue.ts'
import type { ToolState } from '../tools/state.ts'
import type { Workspace } from '../workspace.ts'
import { MEMORY_FILE, type Notes, readNotes } from './notes.ts'
import { withMemory } from './place.ts'
import type { ShownMemory } from './section.ts'
import { snapshotOf } from './snapshot.ts'

/** The notes of an agent as they were read, and the folder as the agent is told of it. */
export interface Recalled extends Notes, ShownMemory {
  /** What became of their snapshot in the project. */
  snapshot?: readonly string[]
}

/**
 * What an agent has of its notes: what `read` gives, which a recording keeps, or what was recorded. Where nothing was recorded a replay takes
 * `otherwise`, if that is given, so that it does not do what the recorded run did not.
 */
export type Recall = <T>(what: 'notes' | 'snapshot', read: () => Promise<T>, otherwise?: T) => Promise<T>

interface RememberSeams {
  workspace: Workspace
  state: ToolState
  past?: Past | undefined
  recall?: Recall | undefined
}

interface Remembering {
  start: Start
  workspace: Workspace
  notices: readonly NoticeEvent[]
  /** When the agent has ended: what is to be told of its notes. */
  leave?: (() => Promise<readonly NoticeEvent[]>) | undefined
}

/**
 * An agent with its notes, before its first request: it reads them once, for the whole run, and from here on it may write their folder.
 * A fork is its parent over again, notes included; a run that goes on has those it began with.
 */
export async function remember(start: Start, seams: RememberSeams): Promise<Remembering> {
  const { workspace: given, past, state, recall = (_, read) => read() } = seams
  const before = past?.history.start
  if (start.fork || before?.fork) return { start, workspace: given, notices: [] }
  const workspace = await withMemory(given, start.name, start.agent, before?.memory?.folder)
  if (workspace.memoryFault !== undefined) return { start, workspace, notices: [notice('memory', workspace.memoryFault)] }
  const snapshot = snapshotOf(start, workspace)
  const leave = snapshot && (async () => told(await recall('snapshot', snapshot.end, [])))
  if (!workspace.memory || past) return { start, workspace, notices: [], leave }
  const { folder, told: name } = workspace.memory
  const {
    notice: said,
    whole,
    snapshot: carried = [],
    ...memory
  } = await recall<Recalled>('notes', async () => {
    const done = await snapshot?.begin()
    return { folder: name, ...(await readNotes(folder)), ...(done && { snapshot: done }) }
  })
  if (whole !== undefined) await seenWhole(join(folder, MEMORY_FILE), whole, state)
  return {
    start: { ...start, memory },
    workspace: { ...workspace, memory: { folder, told: memory.folder } },
    notices: [...told(carried), ...(said === undefined ? [] : [notice('memory', said)])],
    leave,
  }
}

function told(texts: readonly string[]): NoticeEvent[] {
  return texts.map((text) => notice('memory-snapshot', text))
}

/** What the agent was shown whole it need not read before it changes it. */
async function seenWhole(path: string, hash: string, { files }: ToolState): Promise<void> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined)
  if (stats) files.note(path, stats, hash)
}
