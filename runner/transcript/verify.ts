import { hashOf } from '../../schemas/canonical.ts'
import type { OpenManifest } from '../../schemas/manifest.ts'
import { firstDifference } from '../model/difference.ts'
import { forModel } from '../model/fallback.ts'
import { fallbackOf } from '../request.ts'
import { type History, historyOf, type PastRequest } from './history.ts'
import type { SentInstead } from './line.ts'
import { readTranscript } from './read.ts'
import { REDACTED, sameButRedacted } from './redact.ts'

/** What checking a run came to: every request is as recorded, or the first thing that is not. */
export interface Verdict {
  requests: number
  /** The run came to its end; else only its part that is there was checked. */
  ended: boolean
  /** One sentence. */
  difference: string | undefined
}

/**
 * Derives every request of a run again, from its manifest and its transcript alone, and compares each with the recorded one:
 * the recorded text with its hash, the derived text with the recorded one, byte for byte. Where a secret was taken out of a recorded
 * text, the rest of that text is compared.
 */
export function verifyRun(transcript: string, manifest: OpenManifest): Verdict {
  const read = readTranscript(transcript)
  let difference: string | undefined
  if (read.start.closure !== null && read.start.closure !== manifest.header.hash) {
    difference = 'the manifest beside the transcript is not the one that the run was started with'
  }
  const history = historyOf(read, manifest, {
    request: (request) => void (difference ??= differenceIn(request)),
    outcome: (...sent) => void (difference ??= differenceInFallback(...sent)),
  })
  return { requests: history.requests, ended: history.end !== undefined, difference }
}

function differenceIn({ line, recorded, derived }: PastRequest): string | undefined {
  const which = `request ${line.turn}`
  if (!recorded) return `${which} does not follow on the request before it`
  if (hashOf(recorded) !== line.sha256) return `${which} is not what was sent: its text does not have the recorded hash ${line.sha256}`
  if (JSON.stringify(ordered(derived)) === JSON.stringify(recorded)) return undefined
  const found = firstDifference(recorded, line.redacted ? withHoles(recorded, derived) : derived)
  if (found) return `${which} differs at ${found.path}: recorded ${found.recorded}, derived ${found.now}`
  return line.redacted ? undefined : `${which} has its members in another order`
}

/** What a fallback model got follows from the request that the run's own model would have got. */
function differenceInFallback(
  turn: number,
  { model, sha256 }: SentInstead,
  { start, last }: Pick<History, 'start' | 'last'>,
): string | undefined {
  if (model !== fallbackOf(start)) return `request ${turn} went to ${model}, which is not the fallback of the run`
  return last && hashOf(forModel(last, model)) !== sha256 ? `request ${turn} is not what was sent to ${model}` : undefined
}

/** With the messages last, as a recorded request has them. */
function ordered<T extends { messages: unknown }>({ messages, ...prefix }: T): object {
  return { ...prefix, messages }
}

/** The derived value with the redacted texts of the recorded one, wherever the two agree but for what was taken out. */
function withHoles(recorded: unknown, derived: unknown): unknown {
  if (typeof recorded === 'string' && typeof derived === 'string') {
    return recorded.includes(REDACTED) && sameButRedacted(recorded, derived) ? recorded : derived
  }
  if (Array.isArray(recorded) && Array.isArray(derived)) return derived.map((item, at) => withHoles(recorded[at], item))
  if (typeof recorded !== 'object' || typeof derived !== 'object' || recorded === null || derived === null) return derived
  return Object.fromEntries(
    Object.entries(derived).map(([key, item]) => [key, withHoles((recorded as Record<string, unknown>)[key], item)]),
  )
}
