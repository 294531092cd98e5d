import { createHash } from 'node:crypto'

/** A UUID (version 8, RFC 9562) of a text: the same for the same text, so that a replay gives the same bytes. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
