import type { AskedFile } from '../permission.ts'
import type { Workspace } from '../workspace.ts'

export interface ToolOutput {
  text: string
  isError: boolean
}

/** What a tool may touch. */
export interface ToolContext {
  workspace: Workspace
  signal: AbortSignal
  /** The most characters of a result. */
  resultChars: number
  /** The environment of processes that a tool starts; it holds no credentials of the API. */
  env: Readonly<Record<string, string | undefined>>
  /** Whether the rules let this agent see a file that a search has found. */
  mayShow(file: AskedFile): boolean
  /** There are rules that may hide files from this tool. */
  hides: boolean
}

export type ToolInput = Readonly<Record<string, unknown>>

/** A tool that this runner has. Its input has been checked against the schema that the model was sent. */
export interface Tool {
  /** The paths in an input that permission rules are compared with. */
  paths(input: ToolInput): readonly string[]
  /** Path rules are applied to what the tool finds, not to the call. */
  search: boolean
  run(input: ToolInput, context: ToolContext): Promise<ToolOutput>
}

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
