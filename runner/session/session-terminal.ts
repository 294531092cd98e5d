import { turns } from '../in-turn.ts'
import type { Aside, Terminal } from '../permission/terminal.ts'
import type { LineEvents, LineReader } from './line-reader.ts'
import { PromptHistory } from './prompt-history.ts'

/** What the terminal of a conversation needs of what is around it. */
export interface SessionSurroundings {
  reader(events: LineEvents, history: PromptHistory): LineReader
  write(text: string): void
  /** Takes away what would be written over, before a prompt is shown. */
  settle(): void
  /** Holds back what the run would write while a question is open. */
  aside: Aside
  /** Shows that the agent is at work, and what is typed meanwhile. */
  draft(text: string): void
  /** Ctrl-C came as a key. */
  interrupted(): void
}

const PROMPT = '> '
/** Before a line that belongs to the one above. */
const GOES_ON = '… '

type Resolve = (text: string | undefined) => void

/** The terminal of a conversation. Prompts and answers to questions come through the one reader of its input. */
export class SessionTerminal implements Terminal {
  readonly history = new PromptHistory()
  readonly #around: SessionSurroundings
  readonly #reader: LineReader
  /** Prompts that were entered while the agent was at work. */
  readonly #queue: string[] = []
  /** Questions. */
  readonly #inTurn = turns()
  /** Lines that go on. */
  #held = ''
  #over = false
  /** One more Ctrl-C ends the conversation. */
  #armed = false
  #work: AbortController | undefined
  #waiting: Resolve | undefined
  #asking: Resolve | undefined

  constructor(around: SessionSurroundings) {
    this.#around = around
    const events: LineEvents = {
      line: (text) => this.#entered(text),
      draft: (text) => around.draft(text),
      interrupt: () => around.interrupted(),
      end: () => this.#ended(),
    }
    this.#reader = around.reader(events, this.history)
  }

  /** The next prompt. What was entered while the agent was at work comes first; after an abort what is typed is kept for the next time. */
  next(signal: AbortSignal): Promise<string | undefined> {
    this.#work = undefined
    if (this.#over || signal.aborted) return Promise.resolve(undefined)
    const queued = this.#queue.shift()
    if (queued !== undefined) {
      this.say(`${PROMPT}${queued}`)
      return Promise.resolve(queued)
    }
    this.#around.settle()
    return this.#line(
      signal,
      (resolve) => (this.#waiting = resolve),
      () => this.#show(),
    )
  }

  /** The agent is at work from now on. The signal is aborted when the person interrupts it. */
  begin(): AbortSignal {
    this.#work = new AbortController()
    return this.#work.signal
  }

  /** Asks something, one question after another. Only what is entered after it was shown is an answer. */
  ask(text: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#inTurn(() => this.#around.aside(() => this.#question(text, signal)))
  }

  /** What Ctrl-C means now. `false`: it is to end the run. */
  interrupt(): boolean {
    if (this.#waiting) return this.#interruptedPrompt()
    if (!this.#work || this.#work.signal.aborted) return false
    this.#work.abort()
    this.say('  interrupting; Ctrl-C once more ends the run')
    return true
  }

  /** Writes above what is being typed. */
  above(write: () => void): void {
    if (this.#waiting) this.#reader.hide()
    write()
    if (this.#waiting) this.#show()
  }

  say(text: string): void {
    this.above(() => {
      this.#around.settle()
      this.#around.write(`${text}\n`)
    })
    if (this.#work && !this.#asking) this.#around.draft('')
  }

  /** Nothing more is said. */
  leave(): void {
    this.#over = true
    this.#asking?.(undefined)
    this.#waiting?.(undefined)
  }

  close(): void {
    this.#over = true
    this.#reader.close()
  }

  #show(): void {
    this.#reader.show(this.#held === '' ? PROMPT : GOES_ON)
  }

  #entered(text: string): void {
    this.#armed = false
    if (this.#asking) return this.#asking(text)
    const more = goesOn(text)
    this.#held += more ?? text
    if (more === undefined) {
      const prompt = this.#held
      this.#held = ''
      if (prompt.trim() !== '') return this.#said(prompt)
    }
    if (this.#waiting) this.#show()
  }

  #said(prompt: string): void {
    this.history.add(prompt)
    if (this.#waiting) return this.#waiting(prompt)
    this.#queue.push(prompt)
    this.say(`  queued: ${prompt.replace(/\s+/g, ' ').trim()}`)
  }

  #interruptedPrompt(): true {
    const typed = this.#reader.take() + this.#held
    this.#held = ''
    this.#around.write('\n')
    if (typed === '' && this.#armed) {
      this.leave()
      return true
    }
    this.#armed = typed === ''
    if (this.#armed) this.#around.write('Ctrl-C once more, or Ctrl-D, ends the conversation.\n')
    this.#show()
    return true
  }

  #ended(): void {
    if ((this.#waiting || this.#asking) && !this.#over) this.#around.write('\n')
    this.leave()
  }

  async #question(text: string, signal: AbortSignal): Promise<string | undefined> {
    if (this.#over || signal.aborted) return undefined
    const start = text.lastIndexOf('\n') + 1
    const draft = this.#reader.take()
    const shown = (): void => {
      this.#around.write(text.slice(0, start))
      this.#reader.show(text.slice(start))
    }
    const answer = await this.#line(signal, (resolve) => (this.#asking = resolve), shown)
    this.#reader.take()
    this.#reader.put(draft)
    return answer
  }

  /** Waits for a line; an abort ends the waiting only. */
  #line(signal: AbortSignal, keep: (resolve: Resolve | undefined) => void, show: () => void): Promise<string | undefined> {
    return new Promise((resolve) => {
      const done: Resolve = (text) => {
        signal.removeEventListener('abort', aborted)
        keep(undefined)
        resolve(text)
      }
      const aborted = (): void => {
        this.#reader.hide()
        done(undefined)
      }
      keep(done)
      signal.addEventListener('abort', aborted)
      show()
    })
  }
}

/** A line without the backslash by which it goes on in the next; `undefined` if it does not. Two are a backslash. */
function goesOn(line: string): string | undefined {
  const backslashes = /\\*$/.exec(line)![0].length
  return backslashes % 2 === 1 ? `${line.slice(0, -1)}\n` : undefined
}
