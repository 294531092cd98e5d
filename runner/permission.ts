import { dirname, join, relative } from 'node:path'
import type { Rule } from '../schemas/shapes/permission.ts'
import { rulePattern } from './path-pattern.ts'
import { isInside, slashed, type Workspace } from './workspace.ts'

/** A file that a call is about: `path` as it was given, made absolute, and `real` with all links followed. */
export interface AskedFile {
  path: string
  real: string
}

/** A call as the rules see it. A search names no files; its path rules are applied to every file that it finds. */
export interface Asked {
  tool: string
  input: Readonly<Record<string, unknown>>
  files: readonly AskedFile[]
  search: boolean
}

/** The rules in force for one agent. */
export interface Rights {
  limits: readonly Rule[]
  deny: readonly Rule[]
  ask: readonly Rule[]
  workspace: Workspace
}

export type Decision = { allow: true } | { allow: false; reason: string }
export type Decide = (asked: Asked, rights: Rights) => Decision

type Verdict = boolean | 'undecided'

/**
 * Decides a call, without asking the disk: deny rules, then rules that ask a person (nobody can be asked yet, so they deny),
 * then the agent's own limits, of which one must match. A rule that cannot be decided counts against the call.
 */
export const decide: Decide = (asked, rights) => {
  for (const rule of rights.deny) {
    if (!covers(rule, asked.tool)) continue
    const verdict = match(rule, asked, rights.workspace, 'any')
    if (verdict === true) return no(`denied by the rule ${written(rule)}`)
    if (verdict === 'undecided') return no(`the deny rule ${written(rule)} cannot be decided for this call`)
  }
  for (const rule of rights.ask) {
    if (!covers(rule, asked.tool) || match(rule, asked, rights.workspace, 'any') === false) continue
    return no(`the rule ${written(rule)} wants a person to be asked, and nobody can be asked here`)
  }
  return limited(asked, rights)
}

function limited(asked: Asked, rights: Rights): Decision {
  const own = rights.limits.filter((rule) => rule.tool === asked.tool)
  const limits = own.length > 0 ? own : rights.limits.filter((rule) => covers(rule, asked.tool))
  if (limits.length === 0 || limits.some((rule) => match(rule, asked, rights.workspace, 'all') === true)) return { allow: true }
  return no(`the agent may use ${asked.tool} only within ${limits.map(written).join(', ')}`)
}

/** The same decision for a file that a search has found. */
export function mayShow(asked: Asked, file: AskedFile, rights: Rights, choose: Decide): boolean {
  return choose({ ...asked, files: [file], search: false }, rights).allow
}

/** Whether any rule may keep files from a search. */
export function hides(tool: string, rights: Rights): boolean {
  return [...rights.deny, ...rights.ask, ...rights.limits].some((rule) => covers(rule, tool))
}

/** Rules for Read are about Grep and Glob too: these show what is in files. */
function covers(rule: Rule, tool: string): boolean {
  if (rule.tool === tool || (rule.tool === 'Read' && (tool === 'Grep' || tool === 'Glob'))) return true
  return rule.tool.includes('*') && wildcard(rule.tool, tool)
}

/** `any`: one file is enough, by its path or by where it really is. `all`: every file must match in both ways. */
function match(rule: Rule, asked: Asked, workspace: Workspace, how: 'any' | 'all'): Verdict {
  if (!rule.match) return true
  if ('param' in rule.match) {
    const value = asked.input[rule.match.param]
    return value !== undefined && typeof value !== 'object' && wildcard(rule.match.value, String(value))
  }
  if (!('path' in rule.match)) return 'undecided'
  const anchor = anchorOf(rule, rule.match.anchor, workspace)
  const pattern = rulePattern(rule.match.path)
  if (anchor === undefined || pattern === undefined) return 'undecided'
  if (asked.search) return how === 'all'
  const fits = (path: string) => isInside(anchor, path) && pattern(slashed(relative(anchor, path)) || '.')
  const both = asked.files.map((file) => [fits(file.path), fits(file.real)] as const)
  if (how === 'any') return both.some(([path, real]) => path || real)
  return both.length > 0 && both.every(([path, real]) => path && real)
}

/** The folder that a pattern counts from; `undefined` when this program cannot know it. */
function anchorOf(rule: Rule, anchor: 'root' | 'home' | 'source' | 'cwd', workspace: Workspace): string | undefined {
  if (anchor === 'root') return '/'
  if (anchor === 'home') return workspace.home
  if (anchor === 'cwd' || rule.origin?.source === 'flag') return workspace.cwd
  if (rule.origin?.source === 'user') return workspace.config
  if (rule.origin?.source !== 'project') return undefined
  const folder = dirname(rule.origin.path).split('/')
  const claude = folder.indexOf('.claude')
  return join(workspace.root, ...(claude < 0 ? folder : folder.slice(0, claude)))
}

function wildcard(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value)
}

const ANCHORS = { root: '//', home: '~/', source: '/', cwd: '' } as const

/** A rule with the place where it is written: `Read(secret/**) (.claude/settings.json:3)`. */
export function written(rule: Rule): string {
  const { origin } = rule
  return `${rule.tool}${specifier(rule)} (${origin ? `${origin.path}:${origin.line}` : 'the manifest does not say where it is written'})`
}

function specifier({ match: at }: Rule): string {
  if (!at) return ''
  if ('path' in at) return `(${ANCHORS[at.anchor]}${at.path.replace(/^\/+/, '')})`
  if ('param' in at) return `(${at.param}:${at.value})`
  if ('prefix' in at) return `(${at.prefix.join(' ')}:*)`
  if ('domain' in at) return `(domain:${at.domain})`
  return `(${'namePrefix' in at ? `${at.namePrefix}*` : Object.values(at)[0]})`
}

function no(reason: string): Decision {
  return { allow: false, reason }
}
