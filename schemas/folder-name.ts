import { sha256 } from './canonical.ts'

/** Stand for themselves: small letters, digits, `_`, `-`, and the letters of scripts that have no capitals. */
const KEPT = /[a-z0-9_-]|\p{Lo}/u
/** Names that are devices on Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/
/** File systems take 255 bytes; something is left for what others put beside or behind it. */
const BYTE_LIMIT = 200
const KEPT_OF_LONG = 100

/**
 * The name of an agent's own folder, below the folder of memories and elsewhere (design 7). In: any name. Out: one path part, the same on
 * every system: never `.`, `..` or empty, without separators, and without capitals, so that no two names share a folder where file systems
 * fold letter case. Everything else is written as the UTF-8 bytes in hexadecimal behind `%`, which `decodeURIComponent` reads back.
 * Only a name too long for a file system loses its end, for a hash of the whole.
 */
export function folderName(agentName: string): string {
  const name = agentName.normalize('NFC')
  const parts = DEVICE.test(name) ? [hex(name[0]!), name.slice(1)] : [...name].map((char) => (KEPT.test(char) ? char : hex(char)))
  const encoded = parts.join('')
  if (encoded === '') return '%'
  if (bytes(encoded).length <= BYTE_LIMIT) return encoded
  return `${beginning(parts)}%~${sha256(name).slice('sha256:'.length, 'sha256:'.length + 32)}`
}

function hex(char: string): string {
  if (/^[\ud800-\udfff]$/.test(char)) return `%u${char.charCodeAt(0).toString(16)}`
  return [...bytes(char)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function beginning(parts: readonly string[]): string {
  let kept = ''
  for (const part of parts) {
    if (bytes(kept + part).length > KEPT_OF_LONG) break
    kept += part
  }
  return kept
}
