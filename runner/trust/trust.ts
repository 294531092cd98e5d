import type { AskPerson } from '../tools/tool.ts'
import { digestOf, type Power } from './powers.ts'
import type { TrustStore } from './store.ts'

export interface TrustQuestion {
  powers: readonly Power[]
  /** The project's root, without links. */
  root: string
  /** `--trust` was given. */
  given: boolean
  store: TrustStore
  ask: AskPerson
  signal: AbortSignal
}

/** Whether the project's powers count, and what is to be said about it once; nothing if it asks for none. */
export interface Trust {
  trusted: boolean
  notice?: string
}

const YES = 'yes, it may'
const NO = 'no'

/**
 * Decides whether a project is trusted (issue 7, item 3): with `--trust`, by what was said before about exactly these powers, or by asking
 * a person. Where nobody can be asked it is not, and the run goes on without its powers.
 */
export async function trustOf({ powers, root, given, store, ask, signal }: TrustQuestion): Promise<Trust> {
  if (powers.length === 0 || given) return { trusted: true }
  const digest = digestOf(powers)
  if (await store.knows(root, digest)) return { trusted: true }
  const answer = await ask({ text: question(powers), options: [NO, YES] }, signal)
  if ('answer' in answer && answer.answer === YES) {
    const kept = await store.remember(root, digest)
    return { trusted: true, ...(!kept && { notice: 'That the project is trusted could not be kept; it will be asked again.' }) }
  }
  return { trusted: false, notice: notice(powers) }
}

const SHOWN = 20
const CHARACTERS = 200

function question(powers: readonly Power[]): string {
  const lines = powers
    .slice(0, SHOWN)
    .map(({ kind, what, where }) => `  ${kind} ${visible(what)}${where === '' ? '' : ` (${visible(where)})`}`)
  const more = powers.length > SHOWN ? [`  and ${powers.length - SHOWN} more`] : []
  return ['The files of this project ask for powers that nobody would be asked about again:', ...lines, ...more, 'Do you trust it?'].join(
    '\n',
  )
}

/** A project must not be able to draw its own question. */
function visible(text: string): string {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '·')
  return plain.length > CHARACTERS ? `${plain.slice(0, CHARACTERS)}…` : plain
}

function notice(powers: readonly Power[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of powers) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const list = [...counts].map(([kind, count]) => `${kind} (${count})`).join(', ')
  return `The project is not trusted, so these of its settings do not count: ${list}. Its deny and ask rules do. Trust it with --trust.`
}
