import { isUtf8 } from 'node:buffer'

/** The biggest file that is read whole: to be edited, shown as a picture or as a notebook. */
export const WHOLE_BYTES = 10 * 1024 * 1024

/**
 * How the bytes of a text file are read. `bytes`: neither UTF-8 nor UTF-16, so every byte stands for the character of its number
 * (ISO 8859-1); such a file can be edited where it is ASCII, and all other bytes stay as they are.
 */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'bytes'

export interface TextFile {
  text: string
  encoding: Encoding
}

/** Reads a text file so that `encodeText` gives back its very bytes; a byte order mark is a part of the text. `undefined`: it is binary. */
export function decodeText(bytes: Buffer): TextFile | undefined {
  const encoding = encodingOf(bytes)
  const file = encoding && { encoding, text: decoded(bytes, encoding) }
  return file && !file.text.includes('\0') ? file : undefined
}

export function encodeText({ text, encoding }: TextFile): Buffer {
  if (encoding === 'bytes') return Buffer.from(text, 'latin1')
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8')
  const bytes = Buffer.from(text, 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}

function encodingOf(bytes: Buffer): Encoding | undefined {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0
  if (mark === 0xfffe || mark === 0xfeff) return bytes.length % 2 === 0 ? (mark === 0xfffe ? 'utf-16le' : 'utf-16be') : undefined
  return isUtf8(bytes) ? 'utf-8' : 'bytes'
}

function decoded(bytes: Buffer, encoding: Encoding): string {
  if (encoding === 'bytes') return bytes.toString('latin1')
  if (encoding === 'utf-8') return bytes.toString('utf8')
  return (encoding === 'utf-16be' ? Buffer.from(bytes).swap16() : bytes).toString('utf16le')
}
