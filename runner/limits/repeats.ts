import { hashOf, sha256 } from '../../schemas/canonical.ts'
import { resultText, type ToolResultBlock, type ToolUseBlock } from '../message.ts'

/**
 * The guard against calls that go round in circles (issue 9.1, runner-facts A3.5). A call is known by its tool and its input in RFC 8785 form.
 * Pure data in the context of a run, so that a resumed run judges as the one that was cut off.
 */

/** A call that was answered. */
export interface SeenCall {
  call: string
  /** The hash of its error text, if it failed. */
  failure?: string
  /** It has succeeded and may have changed something, so that another call may fare better from here on. */
  changed: boolean
}

/** How far a run has gone in a circle. `warned`: the model has been told, or is told now; `over`: it went on all the same. */
export type Circle = { kind: 'repeats'; calls: number; times: number } | { kind: 'fails'; times: number }

/** Blocks of so many calls are compared. */
const LONGEST_BLOCK = 4
/** With this repetition of a block the model is warned; with the next one the run ends. */
const WARN_AT = 3
/** With this failure of one call in one way the model is warned; with the next one, the third, the run ends. */
const WARN_AT_FAILURE = 2
const KEPT = LONGEST_BLOCK * (WARN_AT + 1)

const NOTE = '\n\n[agentc: '

/** Adds a call and its result. `readOnly`: the tool changes nothing. */
export function seen(recent: readonly SeenCall[], call: ToolUseBlock, result: ToolResultBlock, readOnly: boolean): readonly SeenCall[] {
  const failed = result.is_error === true
  const next: SeenCall = {
    call: hashOf([call.name, call.input]),
    ...(failed && { failure: sha256(withoutNote(resultText(result))) }),
    changed: !failed && !readOnly,
  }
  return [...recent, next].slice(-KEPT)
}

/** The circle that the last call closes, if it closes one. */
export function circleOf(recent: readonly SeenCall[]): Circle | undefined {
  const failures = failuresOf(recent)
  if (failures >= WARN_AT_FAILURE) return { kind: 'fails', times: failures }
  for (let calls = 1; calls <= LONGEST_BLOCK; calls++) {
    const times = timesOf(recent, calls)
    if (times >= WARN_AT) return { kind: 'repeats', calls, times }
  }
  return undefined
}

/**
 * Why a run ends, if it goes in a circle. Nobody is stopped unwarned: `before` are the calls up to the reply whose results
 * the model has seen, `now` those up to the one after it.
 */
export function whyStopped(before: readonly SeenCall[], now: readonly SeenCall[]): string | undefined {
  const circle = circleOf(now)
  if (before === now || !circle) return undefined
  if (circle.kind === 'fails') {
    const told = failuresOf(before, now.at(-1)) >= WARN_AT_FAILURE
    return told ? `the same call has failed in the same way ${circle.times} times` : undefined
  }
  if (circleOf(before)?.kind !== 'repeats' || circle.times <= WARN_AT) return undefined
  const what = circle.calls === 1 ? 'the same call was' : `the same ${circle.calls} calls were`
  return `${what} made ${circle.times} times in a row, although the model had been warned`
}

/** What the model is told with the result of the call that closes a circle; `''` if none does. */
export function noteOf(recent: readonly SeenCall[]): string {
  const circle = circleOf(recent)
  if (!circle) return ''
  if (circle.kind === 'fails') {
    return `${NOTE}This call has failed in the same way ${circle.times} times. Do not repeat it as it is: the next such failure ends the run.]`
  }
  const what = circle.calls === 1 ? 'This same call was' : `These same ${circle.calls} calls were`
  return `${NOTE}${what} made ${circle.times} times in a row. Go on in another way, or give your answer: one more repetition ends the run.]`
}

function withoutNote(text: string): string {
  const at = text.lastIndexOf(NOTE)
  return at >= 0 && text.endsWith(']') ? text.slice(0, at) : text
}

/** How often the last block of `size` calls stands at the end, one right after the other. */
function timesOf(recent: readonly SeenCall[], size: number): number {
  if (recent.length < size) return 0
  let times = 1
  for (let at = recent.length - 2 * size; at >= 0; at -= size) {
    for (let index = 0; index < size; index++) {
      if (recent[at + index]!.call !== recent[recent.length - size + index]!.call) return times
    }
    times += 1
  }
  return times
}

/** How often the last call has failed in the way it did, with nothing changed in between. */
function failuresOf(recent: readonly SeenCall[], last = recent.at(-1)): number {
  if (last?.failure === undefined) return 0
  let times = 0
  for (let at = recent.length - 1; at >= 0 && !recent[at]!.changed; at--) {
    const { call, failure } = recent[at]!
    if (call === last.call && failure !== last.failure) break
    if (call === last.call) times += 1
  }
  return times
}
