import { isUtf8 } from 'node:buffer'
import { masked } from '../secret/mask.ts'
import type { Secret } from '../secret/patterns.ts'

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
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const hidden = masked(whole.charCodeAt(0) === 0xfeff ? whole.slice(1) : whole)
  return isUtf8(bytes) ? hidden : { ...hidden, invalidAt: hidden.text.indexOf('\ufffd') }
}
