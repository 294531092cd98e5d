/** A place as people count it: both from 1, columns in UTF-16 units. */
export interface Position {
  line: number
  column: number
}

/** Line and column of an offset. Only `\n` ends a line, so a CRLF file gives the same numbers as an LF one. */
export function positionOf(text: string, offset: number): Position {
  let line = 1
  let start = 0
  for (let feed = text.indexOf('\n'); feed >= 0 && feed < offset; feed = text.indexOf('\n', start)) {
    line += 1
    start = feed + 1
  }
  return { line, column: offset - start + 1 }
}
