import { canonicalJson, sha256 } from '../../schemas/canonical.ts'
import type { Message, ModelRequest, RequestPrefix } from '../message.ts'
import type { RequestDelta } from './line.ts'

/**
 * Takes requests in their order and gives what is new in each. `before` is the last request of the part of a run that is gone on with.
 */
export function deltas(before?: ModelRequest): (request: ModelRequest) => RequestDelta {
  let last = before === undefined ? undefined : taken(before)
  return (request) => {
    const now = taken(request)
    const base = last ? firstNew(last.messages, now.messages) : 0
    const prefix = last && same(last.prefix, now.prefix) ? {} : { prefix: now.prefix }
    last = now
    return { ...prefix, base, tail: now.messages.slice(base), marks: now.marks }
  }
}

/** The request that a delta stands for, given the one before it. `undefined` if it does not follow on that one. */
export function rebuilt(delta: RequestDelta, before: ModelRequest | undefined): ModelRequest | undefined {
  const last = before && taken(before)
  const prefix = delta.prefix ?? last?.prefix
  if (!prefix || delta.base > (last?.messages.length ?? 0)) return undefined
  const bare = [...(last?.messages.slice(0, delta.base) ?? []), ...delta.tail]
  const messages = bare.map((message, at): Message => {
    if (message.role !== 'user') return message
    const marks = delta.marks.filter(([index]) => index === at)
    if (marks.length === 0) return message
    const mark = (block: number) => marks.find(([, index]) => index === block)?.[2]
    return { ...message, content: message.content.map((block, at) => (mark(at) ? { ...block, cache_control: mark(at)! } : block)) }
  })
  return { ...prefix, messages }
}

interface Taken {
  prefix: Readonly<RequestPrefix>
  /** Without cache marks. */
  messages: readonly Message[]
  marks: RequestDelta['marks']
}

function taken({ messages, ...prefix }: ModelRequest): Taken {
  const marks: (readonly [number, number, NonNullable<unknown>])[] = []
  const bare = messages.map((message, at): Message => {
    if (message.role !== 'user' || !message.content.some((block) => block.cache_control)) return message
    const content = message.content.map((block, index) => {
      const { cache_control, ...rest } = block
      if (cache_control) marks.push([at, index, cache_control])
      return rest
    })
    return { ...message, content }
  })
  return { prefix, messages: bare, marks: marks as unknown as RequestDelta['marks'] }
}

function firstNew(before: readonly Message[], now: readonly Message[]): number {
  let at = 0
  while (at < before.length && at < now.length && same(before[at], now[at])) at++
  return at
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Hashes the requests of a run as `hashOf` does, without writing out again what it has written out before: messages stay the same objects. */
export function requestHasher(): (request: ModelRequest) => string {
  const written = new WeakMap<object, string>()
  const canonical = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return canonicalJson(value)
    if (!written.has(value)) written.set(value, canonicalJson(value))
    return written.get(value)!
  }
  return (request) => {
    const members = Object.entries(request)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${JSON.stringify(key)}:${key === 'messages' ? list(request.messages, canonical) : canonical(value)}`)
    return sha256(`{${members.join(',')}}`)
  }
}

function list(messages: readonly Message[], canonical: (value: unknown) => string): string {
  return `[${messages.map(canonical).join(',')}]`
}
