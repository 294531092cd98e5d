import { isUtf8 } from 'node:buffer'

/**
 * In: the bytes of a file. Out: its text without a leading byte order mark, so that offsets and columns do not count it;
 * `invalidAt` is the offset of the first U+FFFD if some bytes are not UTF-8. Line ends stay as they are. Source: measured.md "Loading".
 */
export function textOf(bytes: Uint8Array): { text: string; invalidAt?: number } {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const text = whole.charCodeAt(0) === 0xfeff ? whole.slice(1) : whole
  return isUtf8(bytes) ? { text } : { text, invalidAt: text.indexOf('\ufffd') }
}
