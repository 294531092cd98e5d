import type { Severity } from '../diagnostic-severity.ts'

/**
 * Files of an example. A plain string is the text of `.claude/agents/example.md`; otherwise paths below the project
 * (`home/…`, `managed/…` and `plugins/<name>/…` stand for the other layers) with their text, bytes, size or link target.
 */
export type Example = string | Record<string, ExampleFile>
export type ExampleFile = string | { bytes: readonly number[] } | { size: number } | { link: string }

/** What there is to know about a code. A test compiles `bad` and expects exactly this code, and `good` and expects none. */
export interface CodeDoc {
  severity: Severity
  /** What is the case, in one sentence. */
  what: string
  /** What happens at run time because of it. */
  why: string
  /** What to do about it. */
  todo: string
  bad: Example
  good: Example
}
