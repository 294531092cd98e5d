import { isUtf8 } from 'node:buffer'
import { masked } from '../secret/mask.ts'
import { mayHoldSecrets, type Secret } from '../secret/patterns.ts'

export interface Decoded {
  /** Secrets in it are hidden; `secrets` are their places. */
  text: string
  secrets: Secret[]
  /** Offset of the first U+FFFD, if some bytes are not UTF-8. */
  invalidAt?: number
}

/**
 * In: the bytes of a file. Out: its text without a leading byte order mark, so that offsets and columns do not count it.
 * Line ends stay as they are. Source: measured.md "Loading".
 */
export function textOf(bytes: Uint8Array): Decoded {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = buffer.toString('utf8')
  const text = whole.charCodeAt(0) === 0xfeff ? whole.slice(1) : whole
  // A text with anything beyond Latin-1 has two bytes a character, and is searched at half the speed.
  const isClean = whole.length < bytes.length && !mayHoldSecrets(buffer.toString('latin1'))
  const hidden = isClean ? { text, secrets: [] } : masked(text)
  return isUtf8(bytes) ? hidden : { ...hidden, invalidAt: hidden.text.indexOf('\ufffd') }
}
