import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import * as say from '../findings/skill.ts'
import * as sayYaml from '../findings/yaml.ts'
import { divide, promptOf, type Division } from '../parse/fence.ts'
import type { Reading } from '../parse/frontmatter.ts'
import { repeatedKeys, type MapNode, type Node } from '../parse/node.ts'
import { readSubset } from '../parse/subset.ts'
import type { SourceFile } from '../source-file.ts'

/** A skill or command as text understood. */
export interface SkillDocument {
  file: SourceFile
  /** The frontmatter, with the place of every part of it; empty where there is none. */
  root: MapNode
  content: string
  diagnostics: Diagnostic[]
}

/** A file of which nothing can be told; its name is taken all the same. */
export interface LostSkill {
  file: SourceFile
  diagnostics: Diagnostic[]
}

/**
 * Reads a SKILL.md or a command. gray-matter divides it at the fence that `divide` found and hands the YAML to the reader of agent files,
 * so that skills and agents are read alike and positions come from the very reading whose values count. Nothing in the file is run.
 */
export async function readDocument(file: SourceFile): Promise<SkillDocument | LostSkill> {
  const division = divide(file.text)
  if (division.kind !== 'frontmatter') return withoutFrontmatter(file, division)
  const { yaml, bodyStart } = division
  const run = blankRun(file.text, yaml)
  if (run) return { file, diagnostics: [say.blankRun(file, run, wordFor(file))] }
  const reading = await yamlOf(file, yaml)
  const { readMatter } = await import('./matter.ts')
  const { content } = readMatter(file.text, file.text.slice(yaml[1], bodyStart), () => plain(reading.root) as object)
  return understood(file, reading, promptOf(content, 0))
}

/** gray-matter needs quadratic time for a run of blanks; no real frontmatter has a long one. */
function blankRun(text: string, [start, end]: Range): Range | undefined {
  const match = /\s{201}/.exec(text.slice(start, end))
  return match ? [start + match.index, start + match.index + match[0].length] : undefined
}

async function yamlOf(file: SourceFile, region: Range): Promise<Reading> {
  const quick = readSubset(file.text, region)
  return quick ? { root: quick, diagnostics: [] } : (await import('../parse/frontmatter.ts')).readFrontmatter(file, region)
}

function understood(file: SourceFile, { root, diagnostics }: Reading, content: string): SkillDocument | LostSkill {
  const fault = root ? undefined : diagnostics.find(({ severity }) => severity === 'error')
  const told = diagnostics.filter(({ severity }) => severity !== 'error')
  if (!root) return { file, diagnostics: fault ? [...told, say.unreadableFrontmatter(fault, wordFor(file))] : told }
  const repeated = repeatedKeys(root).map(({ key, keyRange, first }) => say.duplicateKey(file, keyRange, key, first))
  return { file, root, content, diagnostics: [...told, ...repeated] }
}

function withoutFrontmatter(file: SourceFile, division: Exclude<Division, { kind: 'frontmatter' }>): SkillDocument | LostSkill {
  if (division.kind === 'unclosed') {
    return { file, diagnostics: [say.unreadableFrontmatter(sayYaml.unclosed(file, division.open), wordFor(file))] }
  }
  if (division.kind === 'language') {
    return { file, diagnostics: [say.unreadableFrontmatter(sayYaml.language(file, division.open, division.language), wordFor(file))] }
  }
  const root: MapNode = { kind: 'map', entries: [], range: [0, 0] }
  const late = division.kind === 'late'
  const loud = file.kind === 'skill' || late
  const found = loud ? [say.noFrontmatter(file, late ? division.open : [0, 0], late)] : []
  return { file, root, content: promptOf(file.text, 0), diagnostics: found }
}

export function wordFor({ kind }: SourceFile): 'skill' | 'command' {
  return kind === 'command' ? 'command' : 'skill'
}

/** The values alone, in objects without a prototype: a key may be called `__proto__`. */
function plain(node: Node | undefined): unknown {
  if (!node) return {}
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plain)
  const object = Object.create(null) as Record<string, unknown>
  for (const { key, value } of node.entries) object[key] = plain(value)
  return object
}
