import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import * as say from '../findings/yaml.ts'
import type { SourceFile } from '../source-file.ts'
import { typeOf, withRanges, type MapNode, type Node } from './node.ts'
import { recover } from './recover.ts'
import { readYaml, type YamlFault } from './yaml-document.ts'

/** A reading by the `yaml` package: the map, or nothing with the finding that says why. */
export interface Reading {
  root?: MapNode
  diagnostics: Diagnostic[]
}

/** Reads the part of a file that the subset reader does not cover, with the tolerance that was measured on the real program. */
export function readFrontmatter(file: SourceFile, region: Range): Reading {
  const text = file.text.slice(...region)
  const result = readYaml(text)
  const there = (range: Range): Range => [range[0] + region[0], range[1] + region[0]]
  if ('root' in result) return asMap(file, withRanges(result.root, there), region)
  const recovery = result.fault.kind === 'syntax' ? recover(text) : undefined
  if (!recovery) return { diagnostics: [explain(file, region, result.fault)] }
  const reading = asMap(file, withRanges(recovery.root, there), region)
  const tolerated = recovery.quoted.map(({ key, value, cause }) => say.recovered(file, there(cause), key, there(value)))
  if (recovery.tab) tolerated.push(say.tabIndent(file, there(recovery.tab)))
  return { ...reading, diagnostics: [...tolerated, ...reading.diagnostics] }
}

function asMap(file: SourceFile, root: Node, region: Range): Reading {
  if (root.kind === 'map') return { root, diagnostics: [] }
  if (root.kind === 'scalar' && root.value === null)
    return { root: { kind: 'map', entries: [], range: [region[0], region[0]] }, diagnostics: [] }
  return { diagnostics: [say.notAMap(file, root.range, typeOf(root))] }
}

/** Names the real cause of a fault: what a person has to change, not what the parser stumbled over. */
function explain(file: SourceFile, region: Range, fault: YamlFault): Diagnostic {
  const at = bounded([fault.range[0] + region[0], fault.range[1] + region[0]], region)
  if (fault.kind === 'alias') return say.aliasLimit(file, at)
  if (fault.kind === 'depth') return say.tooDeep(file, [region[0], region[0]])
  if (fault.kind === 'documents') return say.syntax(file, at, fault.message)
  const key = lastKeyBefore(file.text.slice(region[0], at[0] + 1))
  const quotes = quoteFault(file.text, region)
  if (quotes) return say.brokenQuotes(file, quotes.value, quotes.key)
  if (strayLine(file.text, region, at) !== undefined)
    return say.multiLineValue(file, lineRange(file.text, strayLine(file.text, region, at)!), key)
  return say.syntax(file, at, reasonOf(fault))
}

const MULTI_LINE = /^(?:MULTILINE_IMPLICIT_KEY|BAD_INDENT|BLOCK_AS_IMPLICIT_KEY|MISSING_CHAR|BLOCK_IN_FLOW|UNEXPECTED_TOKEN)$/

function reasonOf(fault: YamlFault): string {
  const message = fault.message.split('\n')[0]!.replace(/\.$/, '')
  return MULTI_LINE.test(fault.code) && /implicit key|implicit map/i.test(message)
    ? 'a line is neither `key: value` nor a part of the value above it'
    : message.charAt(0).toLowerCase() + message.slice(1)
}

function lastKeyBefore(text: string): string | undefined {
  return [...text.matchAll(/^([A-Za-z_][\w-]*):/gm)].at(-1)?.[1]
}

/** A top-level one-line value that begins with a quote and goes on after it, or never closes it. */
function quoteFault(text: string, region: Range): { key: string; value: Range } | undefined {
  for (const match of text.slice(...region).matchAll(/^([A-Za-z_][\w-]*):[ \t]+((["'])[^\r\n]*)$/gm)) {
    const value = match[2]!.trimEnd()
    const result = readYaml(`${match[1]}: ${value}\n`)
    if (!('fault' in result)) continue
    const start = region[0] + match.index + match[0].indexOf(match[2]!, match[1]!.length + 1)
    return { key: match[1]!, value: [start, start + value.length] }
  }
  return undefined
}

/** The first line at or before the fault that is neither a key, a comment, a list item nor indented under a block. */
function strayLine(text: string, region: Range, at: Range): number | undefined {
  let offset = region[0]
  let plainValue = false
  for (const line of text.slice(...region).split('\n')) {
    const key = /^[A-Za-z_][\w-]*:(.*)$/.exec(line.trimEnd())
    if (key) plainValue = /^[ \t]+[^|>\s]/.test(key[1]!)
    else if (/^[^\s#-]/.test(line)) return offset
    else if (plainValue && /^[ \t]+\S.*:(?:[ \t]|$)/.test(line) && offset + line.length >= at[0] - 1) return offset
    offset += line.length + 1
  }
  return undefined
}

function lineRange(text: string, start: number): Range {
  const feed = text.indexOf('\n', start)
  const end = feed < 0 ? text.length : feed
  return [start, text[end - 1] === '\r' ? end - 1 : end]
}

function bounded([start, end]: Range, [from, to]: Range): Range {
  const first = Math.max(from, Math.min(start, to))
  return [first, Math.max(first, Math.min(end, to))]
}
