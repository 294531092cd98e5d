import { styleText } from 'node:util'
import type { Color } from '../../schemas/values.ts'

type Look = Parameters<typeof styleText>[0]

/** Puts a look on text, or leaves it plain. */
export type Style = (look: Look, text: string) => string

/** Whether to use colour is decided before (`styleOf`); `styleText` would decide again by the stream and overrule `--color always`. */
export function styler(color: boolean): Style {
  return color ? (look, text) => styleText(look, text, { validateStream: false }) : (_look, text) => text
}

/** The terminal's nearest look for an agent's colour. */
export const AGENT_LOOK: Record<Color, Look> = {
  red: 'red',
  blue: 'blue',
  green: 'green',
  yellow: 'yellow',
  purple: 'magenta',
  orange: 'yellowBright',
  pink: 'magentaBright',
  cyan: 'cyan',
}

/**
 * Text from a file as it may be shown: control characters, escape sequences and bidirectional marks are written out,
 * so that a hostile file cannot steer the terminal or lie about what it says.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, (char) =>
    char === '\t' ? char : `<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`,
  )
}
