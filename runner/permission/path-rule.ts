import { dirname, join, sep } from 'node:path'
import type { Rule } from '../../schemas/shapes/permission.ts'
import { rulePattern } from '../path-pattern.ts'
import { slashed, type Workspace } from '../workspace.ts'
import type { AskedFile } from './asked.ts'

/** Whether a path is one that a rule is about; `undefined` when this program cannot know it. */
type Fits = (path: string) => boolean

/** Patterns are made once for a rule and a workspace: a run asks thousands of times. */
const compiled = new WeakMap<Workspace, WeakMap<Rule, Fits | 'undecided'>>()

/**
 * Path rules, in the manner of .gitignore (claude-code-agents.md 5.4). `any`: one of a file's two paths is enough, the one that was given
 * or the one behind all links. `all`: both must fit. The first is for rules that restrict, the second for those that allow.
 */
export function pathFits(rule: Rule, file: AskedFile, workspace: Workspace, how: 'any' | 'all'): boolean | 'undecided' {
  const fits = compiledRule(rule, workspace)
  if (fits === 'undecided') return 'undecided'
  return how === 'any' ? fits(file.path) || fits(file.real) : fits(file.path) && fits(file.real)
}

function compiledRule(rule: Rule, workspace: Workspace): Fits | 'undecided' {
  let rules = compiled.get(workspace)
  if (!rules) compiled.set(workspace, (rules = new WeakMap()))
  let fits = rules.get(rule)
  if (!fits) rules.set(rule, (fits = compile(rule, workspace)))
  return fits
}

/** Where a file system does not tell upper case from lower case, its paths must come in as the disk has them: `realpath` does that. */
function compile(rule: Rule, workspace: Workspace): Fits | 'undecided' {
  if (!rule.match || !('path' in rule.match)) return 'undecided'
  const anchor = anchorOf(rule, rule.match.anchor, workspace)
  const pattern = rulePattern(rule.match.path)
  if (anchor === undefined || pattern === undefined) return 'undecided'
  const start = anchor.endsWith(sep) ? anchor : `${anchor}${sep}`
  return (path) => (path === anchor ? pattern('.') : path.startsWith(start) && pattern(slashed(path.slice(start.length))))
}

/** The folder that a pattern counts from; `undefined` when this program cannot know it. */
export function anchorOf(rule: Rule, anchor: 'root' | 'home' | 'source' | 'cwd', workspace: Workspace): string | undefined {
  if (anchor === 'root') return '/'
  if (anchor === 'home') return workspace.home
  if (anchor === 'cwd') return workspace.cwd
  if (rule.origin?.source === 'flag') return ofFlag(rule.origin.path, workspace)
  if (rule.origin?.source === 'user') return workspace.config
  if (rule.origin?.source !== 'project') return undefined
  const folder = dirname(rule.origin.path).split('/')
  const claude = folder.indexOf('.claude')
  return join(workspace.root, ...(claude < 0 ? folder : folder.slice(0, claude)))
}

/** A value of the command line counts from the working directory, a file named there from its folder, which outside is not known. */
function ofFlag(path: string, workspace: Workspace): string | undefined {
  if (path.startsWith('--')) return workspace.cwd
  return path.startsWith('<outside>') ? undefined : join(workspace.root, dirname(path))
}
