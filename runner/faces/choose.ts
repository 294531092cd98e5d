import type { Color } from '../../schemas/values.ts'
import { coloured, PLAIN } from './colours.ts'
import type { Face } from './face.ts'
import { jsonFace } from './json.ts'
import { streamJsonFace } from './stream-json.ts'
import { textFace } from './text.ts'

export const FORMATS = ['text', 'json', 'stream-json'] as const
export type Format = (typeof FORMATS)[number]

interface TerminalSide {
  isTTY?: boolean | undefined
  columns?: number | undefined
  rows?: number | undefined
}

/** What a face needs to know of where it appears. */
export interface Surroundings {
  stdout: TerminalSide
  stderr: TerminalSide
  env: Readonly<Record<string, string | undefined>>
}

/** What a face needs to know of the run. */
export interface Shown {
  /** Of the agent itself. */
  color: Color
  /** Of another agent of the manifest. */
  colorOf?: (agent: string) => Color | undefined
  cacheTtl?: '5m' | '1h' | undefined
  /** Nothing is written over, and nothing has a colour. */
  plain?: boolean
  /** A conversation. */
  interactive?: boolean
}

/**
 * The face for a format. Text is live on a terminal, and goes back in its lines unless that is plain; colour is left out where `NO_COLOR`
 * asks for it (https://no-color.org).
 */
export function faceFor(format: Format, { stdout, stderr, env }: Surroundings, shown: Shown): Face {
  if (format === 'json') return jsonFace()
  if (format === 'stream-json') return streamJsonFace()
  const { color, colorOf, cacheTtl = '5m', plain = false, interactive = false } = shown
  const live = stdout.isTTY === true
  const able = live && !plain
  const isColoured = able && !env.NO_COLOR
  return textFace({
    live,
    status: able && stderr.isTTY === true,
    paint: isColoured ? coloured(color) : PLAIN,
    paintOf(agent) {
      const other = isColoured ? colorOf?.(agent) : undefined
      return other ? coloured(other).agent : PLAIN.agent
    },
    ttl: cacheTtl,
    interactive,
    // A terminal may become wider or narrower.
    get columns() {
      return stdout.columns || 80
    },
    get rows() {
      return stdout.rows || 24
    },
  })
}
