import { isSecretName } from '../secret-name.ts'

/** Stands in a transcript where a secret was. */
export const REDACTED = '[redacted]'

/** Gives the value itself if it holds no secret, else a copy without. */
export type Redact = <T>(value: T) => T

/** Shorter values are words that texts hold anyway; paths and numbers are no secrets. */
const LEAST = 8
const NO_SECRET = /^(?:\/.*|[\d.]+)$/s

/** The forms of keys and tokens of common providers, and passwords in addresses. No alternative can backtrack. */
const FORMS = new RegExp(
  [
    String.raw`(?<![\w-])(?:sk-ant-[\w-]{16,}|sk-(?:proj|svcacct|admin|or-v1)-[\w-]{16,}|sk-[A-Za-z0-9]{20,}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,})`,
    String.raw`(?<![\w-])(?:gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_\w{22,}|glpat-[\w-]{20,}|npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,})`,
    String.raw`(?<![\w-])(?:A(?:KI|SI)A[0-9A-Z]{16}|AIza[\w-]{35}|xox[abeoprs]-[A-Za-z0-9-]{10,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})`,
    String.raw`-----BEGIN (?:[A-Z]{1,12} ){0,2}PRIVATE KEY-----[^-]*(?:-----END (?:[A-Z]{1,12} ){0,2}PRIVATE KEY-----)?`,
    String.raw`(?<=:\/\/[\w.-]{1,64}:)[^\s/@:]{4,128}(?=@)`,
  ].join('|'),
  'g',
)

/** Nearly every text holds no secret: one look tells that, ten times as fast as the forms themselves. */
const ANY =
  /sk-[\w-]{16}|[rs]k_(?:live|test)_|gh[oprsu]_|github_pat_|glpat-|npm_|hf_|A(?:KI|SI)A[0-9A-Z]|AIza|xox[a-z]-|eyJ[\w-]{10}|PRIVATE KEY|:\/\/[\w.-]{1,64}:[^\s/@:]/

/**
 * What keeps secrets out of transcripts and kept outputs. Blotted out are the values of variables that look like keys
 * (whatever the text around them) and whatever has the form of a provider's key. It works string by string, never across two,
 * so that a whole is redacted to the same as its parts.
 */
export function redactor(env: Readonly<Record<string, string | undefined>>): Redact {
  const secrets = secretsOf(env)
  const known = new WeakMap<object, unknown>()
  const ofText = (text: string): string => {
    let clean = text
    for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, REDACTED)
    return ANY.test(clean) ? clean.replace(FORMS, REDACTED) : clean
  }
  const ofValue = (value: unknown): unknown => {
    if (typeof value === 'string') return ofText(value)
    if (typeof value !== 'object' || value === null) return value
    if (!known.has(value)) known.set(value, Array.isArray(value) ? ofArray(value, ofValue) : ofRecord(value, ofValue))
    return known.get(value)
  }
  return ofValue as Redact
}

function ofArray(value: readonly unknown[], clean: (value: unknown) => unknown): readonly unknown[] {
  const copy = value.map(clean)
  return copy.every((item, at) => item === value[at]) ? value : copy
}

function ofRecord(value: object, clean: (value: unknown) => unknown): object {
  let changed = false
  const members = Object.entries(value).map(([key, member]) => {
    const after = clean(member)
    changed ||= after !== member
    return [key, after] as const
  })
  return changed ? Object.fromEntries(members) : value
}

/** The longest first: one may be the beginning of another. */
function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(env).flatMap(([name, value = '']) => {
    return isSecretName(name) ? [value.trim()] : []
  })
  return [...new Set(values)].filter((value) => value.length >= LEAST && !NO_SECRET.test(value)).sort((a, b) => b.length - a.length)
}

/** Whether two texts are the same where neither was redacted: every `[redacted]` of the first stands for any text of the second. */
export function sameButRedacted(redacted: string, text: string): boolean {
  const [first, ...rest] = redacted.split(REDACTED)
  if (rest.length === 0 || !text.startsWith(first!)) return redacted === text
  let at = first!.length
  for (const [index, part] of rest.entries()) {
    const next = index === rest.length - 1 ? text.length - part.length : text.indexOf(part, at)
    if (next < at || !text.startsWith(part, next)) return false
    at = next + part.length
  }
  return true
}
