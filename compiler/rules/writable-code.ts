import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import * as say from '../findings/security.ts'
import { entryOf, rangeWithin, type MapNode, type Node, type ScalarNode } from '../parse/node.ts'
import type { ParsedDocument } from '../parse/parse.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import type { SourceFile } from '../source-file.ts'

/**
 * Looks for hooks and servers of an agent's own that run a file which that very agent can change: a guard that the guarded can rewrite.
 * In: all documents, among which that of a definition is looked up once one is needed.
 */
export function writableCode(documents: readonly ParsedDocument[]): (agent: ResolvedAgent) => Diagnostic[] {
  let roots: ReadonlyMap<SourceFile, MapNode | undefined> | undefined
  return (agent) => {
    const { file } = agent.definition
    const tool = bringsCode(agent) ? writerOf(agent) : undefined
    if (tool === undefined || file.form !== 'markdown') return []
    roots ??= new Map(documents.map((document) => [document.file, document.root]))
    const root = roots.get(file)
    return root ? [...found(root, 'hooks', 'hook', file, tool), ...found(root, 'mcpServers', 'server', file, tool)] : []
  }
}

/** Most agents bring no code along, and need no look. */
export function bringsCode({ definition: { hooks, mcpServers } }: ResolvedAgent): boolean {
  return hooks !== undefined || mcpServers !== undefined
}

/** The tools that change files, the plainest first; in plan mode nothing is changed. */
function writerOf({ definition, views }: ResolvedAgent): string | undefined {
  if (definition.permissionMode?.value === 'plan') return undefined
  return ['Write', 'Edit', 'Bash'].find((tool) => views.sub.tools.includes(tool) || views.main.tools.includes(tool))
}

function found(root: MapNode, key: string, what: 'hook' | 'server', file: SourceFile, tool: string): Diagnostic[] {
  const value = entryOf(root, key)?.value
  return value ? commandsIn(value).flatMap((command) => programs(command, file, what, tool)) : []
}

/** The maps below a node that have a `command`, at any depth: flat and nested hooks, servers in a list and in a map. */
function commandsIn(node: Node): MapNode[] {
  if (node.kind === 'scalar') return []
  if (node.kind === 'list') return node.items.flatMap(commandsIn)
  const own = entryOf(node, 'command')?.value.kind === 'scalar' ? [node] : []
  return [...own, ...node.entries.flatMap(({ value }) => commandsIn(value))]
}

const INTERPRETER = /^(?:.*\/)?(?:ba|z|da)?sh$|^(?:.*\/)?(?:node|deno|bun|tsx|python[\d.]*|ruby|perl|php)$/

/** What a command runs: its first word, or the first operand of an interpreter. */
function programs(map: MapNode, file: SourceFile, what: 'hook' | 'server', tool: string): Diagnostic[] {
  const command = entryOf(map, 'command')!.value as ScalarNode
  const args = entryOf(map, 'args')?.value
  const words = [...wordsOf(command, file), ...(args?.kind === 'list' ? args.items.flatMap((item) => argument(item)) : [])]
  const first = words[0]
  const program = first && INTERPRETER.test(first.text) ? words.slice(1).find(({ text }) => !text.startsWith('-')) : first
  return program && isWritable(program.text) ? [say.writableCode(file, program.range, shownPath(program.text), what, tool)] : []
}

interface Word {
  text: string
  range: Range
}

function wordsOf(node: ScalarNode, file: SourceFile): Word[] {
  return [...String(node.value).matchAll(/[^\s;&|]+/g)].map(({ 0: word, index }) => ({
    text: word.replaceAll(/["']/g, ''),
    range: rangeWithin(node, file.text, index, index + word.length),
  }))
}

function argument(node: Node): Word[] {
  return node.kind === 'scalar' ? [{ text: String(node.value), range: node.range }] : []
}

const PROJECT = /^(?:\$CLAUDE_PROJECT_DIR|\$\{CLAUDE_PROJECT_DIR\})\//

/** A file below the project or in a folder for everyone. What lies below `.claude` or `.git` is protected, but for the notes of agents. */
function isWritable(word: string): boolean {
  if (/^\/(?:var\/)?tmp\//.test(word)) return true
  if (!PROJECT.test(word) && (/^[/~$]|:\/\//.test(word) || !word.includes('/'))) return false
  const path = shownPath(word)
  return path.startsWith('.claude/agent-memory') || !/^(?:\.claude|\.git|\.\.)\//.test(path)
}

function shownPath(word: string): string {
  return word.replace(PROJECT, '').replace(/^(?:\.\/)+/, '')
}
