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

/** The notes of an agent as they were read, and the folder as the agent is told of it. */
export interface Recalled extends Notes, ShownMemory {}

/** Gives the notes of an agent: those that `read` gives, which a recording keeps, or the recorded ones. */
export type Recall = (read: () => Promise<Recalled>) => Promise<Recalled>

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
}

/**
 * An agent with its notes, before its first request: it reads them once, for the whole run, and from here on it may write their folder.
 * A fork is its parent over again, notes included; a run that goes on has those it began with.
 */
export async function remember(start: Start, seams: RememberSeams): Promise<Remembering> {
  const { workspace: given, past, state, recall = (read) => read() } = seams
  const before = past?.history.start
  if (start.fork || before?.fork) return { start, workspace: given, notices: [] }
  const workspace = await withMemory(given, start.name, start.agent, before?.memory?.folder)
  if (workspace.memoryFault !== undefined) return { start, workspace, notices: [notice('memory', workspace.memoryFault)] }
  if (!workspace.memory || past) return { start, workspace, notices: [] }
  const { folder, told } = workspace.memory
  const { notice: said, whole, ...memory } = await recall(async () => ({ folder: told, ...(await readNotes(folder)) }))
  if (whole !== undefined) await seenWhole(join(folder, MEMORY_FILE), whole, state)
  return {
    start: { ...start, memory },
    workspace: { ...workspace, memory: { folder, told: memory.folder } },
    notices: said === undefined ? [] : [notice('memory', said)],
  }
}

/** What the agent was shown whole it need not read before it changes it. */
async function seenWhole(path: string, hash: string, { files }: ToolState): Promise<void> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined)
  if (stats) files.note(path, stats, hash)
}
