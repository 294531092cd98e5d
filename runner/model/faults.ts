import type { Fault } from '../message.ts'

/** What an error of the SDK tells, as far as it tells it. */
interface Told {
  status?: unknown
  type?: unknown
  apiMessage?: unknown
  message?: unknown
  headers?: unknown
}

const PASSING_TYPES = new Set(['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error'])

/**
 * Sorts what the SDK throws (runner-facts C2). Everything without an answer of the API (connection, reset, a cut or malformed stream)
 * may pass; of the answers, 408, 409, 429 and 5xx may, and error events of those kinds. `x-should-retry: false` is obeyed.
 */
export function faultOf(error: unknown, partial: string): Fault {
  const told = (typeof error === 'object' && error !== null ? error : { message: String(error) }) as Told
  const status = typeof told.status === 'number' ? told.status : undefined
  const message = messageOf(told, status)
  if (status === 400 && /prompt is too long/i.test(message)) return { type: 'fault', kind: 'overflow', message, status, partial }
  const wait = status === undefined ? undefined : retryAfter(told.headers)
  const kind = passing(told, status) ? 'transient' : 'fatal'
  return {
    type: 'fault',
    kind,
    message,
    partial,
    ...(status === undefined ? {} : { status }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  }
}

function passing(told: Told, status: number | undefined): boolean {
  if (header(told.headers, 'x-should-retry') === 'false') return false
  if (status !== undefined) return status === 408 || status === 409 || status === 429 || status >= 500
  return typeof told.type === 'string' ? PASSING_TYPES.has(told.type) : true
}

function messageOf(told: Told, status: number | undefined): string {
  const type = typeof told.type === 'string' ? told.type : undefined
  const text = typeof told.apiMessage === 'string' ? told.apiMessage : typeof told.message === 'string' ? told.message : ''
  if (status === undefined && type === undefined) return `the connection to the API failed: ${text || 'no reason given'}`
  return `the API answered ${[status, type].filter((part) => part !== undefined).join(' ')}${text ? `: ${text.slice(0, 500)}` : ''}`
}

function header(headers: unknown, name: string): string | undefined {
  return headers instanceof Headers ? (headers.get(name) ?? undefined) : undefined
}

/** How long the API asks to wait. A date counts from the date of the same answer, so that no clock of ours is asked. */
function retryAfter(headers: unknown): number | undefined {
  const ms = Number(header(headers, 'retry-after-ms') ?? Number.NaN)
  if (ms >= 0) return ms
  const text = header(headers, 'retry-after')
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (seconds >= 0) return Math.round(seconds * 1000)
  const wait = Date.parse(text) - Date.parse(header(headers, 'date') ?? '')
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

export function interrupted(partial: string): Fault {
  return { type: 'fault', kind: 'interrupted', message: 'the run was interrupted', partial }
}
