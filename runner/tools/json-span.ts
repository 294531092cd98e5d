/** Where a value stands in a JSON text. */
export type Span = readonly [start: number, end: number]

/**
 * The places of the items of the list that a member of the outermost object holds. The text must be known to be JSON.
 * With them a part can be replaced and every other byte stays, which writing the parsed value anew cannot promise (1.0, 1e3, escapes).
 */
export function itemSpans(text: string, member: string): { list: Span; items: Span[] } | undefined {
  let at = blank(text, text.indexOf('{') + 1)
  let found: Span | undefined
  while (text[at] === '"') {
    const nameEnd = valueEnd(text, at)
    const start = blank(text, blank(text, nameEnd) + 1)
    const end = valueEnd(text, start)
    // Of two members of one name the last one counts, as for JSON.parse.
    if (JSON.parse(text.slice(at, nameEnd)) === member) found = [start, end]
    at = next(text, end)
  }
  return found && text[found[0]] === '[' ? { list: found, items: items(text, found[0]) } : undefined
}

function items(text: string, list: number): Span[] {
  const spans: Span[] = []
  for (let at = blank(text, list + 1); text[at] !== ']' && at < text.length;) {
    const end = valueEnd(text, at)
    spans.push([at, end])
    at = next(text, end)
  }
  return spans
}

/** Past the comma behind a value, if there is one. */
function next(text: string, end: number): number {
  const at = blank(text, end)
  return text[at] === ',' ? blank(text, at + 1) : at
}

function blank(text: string, from: number): number {
  let at = from
  while (' \t\r\n'.includes(text[at] ?? 'x')) at += 1
  return at
}

function valueEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start)
  if (text[start] !== '{' && text[start] !== '[') {
    const end = text.slice(start).search(/[\s,\]}]/)
    return end < 0 ? text.length : start + end
  }
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === '"') at = stringEnd(text, at) - 1
    else if (text[at] === '{' || text[at] === '[') depth += 1
    else if ((text[at] === '}' || text[at] === ']') && --depth === 0) return at + 1
  }
  return text.length
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}
