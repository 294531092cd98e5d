import { secretsIn, type Secret } from './patterns.ts'

/** Stands in a text where a secret was: letters that no syntax gives a meaning, as long as what it hides. */
const MASK = 'AGENTC_REDACTED'

/**
 * Hides the secrets of a text behind as many other characters, so that offsets, lines and columns stay what they were. It is done where
 * bytes become text: no later stage can put into a manifest, a finding or a log what it never saw.
 */
export function masked(text: string): { text: string; secrets: Secret[] } {
  const secrets = secretsIn(text)
  if (secrets.length === 0) return { text, secrets }
  let result = ''
  let done = 0
  for (const { range } of secrets) {
    result += text.slice(done, range[0]) + text.slice(...range).replaceAll(/\S+/g, cover)
    done = range[1]
  }
  return { text: result + text.slice(done), secrets }
}

function cover(run: string): string {
  return MASK.padEnd(run.length, '_').slice(0, run.length)
}

/**
 * The settings of a server or a hook as the manifest holds them: in place of a hidden secret stands a reference, so that using it fails
 * with the name of a variable that is not set, and never sends the mask for a key.
 */
export function withReferences<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll(/(?<!\$\{)AGENTC_REDACTED_*(?:\s+AGENTC_REDACTED_*)*/g, '$${AGENTC_REDACTED}') as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withReferences<unknown>(item)) as T
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withReferences<unknown>(member)])) as T
}
