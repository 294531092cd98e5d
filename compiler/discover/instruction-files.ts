import { basename, dirname, join } from 'node:path'
import type { Origin, Source } from '../../schemas/source.ts'
import { INSTRUCTIONS_LIMIT, type InstructionLevel, type InstructionMode } from '../../schemas/values.ts'
import { protectedPath } from '../../schemas/protected-path.ts'
import { brokenLink, notRegular, unreadable } from '../findings/file.ts'
import { aboveProject, linkOutside, linkProtected } from '../findings/instructions.ts'
import type { Found } from './found.ts'
import { filesIn, rootSpot } from './open.ts'
import type { DiscoverOptions } from './options.ts'
import { pathInside } from './path.ts'
import type { Project } from './project.ts'
import type { Root } from './root.ts'
import { firstVisit, hide, isLink, look, realOr, type Search } from './search.ts'
import { spotOrigin } from './spot.ts'
import { Visited } from './visited.ts'

/** A file with instructions, found and not yet read. */
export interface FoundInstructions {
  found: Found
  level: InstructionLevel
  /** Its path without links. */
  real: string
  /** Of a folder `rules`: it may have a frontmatter. */
  rule?: true
}

export interface InstructionFiles {
  /** In the order in which a model gets them. */
  files: FoundInstructions[]
  /** Each AGENTS.md that is there and is not read, because there is a CLAUDE.md. */
  unread: FoundInstructions[]
}

type Where = Pick<Project, 'root' | 'folders'>

/**
 * Finds CLAUDE.md and what belongs to it: of policy, of the user with `rules`, then of the project from its root down to the working
 * directory, in each folder the shared ones, `.claude/rules` and last CLAUDE.local.md (claude-code-agents.md 11.1). AGENTS.md stands in
 * where the project has no CLAUDE.md, or as the mode says. One physical file counts once, in its first place.
 */
export function findInstructions(options: DiscoverOptions, project: Where, mode: InstructionMode, search: Search): InstructionFiles {
  const { layers, managedDir, configDir } = options
  const policy = layers.includes('policy') ? fileAt(join(managedDir, 'CLAUDE.md'), rootOf('policy', managedDir), 'policy', search) : []
  if (mode === 'managed-only' || options.policyInstructionsOnly) return { files: policy, unread: [] }
  if (!layers.includes('user')) for (const name of ['CLAUDE.md', 'rules']) hide(search, join(configDir, name))
  const user = layers.includes('user') ? ofUser(configDir, search) : []
  const { files, unread } = ofProject(options, project, mode, search)
  return { files: [...policy, ...user, ...files], unread }
}

function rootOf(source: Source, base: string): Omit<Root, 'path'> {
  return { base, source, ...(source === 'project' && { closed: true as const }) }
}

function ofUser(configDir: string, search: Search): FoundInstructions[] {
  const root = rootOf('user', configDir)
  return [...fileAt(join(configDir, 'CLAUDE.md'), root, 'user', search), ...rulesIn(join(configDir, 'rules'), root, search)]
}

function ofProject(options: DiscoverOptions, project: Where, mode: InstructionMode, search: Search): InstructionFiles {
  const shared = options.layers.includes('project')
  // What a person keeps for one checkout goes into no manifest that is made without the person's own layer, to be committed.
  const withLocal = options.localSettings ?? (shared && options.layers.includes('user'))
  const root = rootOf('project', project.root)
  const at = (level: InstructionLevel, folder: string, ...names: string[]): FoundInstructions[] =>
    names.flatMap((name) => fileAt(join(folder, name), root, level, search))
  const folders = [...project.folders].reverse().map((folder) => ({
    folder,
    claude: shared ? at('project', folder, 'CLAUDE.md', join('.claude', 'CLAUDE.md')) : [],
    local: withLocal ? at('local', folder, 'CLAUDE.local.md') : [],
    rules: shared ? rulesIn(join(folder, '.claude', 'rules'), root, search) : [],
  }))
  if (shared) noteAbove(project.root, search)
  const taken = mode === 'claude-md-and-agents-md' || !folders.some(({ claude, local }) => claude.length > 0 || local.length > 0)
  const unread: FoundInstructions[] = []
  const files = folders.flatMap(({ folder, claude, local, rules }) => {
    const asked = shared && mode !== 'claude-md'
    const seen = taken ? search : { ...search, seen: new Visited(search.seen), diagnostics: [] }
    const agents = asked
      ? ['AGENTS.md', join('.claude', 'AGENTS.md')].flatMap((name) => fileAt(join(folder, name), root, 'project', seen))
      : []
    if (!taken) unread.push(...agents)
    return [...claude, ...rules, ...(taken ? agents : []), ...local]
  })
  return { files, unread }
}

/** One file that need not be there. */
function fileAt(path: string, of: Omit<Root, 'path'>, level: InstructionLevel, search: Search): FoundInstructions[] {
  const root: Root = { ...of, path }
  const stat = look(search, path)
  const origin = (real: string): Origin => spotOrigin(rootSpot(root, real, search), root)
  if (stat === undefined) {
    if (isLink(path, search)) search.diagnostics.push(brokenLink(origin(path)))
    return []
  }
  if (typeof stat === 'string' || stat.kind === 'folder') {
    search.diagnostics.push(unreadable(origin(path), typeof stat === 'string' ? stat : 'EISDIR'))
    return []
  }
  if (stat.kind === 'other') return (search.diagnostics.push(notRegular(origin(path))), [])
  const real = realOr(search, path)
  return taken({ found: { path, stat, origin: origin(real), limit: INSTRUCTIONS_LIMIT }, level, real }, root, search)
}

/** The Markdown files of a folder with rules, and of all folders below. */
function rulesIn(path: string, of: Omit<Root, 'path'>, search: Search): FoundInstructions[] {
  const root: Root = { ...of, path }
  const stat = look(search, path)
  if (typeof stat === 'object' && root.closed) {
    const real = realOr(search, path)
    if (pathInside(realOr(search, root.base), real) === undefined) {
      search.diagnostics.push(linkOutside(spotOrigin(rootSpot(root, real, search), root)))
      return []
    }
  }
  return filesIn(root, search).flatMap((found) => {
    const real = found.origin.link === undefined ? found.path : realOr(search, found.path)
    const level = root.source === 'user' ? 'user' : 'project'
    return isAllowed(found.origin, real, root, search) ? [{ found: { ...found, limit: INSTRUCTIONS_LIMIT }, level, real, rule: true }] : []
  })
}

function taken(file: FoundInstructions, root: Root, search: Search): FoundInstructions[] {
  const { found, real } = file
  return isAllowed(found.origin, real, root, search) && firstVisit(search, found.path, found.stat) ? [file] : []
}

/** A repository may not bring in what lies outside it by a link, and nobody what is git's or a secret; both are reported. */
function isAllowed(origin: Origin, real: string, { base, closed }: Root, search: Search): boolean {
  if (origin.link === undefined) return true
  const inside = pathInside(realOr(search, base), real)
  const reason = protectedPath(inside ?? real)
  if (closed && inside === undefined) search.diagnostics.push(linkOutside(origin))
  else if (reason !== undefined) search.diagnostics.push(linkProtected(origin, reason))
  else return true
  return false
}

/** Claude Code goes on to the root of the disk; what lies there is said, because it belongs to no project (design 7). */
function noteAbove(root: string, search: Search): void {
  let shown = '..'
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder), shown += '/..') {
    for (const name of ['CLAUDE.md', 'CLAUDE.local.md']) {
      const path = join(folder, name)
      const stat = look(search, path)
      const own = typeof stat === 'object' && stat.kind === 'file' && firstVisit(search, path, stat)
      if (own) search.diagnostics.push(aboveProject({ source: 'project', path: `${shown}/${basename(path)}` }))
    }
  }
}
