import type { Range } from '../../schemas/source.ts'
import type { Entry, ListNode, MapNode, Node, ScalarNode } from './node.ts'

/**
 * Reads the plain YAML that nearly every agent file has: block maps and lists of one-line scalars, and flow lists of words.
 * Whatever is outside its grammar gives `undefined` and goes to the `yaml` package, which is 3.5 times slower (design 3).
 * A property test holds both to equal values and ranges.
 */
export function readSubset(text: string, region: Range): MapNode | undefined {
  const lines = readLines(text, region)
  if (!lines || lines.length === 0) return undefined
  const reader = new SubsetReader(text, lines)
  const root = reader.map(lines[0]!.indent)
  return root && reader.done() ? root : undefined
}

interface Line {
  start: number
  end: number
  indent: number
}

const KEY = /([A-Za-z_][\w-]*):(?=[ \r\n]|$)/y
const RESERVED = /^(?:null|true|false)$/i
const PLAIN_START = /[A-Za-z0-9_./$(^;=<\\\u00a1-\ud7ff\ud800-\udfff\ue000-\ufefe]/
const NOT_PLAIN = /:(?:[ \t]|$)|[ \t]#|[\t\r]/
const DOUBLE = /"(?:[^"\\\r\n\t]|\\["\\nt])*"/y
const SINGLE = /'(?:[^'\r\n]|'')*'/y
const FLOW_WORD = /[A-Za-z_](?:[^[\]{},:#&*!|>'"%@`\t\r\n]*[^[\]{},:#&*!|>'"%@`\t\r\n ])?/y
const NUMBER_LIKE = /^[\d.eE+_xXoOa-fA-F-]*$/

function readLines(text: string, [from, to]: Range): Line[] | undefined {
  const lines: Line[] = []
  for (let at = from; at < to;) {
    const feed = text.indexOf('\n', at)
    const next = feed < 0 || feed >= to ? to : feed
    let end = next < to && next > at && text[next - 1] === '\r' ? next - 1 : next
    let start = at
    while (start < end && text[start] === ' ') start += 1
    while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1
    if (text[start] === '\t' || text[start] === '%' || text.startsWith('...', start)) return undefined
    if (start < end && text[start] !== '#') lines.push({ start, end, indent: start - at })
    at = next + 1
  }
  return lines
}

class SubsetReader {
  private at = 0
  private readonly text: string
  private readonly lines: Line[]

  constructor(text: string, lines: Line[]) {
    this.text = text
    this.lines = lines
  }

  done(): boolean {
    return this.at === this.lines.length
  }

  map(indent: number): MapNode | undefined {
    const entries: Entry[] = []
    for (let line = this.lines[this.at]; line && line.indent === indent && !this.isItem(line); line = this.lines[this.at]) {
      const key = match(KEY, this.text, line.start, line.end)
      if (!key || RESERVED.test(key[1]!)) return undefined
      const keyRange: Range = [line.start, line.start + key[1]!.length]
      const value = this.value(line, keyRange, indent)
      if (!value) return undefined
      entries.push({ key: key[1]!, keyRange, value })
    }
    const last = entries.at(-1)
    return last && { kind: 'map', entries, range: [entries[0]!.keyRange[0], last.value.range[1]] }
  }

  private value(line: Line, keyRange: Range, indent: number): Node | undefined {
    let start = keyRange[1] + 1
    while (start < line.end && this.text[start] === ' ') start += 1
    this.at += 1
    if (start >= line.end) return this.below(keyRange, indent)
    if (this.text[start] === '#') return undefined
    return this.scalarOrFlow(start, line.end, indent)
  }

  private below(keyRange: Range, indent: number): Node | undefined {
    const next = this.lines[this.at]
    if (next && this.isItem(next) && next.indent >= indent) return this.list(next.indent)
    if (next && next.indent > indent) return this.map(next.indent)
    return { kind: 'scalar', value: null, range: keyRange }
  }

  private list(indent: number): ListNode | undefined {
    const items: Node[] = []
    for (let line = this.lines[this.at]; line && line.indent === indent && this.isItem(line); line = this.lines[this.at]) {
      const item = this.item(line, indent)
      if (!item) return undefined
      items.push(item)
    }
    return { kind: 'list', items, range: [items[0]!.range[0], items.at(-1)!.range[1]] }
  }

  private item(line: Line, indent: number): Node | undefined {
    let start = line.start + 1
    while (start < line.end && this.text[start] === ' ') start += 1
    if (start >= line.end || this.text[start] === '#') return undefined
    if (match(KEY, this.text, start, line.end)) {
      line.indent += start - line.start
      line.start = start
      return this.map(line.indent)
    }
    this.at += 1
    return this.scalarOrFlow(start, line.end, indent)
  }

  /** A value on one line; a deeper line after it would continue it, which is outside the grammar. */
  private scalarOrFlow(start: number, end: number, indent: number): Node | undefined {
    const next = this.lines[this.at]
    if (next && next.indent > indent) return undefined
    return this.text[start] === '[' ? flowList(this.text, start, end) : scalar(this.text, start, end)
  }

  private isItem(line: Line): boolean {
    return this.text[line.start] === '-' && (line.start + 1 === line.end || this.text[line.start + 1] === ' ')
  }
}

function scalar(text: string, start: number, end: number): ScalarNode | undefined {
  const first = text[start]!
  if (first === '"' || first === "'") {
    const node = quoted(text, start, end)
    return node && node.range[1] === end ? node : undefined
  }
  const word = text.slice(start, end)
  return PLAIN_START.test(first) && !NOT_PLAIN.test(word) ? plain(word, [start, end]) : undefined
}

function quoted(text: string, start: number, end: number): ScalarNode | undefined {
  const double = text[start] === '"'
  const found = match(double ? DOUBLE : SINGLE, text, start, end)
  if (!found) return undefined
  const value = double ? (JSON.parse(found[0]) as string) : found[0].slice(1, -1).replaceAll("''", "'")
  return { kind: 'scalar', value, range: [start, start + found[0].length] }
}

function plain(word: string, range: Range): ScalarNode | undefined {
  const node = (value: ScalarNode['value']): ScalarNode => ({ kind: 'scalar', value, range })
  if (RESERVED.test(word)) return /^(?:null|Null|NULL|true|True|TRUE|false|False|FALSE)$/.test(word) ? node(constant(word)) : node(word)
  if (!/^[\d.]/.test(word)) return node(word)
  if (/^(?:0|[1-9]\d{0,14})$/.test(word)) return node(Number(word))
  return NUMBER_LIKE.test(word) || /^\.(?:inf|nan)$/i.test(word) ? undefined : node(word)
}

function constant(word: string): boolean | null {
  const lower = word.toLowerCase()
  return lower === 'null' ? null : lower === 'true'
}

function flowList(text: string, start: number, end: number): ListNode | undefined {
  const items: Node[] = []
  let at = start + 1
  for (;;) {
    while (text[at] === ' ') at += 1
    if (at >= end) return undefined
    if (text[at] === ']') break
    const item = /["']/.test(text[at]!) ? quoted(text, at, end) : flowWord(text, at, end)
    if (!item) return undefined
    items.push(item)
    at = item.range[1]
    while (text[at] === ' ') at += 1
    if (text[at] === ',') at += 1
    else if (text[at] !== ']') return undefined
  }
  return at + 1 === end ? { kind: 'list', items, range: [start, end] } : undefined
}

function flowWord(text: string, start: number, end: number): ScalarNode | undefined {
  const found = match(FLOW_WORD, text, start, end)
  return found ? plain(found[0], [start, start + found[0].length]) : undefined
}

function match(pattern: RegExp, text: string, start: number, end: number): RegExpExecArray | null {
  pattern.lastIndex = start
  const found = pattern.exec(text)
  return found && found.index + found[0].length <= end ? found : null
}
