import type { ImageSource } from '../message.ts'
import { PICTURE_BYTES, pictureOf } from '../tools/image.ts'
import type { ToolOutput } from '../tools/tool.ts'
import type { CallResult, ContentBlock, Resource, ResourceContent } from './wire.ts'

const PICTURES_LIMIT = 20

interface Piece {
  text: string
  image?: ImageSource
}

/**
 * What a server answered, as the model gets it: texts and pictures in their order, links and other files by name. `structuredContent` is
 * shown only where no text says anything, because a server gives it as text too (MCP 2025-06-18, tools, structured content).
 */
export function resultOf({ content, structuredContent, isError = false }: CallResult): ToolOutput {
  const pieces = content.map(pieceOf)
  if (structuredContent && pieces.every(({ text, image }) => text === '' && !image))
    pieces.push({ text: JSON.stringify(structuredContent, null, 2) })
  return outputOf(pieces, isError, '(the tool gave no output)')
}

/** The contents of a resource. */
export function contentsOf(contents: readonly ResourceContent[]): ToolOutput {
  return outputOf(contents.map(fileOf), false, '(the resource is empty)')
}

export function resourceLine({ uri, name, mimeType, description }: Resource): string {
  const type = mimeType === undefined ? '' : ` (${mimeType})`
  return `${uri} ${name}${type}${description === undefined || description === '' ? '' : `: ${description.replaceAll(/\s+/g, ' ')}`}`
}

function outputOf(pieces: readonly Piece[], isError: boolean, nothing: string): ToolOutput {
  const all = pieces.flatMap(({ image }) => image ?? [])
  const images = all.slice(0, PICTURES_LIMIT)
  const texts = pieces.map(({ text }) => text).filter((text) => text !== '')
  if (all.length > images.length) texts.push(`[${all.length - images.length} more pictures left out]`)
  const text = texts.join('\n')
  return { text: text === '' && images.length === 0 ? nothing : text, isError, ...(images.length > 0 && { images }) }
}

function pieceOf(block: ContentBlock): Piece {
  if (block.type === 'text') return { text: block.text }
  if (block.type === 'image') return fileShown(block.data, block.mimeType, 'a picture')
  if (block.type === 'audio')
    return { text: `[a sound (${block.mimeType}, ${sizeOf(Buffer.byteLength(block.data, 'base64'))}), which cannot be shown]` }
  if (block.type === 'resource_link') return { text: `[resource: ${resourceLine(block)}]` }
  if (block.type === 'resource') return fileOf(block.resource)
  return { text: `[something of the type ${String((block as { type: unknown }).type)}, which cannot be shown]` }
}

function fileOf({ uri, mimeType, text, blob }: ResourceContent): Piece {
  if (text !== undefined) return { text: `[resource: ${uri}]\n${text}` }
  return blob === undefined
    ? { text: `[resource: ${uri}, without content]` }
    : fileShown(blob, mimeType ?? 'unknown type', `resource ${uri}`)
}

/**
 * What a server gives as base64, `said` to be of some type: shown if its bytes are a picture. One wrong word about a picture, or one that is
 * too large, would make the API refuse every further request of the run.
 */
function fileShown(base64: string, said: string, what: string): Piece {
  const bytes = Buffer.from(base64, 'base64')
  const image = pictureOf(bytes)
  if (image && image !== 'too large') return { text: '', image }
  const why = image ? `is larger than the API takes (${sizeOf(PICTURE_BYTES)})` : 'cannot be shown'
  return { text: `[${what} (${said}, ${sizeOf(bytes.length)}), which ${why}]` }
}

function sizeOf(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`
}
