import type { ImageSource } from '../message.ts'
import { failed, type ToolOutput } from './tool.ts'

/** What the API takes of one picture, in bytes of base64. */
const BASE64_BYTES = 5 * 1024 * 1024

export const PDF_REASON = 'It is not sent to the model; turn it into text first, for example with pdftotext.'

/** The kind of a picture by its first bytes; names of files are not believed. */
function mediaType(bytes: Buffer): ImageSource['media_type'] | undefined {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png'
  if (head.startsWith('\xFF\xD8\xFF')) return 'image/jpeg'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif'
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'image/webp' : undefined
}

/** A picture as a result; `undefined` if it is none. */
export function imageOutput(bytes: Buffer, shown: string): ToolOutput | undefined {
  const media_type = mediaType(bytes)
  if (!media_type) return undefined
  const size = Math.ceil(bytes.length / 3) * 4
  if (size > BASE64_BYTES)
    return failed(`${shown} is a picture of ${bytes.length} bytes, more than the API takes (${(BASE64_BYTES / 4) * 3}).`)
  const image: ImageSource = { type: 'base64', media_type, data: bytes.toString('base64') }
  return { text: `[${shown}: ${media_type}, ${bytes.length} bytes]`, isError: false, images: [image] }
}

export function isPdf(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 5) === '%PDF-'
}
