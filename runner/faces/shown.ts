/** Text of models and files on a terminal. */

/** Without control characters: a model's text must not steer the terminal. */
export function shownText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '')
}

/** The same in one line. */
export function oneLine(text: string): string {
  return shownText(collapsed(text))
}

/** With white space collapsed to single spaces; control characters stay. */
export function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The one member of a tool's input that says what the call is about, in one line for a terminal. */
export function subject(input: unknown): string {
  return shownText(subjectOf(input))
}

/** The same with its control characters. */
export function subjectOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const record = input as Record<string, unknown>
  const value = record.pattern ?? record.file_path ?? record.command ?? Object.values(record).find((member) => typeof member === 'string')
  return typeof value === 'string' ? collapsed(value) : ''
}

/** Cut to a number of columns. What may be wide counts as wide: a line that is a little short is better than one that wraps. */
export function cut(line: string, columns: number): string {
  let width = 0
  let kept = ''
  for (const character of line) {
    const more = character.codePointAt(0)! >= 0x1100 ? 2 : 1
    if (width + more > columns - 1 && kept.length + character.length < line.length) return `${kept}…`
    width += more
    if (width > columns) return `${kept}…`
    kept += character
  }
  return kept
}

/** `1 file`, `4 files`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toString().replace(/\B(?=(?:\d{3})+$)/g, ',')} ${number === 1 ? one : many}`
}
