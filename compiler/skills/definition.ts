import type { RemoteSkill } from '../config/remote-skills.ts'
import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import type { Located, Range } from '../../schemas/source.ts'
import type { Effort } from '../../schemas/values.ts'
import type { ModelChoice } from '../define/definition.ts'
import type { SourceFile } from '../source-file.ts'

/** The keys that may be absent, each with the place of its value. A wrong value is reported and the key left out. */
export interface SkillFields {
  whenToUse?: Located<string>
  argumentHint?: Located<string>
  arguments?: Located<string[]>
  disableModelInvocation?: Located<boolean>
  userInvocable?: Located<boolean>
  model?: Located<ModelChoice>
  effort?: Located<Effort>
  context?: Located<'fork' | 'inline'>
  agent?: Located<string>
  background?: Located<boolean>
  paths?: Located<string[]>
  shell?: Located<'bash' | 'powershell'>
  hooks?: Located<Hooks>
}

/** What one SKILL.md or command file says. */
export interface SkillDefinition extends SkillFields {
  file: SourceFile
  /** What it is called by: `notes`, `plugin:notes`, or `folder:notes` for a command. */
  name: string
  /** Where it says what it is: at its name, else its description, else the top. */
  at: Range
  /** What it says of itself, else its first line of text; empty if it has none. */
  description: string
  /** The text below the frontmatter. */
  content: string
  /** What it allows and denies while it is at work. */
  allowedTools: Rule[]
  disallowedTools: Rule[]
}

/** A skill or command as it really is, with those of the same name that it replaces, the highest layer first. */
export interface ResolvedSkill {
  definition: SkillDefinition
  overrides: SkillDefinition[]
}

/** All that can be called by a `/name`. */
export interface Skills {
  /** In name order (code units). */
  skills: ReadonlyMap<string, ResolvedSkill>
  /** Commands whose name no skill has, in name order. */
  commands: ReadonlyMap<string, ResolvedSkill>
  /** Names whose highest file cannot be read: nothing below it takes its place. */
  lost: ReadonlyMap<string, SourceFile>
  /** Skills that are kept elsewhere, by slug, in order. One whose name a file has cannot be called. */
  remote: ReadonlyMap<string, RemoteSkill>
}

/** Those that have a file in one of the layers. */
export type FileSkills = Omit<Skills, 'remote'>

/** The remote skill of a name, if it can be called: no file has that name. */
export function callableRemote(name: string, { skills, commands, lost, remote }: Skills): RemoteSkill | undefined {
  return skills.has(name) || commands.has(name) || lost.has(name) ? undefined : remote.get(name)
}
