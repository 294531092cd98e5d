import type { Hooks } from '../schemas/shapes/hook.ts'
import type { Rule } from '../schemas/shapes/permission.ts'
import type { PermissionMode } from '../schemas/values.ts'
import type { RequestPrefix } from './message.ts'
import type { FramedSkill } from './skills/frame.ts'

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
  skill?: FramedSkill
  /** What the skill brings while it is at work. */
  atWork?: SkillAtWork
  /** The full id of the model, and the effort, while the skill is at work. */
  model?: string
  effort?: Effort
  /** A skill that a person has called and that is to be run in an agent of its own before the model is asked. */
  apart?: FramedSkill
}

export type Effort = NonNullable<RequestPrefix['output_config']>['effort']

/**
 * What holds while a skill is at work: from its call to the next prompt of a person. Its rules are rules like others, so that those which
 * deny or ask are stronger than those which it allows by.
 */
export interface SkillAtWork {
  name: string
  allow?: readonly Rule[]
  deny?: readonly Rule[]
  hooks?: Hooks
}
