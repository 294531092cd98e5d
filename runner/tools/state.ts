import { Tasks } from '../shells/tasks.ts'
import { FileMemory } from './file-memory.ts'

/** What the tools of one agent remember from call to call. It belongs to the agent and ends with it (M24). */
export interface ToolState {
  files: FileMemory
  tasks: Tasks
}

export function newToolState(): ToolState {
  return { files: new FileMemory(), tasks: new Tasks() }
}

/** What a sub-agent begins with: it knows the files that its parent has read, from here on for itself, and has no tasks (M27). */
export function childToolState(parent: ToolState): ToolState {
  return { files: parent.files.copy(), tasks: new Tasks() }
}
