import type { ImageSource } from '../message.ts'
import { failed, type ToolOutput } from './tool.ts'

/** What the API takes of one picture: 5 MiB of base64. A larger one is refused with the whole request. */
export const PICTURE_BYTES = (5 * 1024 * 1024 * 3) / 4

export const PDF_REASON = 'It is not sent to the model; turn it into text first, for example with pdftotext.'

/** The kind of a picture by its first bytes; names of files, and what servers say, are not believed. */
function mediaType(bytes: Buffer): ImageSource['media_type'] | undefined {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png'
  if (head.startsWith('\xFF\xD8\xFF')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'image/webp' : undefined
}

/** A picture as the API takes it; `undefined` if the bytes are none. */
export function pictureOf(bytes: Buffer): ImageSource | 'too large' | undefined {
  const media_type = mediaType(bytes)
  if (!media_type) return undefined
  return bytes.length > PICTURE_BYTES ? 'too large' : { type: 'base64', media_type, data: bytes.toString('base64') }
}

/** A picture as a result; `undefined` if it is none. */
export function imageOutput(bytes: Buffer, shown: string): ToolOutput | undefined {
  const image = pictureOf(bytes)
  if (!image) return undefined
  if (image === 'too large') return failed(`${shown} is a picture of ${bytes.length} bytes, more than the API takes (${PICTURE_BYTES}).`)
  return { text: `[${shown}: ${image.media_type}, ${bytes.length} bytes]`, isError: false, images: [image] }
}

export function isPdf(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 5) === '%PDF-'
}
