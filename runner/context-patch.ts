import type { PermissionMode } from '../schemas/values.ts'

/** One thing to do, as the model keeps it in its list. */
export interface Todo {
  content: string
  status: 'pending' | 'in_progress' | 'completed'
  activeForm: string
}

/**
 * The only way in which a tool changes a run. It is written to the transcript with the result of its call, so that a resumed run
 * is in the same mode. `modeBefore` is the mode that plan mode goes back to; `null` forgets it.
 */
export interface ContextPatch {
  permissionMode?: PermissionMode
  modeBefore?: PermissionMode | null
  todos?: readonly Todo[]
  /** A skill whose text has just been put into the conversation, and which is to outlive a compaction. */
  skill?: { name: string; text: string }
}
