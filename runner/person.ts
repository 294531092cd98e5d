/** A person who goes on with a run when its work is done: one run, one conversation, many prompts. */
export interface Person {
  /** What is said next, as soon as it is; `undefined`: the conversation is over. After an abort what is said is kept for the next time. */
  next(signal: AbortSignal): Promise<string | undefined>
  /** A piece of work begins. The signal is aborted when the person wants it to stop; the run itself goes on. */
  begin(): AbortSignal
}
