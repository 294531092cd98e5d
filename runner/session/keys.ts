/** What comes from a capable terminal: keys for the editor of the line, or a text that is put into it as it is. */
export type Typed = { keys: string } | { text: string }

const PASTE = '\u001B[200~'
const PASTED = '\u001B[201~'
/** Keys that begin a new line in the text: Ctrl-J, and Enter with Alt, which terminals send as Escape and Enter. */
const NEW_LINE = /\u001B\r|\u001B\n|\n/g

/**
 * Parts what a terminal sends. What is pasted is one text, its lines included, and no key of it does anything: the terminal says where
 * a paste begins and ends (bracketed paste). Pieces may be parted anywhere; the beginning of a mark is kept for the next piece.
 */
export function keyReader(): (piece: string) => readonly Typed[] {
  let pasting: string | undefined
  let kept = ''
  return (piece) => {
    const typed: Typed[] = []
    let rest = kept + piece
    kept = ''
    while (rest !== '') {
      const mark = pasting === undefined ? PASTE : PASTED
      const at = rest.indexOf(mark)
      // Escape alone is a key, but not in a paste.
      const held = at < 0 ? begunMark(rest, mark, pasting === undefined ? 2 : 1) : 0
      const part = rest.slice(0, at < 0 ? rest.length - held : at)
      if (pasting === undefined) typed.push(...keysOf(at < 0 ? entered(part) : part))
      else pasting += part
      if (at < 0) {
        kept = rest.slice(rest.length - held)
        break
      }
      if (pasting !== undefined) typed.push({ text: harmless(pasting) })
      pasting = pasting === undefined ? '' : undefined
      rest = rest.slice(at + mark.length)
    }
    return typed.filter((each) => ('keys' in each ? each.keys : each.text) !== '')
  }
}

/** How much of the end of a text may be the beginning of a mark, if it is as much as `least`. */
function begunMark(text: string, mark: string, least: number): number {
  for (let length = mark.length - 1; length >= least; length--) if (text.endsWith(mark.slice(0, length))) return length
  return 0
}

/**
 * Whole lines at once do not come from keys that are struck one by one: they were typed before the terminal was read key by key, when the
 * system still made a line feed of Enter, or a program sends them. So the last line feed of several signs is Enter; alone it is Ctrl-J.
 */
function entered(part: string): string {
  return part.length > 1 && /[^\u001B]\n$/.test(part) ? `${part.slice(0, -1)}\r` : part
}

function keysOf(part: string): Typed[] {
  const typed: Typed[] = []
  let from = 0
  for (const { index, 0: match } of part.matchAll(NEW_LINE)) {
    typed.push({ keys: part.slice(from, index) }, { text: '\n' })
    from = index + match.length
  }
  return [...typed, { keys: part.slice(from) }]
}

/** Line ends as they are in texts, a tab as blanks, and nothing that would steer the terminal. */
function harmless(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/g, '')
}
