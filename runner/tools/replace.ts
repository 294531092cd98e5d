/** What became of a replacement. `times` counts occurrences, overlapping ones too, up to `MOST`; `lines` are those of the first ones. */
export type Replacement =
  | { kind: 'done'; text: string; times: number }
  | { kind: 'missing' }
  | { kind: 'ambiguous'; times: number; lines: number[] }

/** Occurrences are counted up to here. */
export const MOST = 1000
const SHOWN = 5

/**
 * Replaces a text in a text. A line end of the old text stands for the file's own, CRLF or LF, since that is how the file was shown;
 * line ends of the new text become what the file has at that place. Everything around stays as it is.
 */
export function replaced(text: string, old: string, fresh: string, all: boolean): Replacement {
  const pattern = new RegExp(old.replaceAll('\r\n', '\n').split('\n').map(escaped).join('\\r?\\n'), 'g')
  const found = occurrences(text, pattern)
  if (found.length === 0) return { kind: 'missing' }
  if (!all && found.length > 1)
    return { kind: 'ambiguous', times: found.length, lines: found.slice(0, SHOWN).map(([at]) => lineAt(text, at)) }
  const usual = endOf(text)
  let times = 0
  const replacement = (match: string) => {
    times += 1
    return withEnds(fresh, endOf(match) ?? usual ?? '\n')
  }
  return { kind: 'done', text: text.replace(pattern, replacement), times }
}

/** Where the text is, overlapping places too: `aa` is in `aaa` twice. */
function occurrences(text: string, pattern: RegExp): [start: number, end: number][] {
  const found: [number, number][] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match && found.length < MOST; match = pattern.exec(text)) {
    found.push([match.index, match.index + match[0].length])
    pattern.lastIndex = match.index + 1
  }
  pattern.lastIndex = 0
  return found
}

function endOf(text: string): '\r\n' | '\n' | undefined {
  const at = text.indexOf('\n')
  if (at < 0) return undefined
  return text[at - 1] === '\r' ? '\r\n' : '\n'
}

/** In a file with LF the new text is taken as it is given, its CRLF too; in one with CRLF every line ends so. */
function withEnds(fresh: string, end: '\r\n' | '\n'): string {
  return end === '\n' ? fresh : fresh.replace(/\r?\n/g, '\r\n')
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}
