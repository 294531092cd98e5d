import type { Range } from '../../schemas/source.ts'

/** A secret that stands in a file as plain text. */
export interface Secret {
  /** What it is, as the middle of a sentence: `an AWS access key`. */
  kind: string
  range: Range
}

/** Not inside a longer word; behind the escaped line break of a JSON text counts as a beginning. */
const LEFT = String.raw`(?:(?<![\w-])|(?<=\\[nrt]))`

/**
 * The documented forms of keys and tokens of common providers. The group `secret` is what has to be hidden; without one it is the whole
 * match. No pattern can backtrack: alternatives never begin alike.
 */
const PATTERNS = (
  [
    ['an AWS access key', String.raw`${LEFT}A(?:KI|SI)A[0-9A-Z]{16}(?![0-9A-Za-z])`],
    [
      'an AWS secret access key',
      String.raw`(?:secret_?access|SECRET_?ACCESS)_?(?:key|KEY)["']?\s{0,3}[:=]\s{0,3}["']?(?<secret>[\w/+]{40})(?![\w/+=])`,
    ],
    ['an Anthropic API key', String.raw`${LEFT}sk-ant-[\w-]{16,}`],
    ['an OpenAI API key', String.raw`${LEFT}sk-(?:proj|svcacct|admin|or-v1)-[\w-]{16,}`],
    ['an API key', String.raw`${LEFT}sk-[A-Za-z0-9]{20,}`],
    ['a GitHub token', String.raw`${LEFT}gh[oprsu]_[A-Za-z0-9]{30,}`],
    ['a GitHub token', String.raw`${LEFT}github_pat_\w{22,}`],
    ['a GitLab token', String.raw`${LEFT}glpat-[\w-]{20,}`],
    ['a Slack token', String.raw`${LEFT}xox[abeoprs]-[A-Za-z0-9-]{10,}`],
    ['a Slack webhook', String.raw`hooks\.slack\.com/services/(?<secret>T\w{6,}/B\w{6,}/\w{16,})`],
    ['a Google API key', String.raw`${LEFT}AIza[\w-]{35}`],
    ['a Stripe key', String.raw`${LEFT}[rs]k_(?:live|test)_[A-Za-z0-9]{16,}`],
    ['an npm token', String.raw`${LEFT}npm_[A-Za-z0-9]{36}`],
    ['a Hugging Face token', String.raw`${LEFT}hf_[A-Za-z0-9]{30,}`],
    ['a JSON Web Token', String.raw`${LEFT}eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}`],
    [
      'a private key',
      String.raw`-----BEGIN [A-Z ]{0,20}PRIVATE KEY[A-Z ]{0,8}-----(?=(?:\\[nr]|\s){0,20}[A-Za-z0-9+/=]{30})(?<secret>(?:\\[nr]|[A-Za-z0-9+/=\s])+)`,
    ],
  ] as const
).map(([kind, source]) => ({ kind, pattern: new RegExp(source, 'g') }))

/** Most files hold no secret: one look tells that, at two milliseconds a megabyte. */
const ANY =
  /A(?:(?:KI|SI)A[0-9A-Z]{16}|Iza[\w-]{35})|sk-(?:[A-Za-z0-9]{20}|(?:ant|proj|svcacct|admin|or-v1)-[\w-]{16})|[rs]k_(?:live|test)_\w{16}|gh[oprsu]_\w{30}|github_pat_|glpat-|xox[a-z]-|hooks\.slack|npm_\w{36}|hf_\w{30}|eyJ[\w-]{10}|PRIVATE KEY|(?:secret|SECRET)_?(?:access|ACCESS)/

/** Whether there may be secrets in a text, or in bytes taken for Latin-1: everything that is looked for is ASCII. */
export function mayHoldSecrets(text: string): boolean {
  return ANY.test(text)
}

/** In: the text of a file. Out: the secrets in it, in order; the first of two that overlap. */
export function secretsIn(text: string): Secret[] {
  if (!mayHoldSecrets(text)) return []
  const found = PATTERNS.flatMap(({ kind, pattern }) => [...text.matchAll(pattern)].flatMap((match) => secretOf(kind, match)))
  found.sort((a, b) => a.range[0] - b.range[0])
  const kept: Secret[] = []
  for (const secret of found) if (secret.range[0] >= (kept.at(-1)?.range[1] ?? 0)) kept.push(secret)
  return kept
}

function secretOf(kind: string, match: RegExpExecArray): Secret[] {
  const secret = match.groups?.['secret']
  const whole = secret === undefined ? match[0] : secret.replace(/\s+$/, '')
  const start = match.index + (secret === undefined ? 0 : match[0].indexOf(secret))
  const first = start + (whole.length - whole.trimStart().length)
  return isPlaceholder(whole) ? [] : [{ kind, range: [first, start + whole.length] }]
}

/** Keys that documents show in place of one: they say so, or they are made of hardly any different characters. */
function isPlaceholder(secret: string): boolean {
  if (/EXAMPLE(?![0-9A-Z])|your|placeholder|redacted|x{6}|\*{3}/i.test(secret)) return true
  return new Set(secret.slice(-16)).size < 5
}
