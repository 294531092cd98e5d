import type { Range } from '../../schemas/source.ts'
import { withRanges, type Node, type ScalarNode } from './node.ts'
import { readYaml, type YamlFault, type YamlResult } from './yaml-document.ts'

/** A reading that needed tolerance, and what it tolerated; offsets are into the text that was given. */
export interface Recovery {
  root: Node
  /** Top-level values of one line that are not strict YAML and were taken whole, with the character that makes them so. */
  quoted: { key: string; value: Range; cause: Range }[]
  /** The first tab that was used as indentation. */
  tab?: Range
}

const TOP_LEVEL = /^([A-Za-z_][\w-]*):[ \t]+(\S(?:[^\r\n]*[^\s])?)[ \t]*$/gm
const SUSPICIOUS = /:(?:[ \t]|$)|^[*&!%@`{[|>]/
const TAB_INDENT = /^[ ]*\t[ \t]*/gm

/**
 * Reads a frontmatter that is not YAML as the real program does: tabs in the indentation count as two spaces, and one-line values
 * that are no YAML by themselves are taken whole, as if quoted (measured.md "Loading"). `undefined` if it is still no YAML.
 */
export function recover(text: string): Recovery | undefined {
  const tabs = spaces(text)
  const quoted = suspects(tabs.text)
  if (quoted.length === 0 && tabs.first === undefined) return undefined
  const result = readYaml(blanked(tabs.text, quoted))
  if ('fault' in result) return undefined
  const root = restored(result.root, tabs.text, new Map(quoted.map((part) => [part.value[0], part])))
  const back = (range: Range): Range => [tabs.original(range[0]), tabs.original(range[1])]
  return {
    root: tabs.first === undefined ? root : withRanges(root, back),
    quoted: quoted.map(({ key, value, cause }) => ({ key, value: back(value), cause: back(cause) })),
    ...(tabs.first === undefined ? {} : { tab: [tabs.first, tabs.first + 1] }),
  }
}

type Quoted = Recovery['quoted'][number]

/** The values that have to be taken whole: each looks like syntax and fails when it is read alone. */
function suspects(text: string): Quoted[] {
  const found: Quoted[] = []
  for (const match of text.matchAll(TOP_LEVEL)) {
    const [line, key, value] = match as unknown as [string, string, string]
    if (/^["']/.test(value) || !SUSPICIOUS.test(value)) continue
    const start = match.index + line.indexOf(value, key.length + 1)
    const fault = faultOf(readYaml(`${key}: ${value}\n`))
    if (fault) found.push({ key, value: [start, start + value.length], cause: cause(value, start) })
  }
  return found
}

function faultOf(result: YamlResult): YamlFault | undefined {
  return 'fault' in result ? result.fault : undefined
}

/** The very character that is not plain text: the inner colon, or the indicator at the start. */
function cause(value: string, start: number): Range {
  const indicator = /^[*&!%@`{[|>]/.test(value)
  const at = indicator ? start : start + value.search(/:(?:[ \t]|$)/)
  return [at, at + 1]
}

/** The text with every such value replaced by letters, as long as it was, so that no offset changes. */
function blanked(text: string, quoted: Quoted[]): string {
  const parts: string[] = []
  let done = 0
  for (const { value } of quoted) {
    parts.push(text.slice(done, value[0]), 'x'.repeat(value[1] - value[0]))
    done = value[1]
  }
  return parts.join('') + text.slice(done)
}

function restored(node: Node, text: string, byStart: Map<number, Quoted>): Node {
  if (node.kind !== 'map') return node
  const entries = node.entries.map((entry) => {
    const part = byStart.get(entry.value.range[0])
    if (!part || entry.value.kind !== 'scalar') return entry
    const value: ScalarNode = { kind: 'scalar', value: text.slice(...part.value), range: part.value }
    return { ...entry, value }
  })
  return { ...node, entries }
}

/** Replaces each tab of an indentation by two spaces and says where an offset of the new text was in the old one. */
function spaces(text: string): { text: string; first?: number; original: (offset: number) => number } {
  const tabs: number[] = []
  const result = text.replace(TAB_INDENT, (indent, offset: number) => {
    for (let i = 0; i < indent.length; i++) if (indent[i] === '\t') tabs.push(offset + i)
    return indent.replaceAll('\t', '  ')
  })
  const original = (offset: number): number => {
    let [low, high] = [0, tabs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (tabs[middle]! + middle < offset) low = middle + 1
      else high = middle
    }
    return offset - low
  }
  return { text: result, original, ...(tabs[0] === undefined ? {} : { first: tabs[0] }) }
}
