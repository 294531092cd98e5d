import type { ContextPatch } from '../context-patch.ts'
import type { Caller } from '../delegation/caller.ts'
import type { AskedFile } from '../permission/decide.ts'
import type { Started } from '../sandbox/sandbox.ts'
import type { Scope } from '../scope.ts'
import type { PermissionMode } from '../../schemas/values.ts'
import type { RunContext } from '../context.ts'
import type { ImageSource } from '../message.ts'
import type { FetchSkill } from '../skills/far.ts'
import type { FileEffect } from '../transcript/line.ts'
import type { Workspace } from '../workspace.ts'
import type { ToolState } from './state.ts'

export interface ToolOutput {
  text: string
  isError: boolean
  /** Pictures that go to the model behind the text. */
  images?: readonly ImageSource[]
  /** A person was to answer, and there was none: the call counts as denied for that. */
  unanswered?: true
  /** What the call changes in the run itself. It holds from the next reply on. */
  patch?: ContextPatch
  /** Texts that it puts into the conversation, behind the results of all calls of the reply. */
  messages?: readonly string[]
  /** A call that this one made was denied, by a rule or because nobody could be asked. */
  denied?: 'denied' | 'unanswered'
  /** Of a call that has run a command: whether that was in walls. */
  sandboxed?: boolean
}

/** A question to the person in front of the run. */
export interface Question {
  text: string
  /** Answers to choose from; without them any text is one. */
  options?: readonly string[] | undefined
}

/** `nobody`: there is no person, or the person does not answer. */
export type Answer = { answer: string } | { nobody: true }
export type AskPerson = (question: Question, signal: AbortSignal) => Promise<Answer>

/** Where there is no person, a question is answered at once: waiting would be for ever. */
export const noPerson: AskPerson = () => Promise.resolve({ nobody: true })

/** What a tool may touch. */
export interface ToolContext {
  workspace: Workspace
  signal: AbortSignal
  /** The most characters of a result. */
  resultChars: number
  /** What a tool opens and a run has to close: processes, temporary folders, handles. */
  scope: Scope
  /** The environment of processes that a tool starts; it holds the mark of the run and no credentials of the API. */
  env: Readonly<Record<string, string | undefined>>
  /** Whether the rules let this agent see a file that a search has found. */
  mayShow(file: AskedFile): boolean
  /** There are rules that may hide files from this tool. */
  hides: boolean
  /** What the tools of this agent remember from call to call. */
  state: ToolState
  /** The permission mode in force, and in plan mode the one to go back to. */
  mode: PermissionMode
  modeBefore?: PermissionMode | undefined
  askPerson: AskPerson
  /** Who calls, for tools that start agents. */
  caller?: Caller | undefined
  /** Keeps a text that is too long for the model; gives the path by which the model can read it, `undefined` if nothing is kept. */
  keep(text: string): string | undefined
  /** Whether a person has allowed this very host although its address is private. */
  mayReachPrivate(host: string): boolean
  /** How a command of this call is started; without it as it is, with the whole environment. */
  sandbox?: ((env: ToolContext['env']) => Promise<Started>) | undefined
  /** Has the text of a skill that is kept elsewhere. */
  fetchSkill?: FetchSkill | undefined
}

export type ToolInput = Readonly<Record<string, unknown>>

/** A tool that this runner has. Its input has been checked against the schema that the model was sent. */
export interface Tool {
  /** The paths in an input that permission rules are compared with. */
  paths?(input: ToolInput): readonly string[]
  /** Path rules are applied to what the tool finds, not to the call. */
  search?: boolean
  /** The tool checks its input itself; the schema that the model was sent is not compiled. */
  checksInput?: true
  /** A call that was cut off is not run again, although the tool itself changes nothing: what it has started may have. */
  repeatable?: false
  /** What can be told of a call before the rules are asked. */
  look?(input: ToolInput, context: RunContext): Look
  run(input: ToolInput, context: ToolContext): Promise<ToolOutput>
  /**
   * What the call will do to files, for tools that write: with it a resumed run can tell whether a call that was cut off was done.
   * Asked right before `run`. Of a change that cannot be told beforehand nothing is given.
   */
  effects?(input: ToolInput, context: ToolContext): Promise<readonly FileEffect[]>
}

/**
 * `refused`: the call means nothing, and the rules are not asked. `safe`: it does nothing that a person would have to be asked about;
 * `brings`: what it does beyond that, for the person who is asked, as the end of a sentence. `repeatable`: it may be run again after it
 * was cut off, although its tool writes.
 */
export type Look = { refused: string } | { safe: boolean; brings?: string | undefined; repeatable: boolean }

/** A tool of the catalogue that this version does not run, and why. */
export interface Absent {
  absent: string
}

export function fine(text: string): ToolOutput {
  return { text, isError: false }
}

export function failed(text: string): ToolOutput {
  return { text, isError: true }
}

export function isOutput(value: object): value is ToolOutput {
  return 'isError' in value
}
