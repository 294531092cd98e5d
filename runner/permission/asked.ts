import type { Rule } from '../../schemas/shapes/permission.ts'
import type { PermissionMode } from '../../schemas/values.ts'
import type { Workspace } from '../workspace.ts'
import type { ShellLine } from './shell/command.ts'

/** A file that a call is about: `path` as it was given, made absolute, and `real` with all links followed. */
export interface AskedFile {
  path: string
  real: string
}

/** A file that a command line opens, looked up. */
export interface ShellFile extends AskedFile {
  how: 'read' | 'write' | 'list'
  guessed: boolean
  /** A redirection opens it, not a program. */
  redirect: boolean
  /** The command it belongs to, by its place among all commands of the line, inner ones included; -1 for a redirection. */
  command: number
}

/** A command line of the tool Bash, read and looked up. */
export interface ShellCall {
  line: ShellLine
  files: readonly ShellFile[]
  /** Why it cannot be known which files it opens; these matter only where rules hide or protect files. */
  unsure: readonly string[]
}

/** A call as the rules see it. A search names no files; its path rules are applied to every file that it finds. */
export interface Asked {
  tool: string
  input: Readonly<Record<string, unknown>>
  files: readonly AskedFile[]
  search: boolean
  /** What the command of a Bash call does; without it such a call is never allowed. */
  shell?: ShellCall | undefined
  /** The caller knows that the call can do no harm: a skill that only adds text. */
  safe?: boolean | undefined
  /** What the call would do beyond itself, for the person who is asked: the end of a sentence. */
  brings?: string | undefined
}

/** `bubble` is the mode of forks: as `default`, but the parent's person is asked. */
export type Mode = PermissionMode | 'bubble'

/** The rules in force for one agent, those that its layers may not give left out (runner/trust). */
export interface Rights {
  limits: readonly Rule[]
  deny: readonly Rule[]
  ask: readonly Rule[]
  /** What is denied to the agents above it. They decide on its calls themselves; here it says for which files to look. */
  above?: readonly Rule[] | undefined
  allow?: readonly Rule[] | undefined
  /** `default` when left out. */
  mode?: Mode | undefined
  workspace: Workspace
  /** A person has started the run in plan mode, to look around: what is nobody's secret is read outside the project too. */
  looksAround?: boolean | undefined
  /** Folders that the agent may write although they are protected: its own memory. */
  own?: readonly string[] | undefined
  /** Folders outside the project that may be read: those of skills in the conversation. */
  readable?: readonly string[] | undefined
  /** Those of `own` that the limits of the agent say nothing about, because the memory grants more than the list that holds them. */
  uncapped?: readonly string[] | undefined
}

/**
 * `ask`: a person may allow it all the same. `rule` is the one that decided; `would` is the rule that would allow the call next time.
 * `allow` says the same as `outcome`.
 */
export type Decision =
  | { outcome: 'allow'; allow: true; reason: string; rule?: Rule }
  | { outcome: 'ask'; allow: false; reason: string; rule?: Rule; would?: Rule }
  | { outcome: 'deny'; allow: false; reason: string; rule?: Rule; would?: Rule }

export type Decide = (asked: Asked, rights: Rights) => Decision

export function allowed(reason: string, rule?: Rule): Decision {
  return { outcome: 'allow', allow: true, reason, ...(rule && { rule }) }
}

export function denied(reason: string, rule?: Rule): Decision {
  return { outcome: 'deny', allow: false, reason, ...(rule && { rule }) }
}

export function toAsk(reason: string, more: { rule?: Rule | undefined; would?: Rule | undefined } = {}): Decision {
  const { rule, would } = more
  return { outcome: 'ask', allow: false, reason, ...(rule && { rule }), ...(would && { would }) }
}
