import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import * as sayDocument from '../findings/document.ts'
import * as say from '../findings/yaml.ts'
import type { Memo } from '../memo.ts'
import { positionOf } from '../position.ts'
import { covered } from '../secret/named.ts'
import type { SourceFile } from '../source-file.ts'
import { divide, type Division } from './fence.ts'
import type { MapNode, Node } from './node.ts'
import { secretsOfServers } from './server-secrets.ts'
import { readSubset } from './subset.ts'

/** A file as text understood: its frontmatter as nodes, and where its body begins. */
export interface ParsedDocument {
  file: SourceFile
  /** Absent: no agent can be read from this file; `diagnostics` say why, or it is a plain document and there is nothing to say. */
  root?: MapNode
  bodyStart: number
  diagnostics: Diagnostic[]
}

/**
 * Parses files, each by itself: a broken one never hides another. The `yaml` package is loaded only if a file needs it.
 * Nothing in a file is executed. What is `known` of a file is taken as it is.
 */
export async function parse(files: readonly SourceFile[], known?: Memo<SourceFile, ParsedDocument>): Promise<ParsedDocument[]> {
  const parsed: ParsedDocument[] = []
  for (const file of files) {
    const before = known?.get(file)
    if (before) parsed.push(before)
    else {
      const document = file.form === 'json' ? fromJson(file) : fromMarkdown(file)
      const done = withoutSecrets(document instanceof Promise ? await document : document)
      parsed.push(known ? known.set(file, done) : done)
    }
  }
  return parsed
}

/** No later stage sees the text of a value that is a secret by its name; its node still has it, and `define` puts a reference in its place. */
function withoutSecrets(document: ParsedDocument): ParsedDocument {
  const { file, root } = document
  if (!root || (file.form === 'markdown' && !root.entries.some(({ key }) => key === 'mcpServers'))) return document
  const agents = file.form === 'json' ? root.entries.flatMap(({ value }) => (value.kind === 'map' ? [value] : [])) : [root]
  const ranges = agents.flatMap(secretsOfServers)
  if (ranges.length === 0) return document
  const hidden = { ...file, text: covered(file.text, ranges) }
  const diagnostics = document.diagnostics.map((item) => ({ ...item, at: { ...item.at, text: hidden.text } }))
  return { ...document, file: hidden, diagnostics }
}

async function fromJson(file: SourceFile): Promise<ParsedDocument> {
  const { readAgentsFlag } = await import('./json-file.ts')
  const { root, diagnostics } = readAgentsFlag(file)
  return { file, bodyStart: 0, ...(root && { root }), diagnostics: [...diagnostics, ...(root ? duplicates(file, root) : [])] }
}

/** A promise only where the `yaml` package has to be loaded: to wait for each of thousands of files takes its time. */
function fromMarkdown(file: SourceFile): ParsedDocument | Promise<ParsedDocument> {
  const division = divide(file.text)
  if (division.kind !== 'frontmatter') return { file, bodyStart: 0, diagnostics: notAnAgent(file, division) }
  const { yaml, bodyStart } = division
  const quick = readSubset(file.text, yaml)
  return quick ? { file, root: quick, bodyStart, diagnostics: checks(file, quick, yaml) } : slowly(file, yaml, bodyStart)
}

async function slowly(file: SourceFile, yaml: Range, bodyStart: number): Promise<ParsedDocument> {
  const { root, diagnostics } = (await import('./frontmatter.ts')).readFrontmatter(file, yaml)
  const found = root ? [...checks(file, root, yaml), ...merges(file, root)] : []
  return { file, bodyStart, ...(root && { root }), diagnostics: [...diagnostics, ...found] }
}

function notAnAgent(file: SourceFile, division: Exclude<Division, { kind: 'frontmatter' }>): Diagnostic[] {
  if (division.kind === 'unclosed') return [say.unclosed(file, division.open)]
  if (division.kind === 'language') return [say.language(file, division.open, division.language)]
  if (division.kind === 'late') return [sayDocument.textBeforeFence(file, division.open)]
  if (file.text.trim() === '') return [sayDocument.emptyFile(file)]
  if (file.origin.source === 'plugin') return [sayDocument.pluginDocument(file)]
  if (file.text.includes('```') || DOCUMENT_NAME.test(file.origin.path)) return []
  return [ROLE_PROSE.test(file.text.slice(0, PROSE_WINDOW)) ? sayDocument.noFrontmatter(file) : sayDocument.plainDocument(file)]
}

/** How prompts begin and documents do not: near the top, the model is spoken to. */
const ROLE_PROSE = /^(?:you are|you're|act as|your (?:role|job|task|mission) is)\b/im
const PROSE_WINDOW = 600
/** Names of files that are documents everywhere: README, CHANGELOG, LICENSE and others in capitals. */
const DOCUMENT_NAME = /(?:^|\/)[A-Z][A-Z0-9_. -]*\.md$/

/** What is wrong with a frontmatter although it can be read. */
function checks(file: SourceFile, root: MapNode, region: Range): Diagnostic[] {
  return [...duplicates(file, root), ...fences(file, root, region), ...cuts(file, root)]
}

function duplicates(file: SourceFile, node: Node): Diagnostic[] {
  if (node.kind === 'scalar') return []
  if (node.kind === 'list') return node.items.flatMap((item) => duplicates(file, item))
  const found: Diagnostic[] = []
  const first = new Map<string, Range>()
  for (const { key, keyRange, value } of node.entries) {
    const before = first.get(key)
    if (before) found.push(say.duplicateKey(file, keyRange, key, before, positionOf(file.text, before[0]).line))
    else first.set(key, keyRange)
    if (key === '__proto__') found.push(say.protoKey(file, keyRange, key))
    found.push(...duplicates(file, value))
  }
  return found
}

/** Merge keys, which no plain frontmatter has: YAML 1.2 knows none, so what they were to bring along is not there. */
function merges(file: SourceFile, node: Node): Diagnostic[] {
  if (node.kind === 'scalar') return []
  if (node.kind === 'list') return node.items.flatMap((item) => merges(file, item))
  return node.entries.flatMap(({ key, keyRange, value }) => {
    const isMerge = key === '<<' && file.text[keyRange[0]] === '<'
    return isMerge ? [say.mergeKey(file, keyRange, keysOf(value))] : merges(file, value)
  })
}

function keysOf(node: Node): string[] {
  if (node.kind === 'scalar') return []
  return [...new Set(node.kind === 'list' ? node.items.flatMap(keysOf) : node.entries.map(({ key }) => key))]
}

/** `---` anywhere in the block: the real program ends the frontmatter there (measured.md "Loading"). */
function fences(file: SourceFile, root: MapNode, [start, end]: Range): Diagnostic[] {
  const at = file.text.indexOf('---', start)
  if (at < 0 || at >= end) return []
  const lost = root.entries.filter((entry) => entry.keyRange[0] > at).map((entry) => entry.key)
  return [say.fenceInValue(file, [at, at + 3], lost)]
}

/** Keys whose value is prose, where a ` #` is more likely text than a remark. */
const PROSE_KEYS = new Set(['description', 'initialPrompt'])

/** Plain one-line values of top-level keys that a ` #` cuts short, where what is lost reads like text and not like a remark. */
function cuts(file: SourceFile, root: MapNode): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const { key, value } of root.entries) {
    if (value.kind !== 'scalar' || typeof value.value !== 'string' || /["'|>]/.test(file.text[value.range[0]] ?? '')) continue
    const rest = /^[ \t]+#[^\r\n]*/.exec(file.text.slice(value.range[1], value.range[1] + 2000))
    if (!rest || !PROSE_KEYS.has(key)) continue
    const hash = value.range[1] + rest[0].indexOf('#')
    found.push(say.commentCut(file, [hash, hash + 1], key, [value.range[0], value.range[1] + rest[0].trimEnd().length]))
  }
  return found
}
