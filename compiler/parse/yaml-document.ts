import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Alias,
  type Document,
  type Node as YamlNode,
  type Pair,
  type YAMLMap,
} from 'yaml'
import type { Range } from '../../schemas/source.ts'
import { withRanges, type Entry, type MapNode, type Node, type ScalarNode } from './node.ts'

/** What is wrong with a YAML text; offsets are into the text that was given. */
export interface YamlFault {
  kind: 'syntax' | 'documents' | 'alias' | 'depth'
  /** The code of the `yaml` package, for `syntax`. */
  code: string
  message: string
  range: Range
}

export type YamlResult = { root: Node } | { fault: YamlFault }

/** Aliases may be expanded to at most so many values; far more than any agent file needs, far fewer than an alias bomb makes. */
const ALIAS_LIMIT = 1000
/** Brackets, and the marks `-`, `?` and `:` on one line, may be nested this deep. */
const DEPTH_LIMIT = 100
const MARKS = new RegExp(`(?:[-?:][ \\t]+){${DEPTH_LIMIT + 1}}`)

/**
 * Reads YAML 1.2 with the `yaml` package into nodes with ranges. Tags are never resolved to anything that runs,
 * merge keys mean nothing, duplicate keys stay for the caller to report. Faults are values.
 */
export function readYaml(text: string): YamlResult {
  if (isTooDeep(text))
    return { fault: { kind: 'depth', code: 'DEPTH', message: `nested deeper than ${DEPTH_LIMIT} levels`, range: [0, 0] } }
  // With the level `silent` the package would leave out what stands behind the first document without a word.
  const document = parseDocument(text, { version: '1.2', uniqueKeys: false, prettyErrors: false, logLevel: 'error', stringKeys: false })
  const first = document.errors[0] ?? document.warnings[0]
  if (first?.code === 'MULTIPLE_DOCS') return { fault: severalDocuments(text, first.pos) }
  if (first) return { fault: { kind: 'syntax', code: first.code, message: first.message, range: [first.pos[0], first.pos[1]] } }
  if (!document.contents) return { root: { kind: 'scalar', value: null, range: [0, 0] } }
  return new Conversion(document, text).run()
}

/** Points at the line that ends the first document, which is what a person has to take out. */
function severalDocuments(text: string, second: Range): YamlFault {
  const mark = /^(?:\.\.\.|---)(?=\s|$)/m.exec(text)
  const range: Range = mark ? [mark.index, mark.index + 3] : [second[0], second[1]]
  const written = text.slice(...range)
  return { kind: 'documents', code: 'MULTIPLE_DOCS', message: `the line \`${written}\` ends it before its last keys`, range }
}

/** Counts brackets, in linear time and without knowing about quotes: no agent file has a hundred open ones in its text. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1)
    if (depth > DEPTH_LIMIT) return true
  }
  return MARKS.test(text)
}

class Conversion {
  private expanded = 0
  private inAlias = 0
  private fault: YamlFault | undefined
  private readonly document: Document.Parsed
  private readonly text: string

  constructor(document: Document.Parsed, text: string) {
    this.document = document
    this.text = text
  }

  run(): YamlResult {
    const root = this.node(this.document.contents, [0, 0])
    return this.fault ? { fault: this.fault } : { root }
  }

  private node(node: unknown, fallback: Range): Node {
    if (this.fault) return { kind: 'scalar', value: null, range: fallback }
    if (this.inAlias > 0) this.expanded += 1
    if (isAlias(node)) return this.alias(node)
    if (isMap(node)) return this.map(node, fallback)
    if (isSeq(node)) {
      const items = node.items.map((item) => this.node(item, rangeOf(item as YamlNode) ?? fallback))
      return { kind: 'list', items, range: this.collectionRange(node as YamlNode, items, fallback) }
    }
    if (isScalar(node)) return this.scalar(node as YamlNode & { value: unknown; source?: string }, fallback)
    return { kind: 'scalar', value: null, range: fallback }
  }

  /** What a tag makes of a scalar, such as a date or bytes, depends on the machine; what is written does not. */
  private scalar(node: YamlNode & { value: unknown; source?: string }, fallback: Range): Node {
    const range = rangeOf(node) ?? fallback
    const { value } = node
    if (value === null && range[0] === range[1]) return { kind: 'scalar', value, range: fallback }
    if (typeof value === 'bigint') return { kind: 'scalar', value: Number(value), range }
    const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null
    return { kind: 'scalar', value: plain ? value : (node.source ?? ''), range: this.trimmed(range) }
  }

  private map(node: YAMLMap, fallback: Range): MapNode {
    const entries = node.items.map((pair) => this.entry(pair as Pair<YamlNode, YamlNode | null>, fallback))
    const parts = entries.flatMap((entry): { range: Range }[] => [{ range: entry.keyRange }, entry.value])
    return { kind: 'map', entries, range: this.collectionRange(node as YamlNode, parts, fallback) }
  }

  private entry(pair: Pair<YamlNode, YamlNode | null>, fallback: Range): Entry {
    const keyRange = rangeOf(pair.key) ?? fallback
    const key = isScalar(pair.key) ? String(pair.key.value ?? '') : this.text.slice(...keyRange)
    return { key, keyRange, value: this.node(pair.value, keyRange) }
  }

  /** The parts of an alias stand where the alias stands: that is the place a person can change. */
  private alias(alias: Alias): Node {
    const range = rangeOf(alias) ?? [0, 0]
    if (this.expanded >= ALIAS_LIMIT) return this.refuse('alias', 'ALIAS', `aliases expand to more than ${ALIAS_LIMIT} values`, range)
    const meant = alias.resolve(this.document)
    if (!meant) return this.refuse('syntax', 'BAD_ALIAS', `nothing is called &${alias.source}`, range)
    this.inAlias += 1
    this.expanded += 1
    const target = withRanges(this.node(meant, range), () => range)
    this.inAlias -= 1
    return target
  }

  /** Notes the first fault and gives something to go on with. */
  private refuse(kind: YamlFault['kind'], code: string, message: string, range: Range): ScalarNode {
    this.fault ??= { kind, code, message, range }
    return { kind: 'scalar', value: null, range }
  }

  /** Flow collections end at their bracket, block collections where their last part ends: white space after it is not theirs. */
  private collectionRange(node: YamlNode, parts: { range: Range }[], fallback: Range): Range {
    const range = rangeOf(node) ?? fallback
    if ('flow' in node && node.flow) return this.trimmed(range)
    const last = parts.at(-1)
    return last ? [parts[0]!.range[0], last.range[1]] : range
  }

  private trimmed([start, end]: Range): Range {
    let last = end
    while (last > start && /[ \t\r\n]/.test(this.text[last - 1]!)) last -= 1
    return [start, last]
  }
}

function rangeOf(node: YamlNode | null | undefined): Range | undefined {
  return node?.range ? [node.range[0], node.range[1]] : undefined
}
