import type { Color } from '../../schemas/values.ts'
import { coloured, PLAIN } from './colours.ts'
import type { Face } from './face.ts'
import { jsonFace } from './json.ts'
import { streamJsonFace } from './stream-json.ts'
import { textFace } from './text.ts'

export const FORMATS = ['text', 'json', 'stream-json'] as const
export type Format = (typeof FORMATS)[number]

/** What a face needs to know of where it appears. */
export interface Surroundings {
  stdout: { isTTY?: boolean | undefined; columns?: number | undefined }
  stderr: { isTTY?: boolean | undefined }
  env: Readonly<Record<string, string | undefined>>
}

/**
 * The face for a format. Text is live on a terminal; `plain` is one that can only append. Colour is left out where `NO_COLOR` asks for it
 * (https://no-color.org).
 */
export function faceFor(format: Format, { stdout, stderr, env }: Surroundings, color: Color, plain: boolean): Face {
  if (format === 'json') return jsonFace()
  if (format === 'stream-json') return streamJsonFace()
  const live = stdout.isTTY === true
  const able = live && !plain
  const paint = able && !env.NO_COLOR ? coloured(color) : PLAIN
  return textFace({ live, status: able && stderr.isTTY === true, columns: stdout.columns || 80, paint })
}
