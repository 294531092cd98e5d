import type { Range } from '../../schemas/source.ts'

/** A character that has no shape of its own where it stands. */
export interface Hidden {
  name: string
  range: Range
}

/**
 * Everything that can hide: default-ignorable characters (Unicode 16, `Default_Ignorable_Code_Point`) but the soft hyphen, which is
 * ordinary in prose, and the annotation marks. Two-unit ones begin with one of two surrogates.
 */
const CANDIDATE =
  // oxlint-disable-next-line no-misleading-character-class -- each of them is meant by itself
  /[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g

/** In: a text. Out: the characters in it that hide something, in order. Those that a script or an emoji needs are not among them. */
export function hiddenIn(text: string): Hidden[] {
  const found: Hidden[] = []
  for (const { 0: char, index } of text.matchAll(CANDIDATE)) {
    if (!isLegal(char, text, index)) found.push({ name: nameOf(char), range: [index, index + char.length] })
  }
  return found.length === 1 && isLeftover(text, found[0]!.range) ? [] : found
}

/** One zero-width space that touches no word is what copying from a page leaves behind: it hides nothing and splits nothing. */
function isLeftover(text: string, [start, end]: Range): boolean {
  const touches = /[\p{Letter}\p{Number}]/u
  return text[start] === '\u200b' && !touches.test(lastCharacter(text, start)) && !touches.test(characterAt(text, end))
}

function isLegal(char: string, text: string, at: number): boolean {
  const before = lastCharacter(text, at)
  const after = characterAt(text, at + char.length)
  if (/[\ufe00-\ufe0f]/.test(char)) return before !== '' && !/[\s\ufe00-\ufe0f]/.test(before)
  if (/[\u200e\u200f\u061c]/.test(char)) return RIGHT_TO_LEFT.test(lineOf(text, at))
  if (/[\u202a-\u202c\u2066-\u2069]/.test(char)) return isBalanced(lineOf(text, at))
  if (char === '\u200d' && EMOJI.test(after) && EMOJI_END.test(before)) return true
  if (char === '\u200c' || char === '\u200d') return JOINING.test(before) || JOINING.test(after)
  if (char === '\u200b') return WITHOUT_SPACES.test(before) || WITHOUT_SPACES.test(after)
  if (char === '\u034f') return /\p{Mark}/u.test(before) || /\p{Mark}/u.test(after)
  if (/[\u180b-\u180f]/.test(char)) return /\p{Script=Mongolian}/u.test(before)
  if (/[\u115f\u1160]/.test(char)) return /[\u1100-\u11ff]/.test(before) || /[\u1100-\u11ff]/.test(after)
  return char.length === 2 && isLegalSupplement(char.codePointAt(0)!, text, at)
}

/** Tags spell the region of a flag; the supplementary selectors pick the form of an ideograph. */
function isLegalSupplement(code: number, text: string, at: number): boolean {
  if (code >= 0xe0100) return /\p{Script=Han}$/u.test(text.slice(Math.max(0, at - 2), at))
  const flag = /(?:\u{1f3f4})[\u{e0020}-\u{e007e}]{0,6}$/u.test(text.slice(Math.max(0, at - 16), at))
  return flag && /^[\u{e0020}-\u{e007e}]{0,6}\u{e007f}/u.test(text.slice(at, at + 16))
}

/** Embeddings and isolates have a purpose on a line with right-to-left letters, if what is opened there is closed there. */
function isBalanced(line: string): boolean {
  if (!RIGHT_TO_LEFT.test(line)) return false
  let open = 0
  for (const [char] of line.matchAll(/[\u202a-\u202c\u2066-\u2069]/g)) {
    open += /[\u202c\u2069]/.test(char) ? -1 : 1
    if (open < 0) return false
  }
  return open === 0
}

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const EMOJI = /[\p{Extended_Pictographic}]/u
/** A pictograph, or what may stand between it and a joiner: a skin tone, the emoji selector. */
const EMOJI_END = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u
/** Scripts whose letters join or form clusters, where the joiners are spelling. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Thaana}]/u
/** Scripts that put no spaces between words, where a break may be marked. */
const WITHOUT_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u

function lineOf(text: string, at: number): string {
  const end = text.indexOf('\n', at)
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end < 0 ? undefined : end)
}

function characterAt(text: string, at: number): string {
  return at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : ''
}

function lastCharacter(text: string, at: number): string {
  if (at === 0) return ''
  const low = text.charCodeAt(at - 1)
  return characterAt(text, at > 1 && low >= 0xdc00 && low <= 0xdfff ? at - 2 : at - 1)
}

/** What a person can look up: the code point, and what it does where that is known to mislead. */
function nameOf(char: string): string {
  const code = char.codePointAt(0)!
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const kind = KINDS.find(([from, to]) => code >= from && code <= to)?.[2]
  return kind === undefined ? point : `${point} ${kind}`
}

const KINDS: readonly (readonly [from: number, to: number, kind: string])[] = [
  [0x200b, 0x200b, 'zero-width space'],
  [0x200c, 0x200c, 'zero-width non-joiner'],
  [0x200d, 0x200d, 'zero-width joiner'],
  [0x200e, 0x200f, 'direction mark'],
  [0x202a, 0x202c, 'direction embedding'],
  [0x202d, 0x202e, 'direction override'],
  [0x2060, 0x2060, 'word joiner'],
  [0x2066, 0x2069, 'direction isolate'],
  [0xfe00, 0xfe0f, 'variation selector'],
  [0xfeff, 0xfeff, 'zero-width no-break space'],
  [0xe0000, 0xe007f, 'tag character'],
  [0xe0100, 0xe01ef, 'variation selector'],
]
