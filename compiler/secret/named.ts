import type { Range } from '../../schemas/source.ts'

/** Names of variables that hold secrets. Their values go into no manifest, finding or log (design 4). */
const VARIABLE = /(?:^|_)(?:API_?)?(?:KEY|TOKEN|PASSWD|PASSPHRASE|CREDENTIALS?|PAT)(?:_|$)|PASSWORD|SECRET/i
/** Headers that say who is asking. */
const HEADER = /authorization|cookie|token|secret|password|api-?key/i

/** A value that names where the real one comes from is no secret; a default that is written out is one. */
const REFERENCE = /\$\{\w+(?::-)?\}|^\$\w+$/

/** Whether a value is a secret by the name it stands under. In: a variable of `env`, or a header. */
export function isNamedSecret(name: string, value: unknown, kind: 'env' | 'headers' = 'env'): boolean {
  const names = kind === 'env' ? VARIABLE : HEADER
  return names.test(name) && typeof value === 'string' && value !== '' && !REFERENCE.test(value)
}

/** What stands in the place of a secret: the variable it is taken from. */
export function referenceFor(name: string): string {
  return `\${${/^\w+$/.test(name) ? name : name.replaceAll(/\W/g, '_').toUpperCase()}}`
}

/** Already hidden for what it looks like (`mask.ts`), and said there. */
export function isMasked(value: unknown): boolean {
  return typeof value === 'string' && value.includes('AGENTC_REDACTED')
}

/** Whether a value is a secret by its name that still stands in the text. */
export function isOpen(name: string, value: unknown, kind: 'env' | 'headers' = 'env'): boolean {
  return isNamedSecret(name, value, kind) && !isMasked(value)
}

/** A text with these values covered, so that no finding can show one; places stay what they are. */
export function covered(text: string, ranges: readonly Range[]): string {
  return ranges.reduce((all, [start, end]) => all.slice(0, start) + stars(all.slice(start, end)) + all.slice(end), text)
}

function stars(written: string): string {
  const quoted = /^(["'])[^]*\1$/.test(written)
  const inner = (quoted ? written.slice(1, -1) : written).replaceAll(/\S/g, '*')
  return quoted ? written[0] + inner + written[0] : inner
}

/** For a file that is not understood: its keys and its marks, and no text that stands behind a colon. */
export function withoutValues(text: string): string {
  return text.replace(
    /(:\s*")([^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*)/g,
    (_whole, lead: string, value: string) => lead + '*'.repeat(value.length),
  )
}
