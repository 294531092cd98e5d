import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { AskPerson } from '../tools/tool.ts'
import { HOLE } from './shell/word.ts'
import type { Ask } from './decide.ts'

/** A terminal with a person at it. */
export interface Terminal {
  input: Readable
  output: Writable
}

/**
 * Asks the person at the terminal about calls, one after another: once, or with the rule that would allow it from now on. `remember` gets
 * such a rule; without it that answer is not offered. Anything but a clear yes is a no.
 */
export function terminalAsk(terminal: Terminal, remember?: (rule: string) => void): Ask {
  const ask = inTurn(terminal)
  return async ({ tool, input }, reason, signal, would) => {
    const kept = remember && would !== undefined ? would : undefined
    const lines = [
      `${tool} ${visible(subjectOf(input))}`,
      `  ${visible(reason)}.`,
      '  y  allow it this once',
      ...(kept === undefined ? [] : [`  a  allow it from now on, by the rule ${visible(kept)}`]),
      '  n  do not allow it',
    ]
    const answer = (await ask(`${lines.join('\n')}\n> `, signal))?.trim().toLowerCase()
    if (answer === 'a' && kept !== undefined) remember!(kept)
    if (answer === 'y' || (answer === 'a' && kept !== undefined)) return { allow: true }
    return { allow: false, reason: answer === undefined ? `${reason}, and nobody answered` : `${reason}, and the person did not allow it` }
  }
}

/** Asks the person at the terminal any question. With options a number chooses one; something else is no answer. */
export function terminalPerson(terminal: Terminal): AskPerson {
  const ask = inTurn(terminal)
  return async ({ text, options }, signal) => {
    const list = (options ?? []).map((option, at) => `  ${at + 1}  ${visible(option)}`)
    const answer = (await ask(`${[text, ...list].join('\n')}\n> `, signal))?.trim()
    if (answer === undefined) return { nobody: true }
    if (!options) return { answer }
    const chosen = options[Number(answer) - 1] ?? options.find((option) => option === answer)
    return chosen === undefined ? { nobody: true } : { answer: chosen }
  }
}

/** One question at a time. `undefined`: the input ended, or the run did. */
function inTurn({ input, output }: Terminal): (text: string, signal: AbortSignal) => Promise<string | undefined> {
  let last: Promise<unknown> = Promise.resolve()
  const once = (text: string, signal: AbortSignal): Promise<string | undefined> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined)
      const lines = createInterface({ input, output, terminal: false })
      const end = (answer: string | undefined): void => {
        signal.removeEventListener('abort', aborted)
        resolve(answer)
        lines.close()
      }
      const aborted = (): void => end(undefined)
      signal.addEventListener('abort', aborted)
      lines.once('close', () => end(undefined))
      lines.once('line', end)
      output.write(text)
    })
  return (text, signal) => {
    const answer = last.then(() => once(text, signal))
    last = answer.catch(() => undefined)
    return answer
  }
}

function subjectOf(input: Readonly<Record<string, unknown>>): string {
  const subject = input.command ?? input.file_path ?? input.notebook_path ?? input.url ?? input.skill ?? JSON.stringify(input)
  return String(subject)
}

/** Nothing that a model or a file wrote may move the cursor or hide a part of the question. */
function visible(text: string): string {
  return text.replaceAll(HOLE, '…').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => (sign === '\n' ? '\n  ' : '·'))
}
