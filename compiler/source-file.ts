import type { Place } from '../schemas/diagnostic.ts'
import type { Origin, Range } from '../schemas/source.ts'
import { positionOf, type Position } from './position.ts'
import type { Secret } from './secret/patterns.ts'

/** A file as it was found: read, not yet understood. */
export interface SourceFile {
  kind: 'agent' | 'skill' | 'command' | 'settings' | 'servers' | 'hooks' | 'tool' | 'lock' | 'instructions'
  /** `markdown` has a frontmatter and a body; `json` is a value of `--agents`, many agents in one text; `typescript` is a tool. */
  form: 'markdown' | 'json' | 'typescript'
  origin: Origin
  text: string
  /** For plugin agents: what stands before the agent's name, `plugin` or `plugin:folder`. */
  namespace?: string
  /** Secrets that are hidden in `text`. */
  secrets?: readonly Secret[]
  /** SHA-256 of the file's bytes, `sha256:…`. */
  hash?: string
}

/** Whether a file was found in the same place and in the same way. */
export function sameOrigin(a: Origin, b: Origin): boolean {
  return a.path === b.path && a.source === b.source && a.plugin === b.plugin && a.link === b.link && a.checkout === b.checkout
}

/** The agents folder that a file belongs to, sub-folders not counted, as a key to compare. */
export function agentsFolderOf({ origin: { source, path, plugin, checkout } }: SourceFile): string {
  const inClaude = path.indexOf('.claude/agents/')
  return [source, plugin, checkout, path.slice(0, inClaude >= 0 ? inClaude : Math.max(path.indexOf('agents/'), 0))].join('\0')
}

/** The same folder as an origin, for findings about all agents in it. A value of `--agents` stands for itself. */
export function agentsFolder({ origin }: SourceFile): Origin {
  const { link: _, ...folder } = origin
  const end = /^(?:.*?\.claude\/agents(?=\/)|.*?\bagents(?=\/))/.exec(origin.path)?.[0]
  return { ...folder, path: end ?? origin.path }
}

/** A place in a file, as findings and provenance use it. */
export function placeIn(file: SourceFile, range: Range): Place {
  return { origin: file.origin, text: file.text, range }
}

/** Where a part of a file begins, as people count it and the manifest holds it. */
export function originAt(file: SourceFile, range: Range): Origin & Position {
  return { ...file.origin, ...positionOf(file.text, range[0]) }
}
