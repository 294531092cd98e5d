import { hash } from 'node:crypto'

/**
 * RFC 8785 (JSON Canonicalization Scheme): keys sorted by UTF-16 units, no white space.
 * JSON.stringify already writes numbers and strings as the RFC asks; `undefined` members are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members: string[] = []
  const record = value as Record<string, unknown>
  for (const key of Object.keys(record).sort()) {
    if (record[key] !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(record[key])}`)
  }
  return `{${members.join(',')}}`
}

/** SHA-256 of text (as UTF-8) or bytes, in the form the manifest writes: `sha256:<64 hex digits>`. */
export function sha256(data: string | Uint8Array): string {
  return `sha256:${hash('sha256', data)}`
}

/** The hash of a JSON value over its RFC 8785 form. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value))
}
