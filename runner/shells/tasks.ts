export type TaskStatus = 'running' | 'completed' | 'failed' | 'stopped'

/** Something that goes on beside the conversation: a background shell, or an agent in the background. */
export interface Task {
  id: string
  /** What it is, for a person: a command, or an agent's task. */
  what: string
  status(): TaskStatus
  /** What it has given so far, and how it ended if it has. */
  report(): string
  /** Settles when it has ended, however that came; never rejects. */
  ended: Promise<unknown>
  /** Ends it and everything it has started. */
  stop(): Promise<void>
}

/** The tasks of one agent, by ids that count up, so that a replayed run names them alike. */
export class Tasks {
  readonly #tasks = new Map<string, Task>()
  readonly #counts = new Map<string, number>()

  nextId(kind: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    return `${kind}-${count}`
  }

  add(task: Task): void {
    this.#tasks.set(task.id, task)
  }

  get(id: string): Task | undefined {
    return this.#tasks.get(id)
  }

  all(): readonly Task[] {
    return [...this.#tasks.values()]
  }
}
