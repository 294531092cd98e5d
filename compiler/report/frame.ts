import { eastAsianWidth } from 'get-east-asian-width'
import type { Place } from '../../schemas/diagnostic.ts'
import { positionOf } from '../position.ts'
import { printable, type Style } from './style.ts'

/** Lines are shown up to so many characters around the mark. */
const WIDTH = 100

/** The line a place is on, with a caret under the very word; `undefined` for a place without text. */
export function frame({ text, range: [start, end] }: Place, style: Style): string[] | undefined {
  if (text === '') return undefined
  const { line } = positionOf(text, start)
  const from = text.lastIndexOf('\n', start - 1) + 1
  const feed = text.indexOf('\n', from)
  const to = feed < 0 ? text.length : feed
  const whole = text.slice(from, text[to - 1] === '\r' ? to - 1 : to)
  const { shown, left } = window(whole, start - from)
  const before = printable(shown.slice(0, Math.max(0, start - from - left)))
  const marked = printable(shown.slice(Math.max(0, start - from - left), Math.max(0, Math.min(end, to) - from - left)))
  const number = String(line)
  const margin = ' '.repeat(number.length)
  const lead = left > 0 ? '… ' : ''
  const pad = `${lead}${before}`.replace(/[^\t]/gu, (char) => ' '.repeat(columns(char)))
  return [
    style('blue', `${margin} |`),
    `${style('blue', `${number} |`)} ${lead}${printable(shown)}${left + shown.length < whole.length ? ' …' : ''}`,
    `${style('blue', `${margin} |`)} ${pad}${style('red', '^'.repeat(Math.max(1, columns(marked))))}`,
  ]
}

/** The part of a long line that holds the mark. */
function window(line: string, mark: number): { shown: string; left: number } {
  if (line.length <= WIDTH) return { shown: line, left: 0 }
  const left = boundary(line, Math.max(0, Math.min(mark - WIDTH / 2, line.length - WIDTH)))
  return { shown: line.slice(left, boundary(line, left + WIDTH)), left }
}

/** An offset that does not lie inside a character of two units. */
function boundary(line: string, offset: number): number {
  return /[\udc00-\udfff]/.test(line[offset] ?? '') && /[\ud800-\udbff]/.test(line[offset - 1] ?? '') ? offset - 1 : offset
}

/** How many columns of a terminal text takes: wide characters take two. */
export function columns(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let sum = 0
  for (const char of text) sum += /\p{Mark}/u.test(char) ? 0 : eastAsianWidth(char.codePointAt(0)!)
  return sum
}
