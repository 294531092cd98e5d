import { urlOf } from '../../schemas/url.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import type { Asked } from './asked.ts'
import { starFits } from '../../schemas/star.ts'

export const READS: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob'])
export const WRITES: ReadonlySet<string> = new Set(['Edit', 'Write', 'NotebookEdit', 'MultiEdit'])

/** Whether a rule is about a tool by its name: rules for Read are about Grep and Glob, rules for Edit about every tool that writes (5.4). */
export function covers(rule: Rule, tool: string): boolean {
  if (rule.tool === tool) return true
  if (rule.tool === 'Read' && READS.has(tool)) return true
  if (rule.tool === 'Edit' && WRITES.has(tool)) return true
  return rule.tool.includes('*') && starFits(rule.tool, tool)
}

/** A deny rule that hides a file keeps it from being changed as well, but for notebooks (5.4). */
export function coversDenied(rule: Rule, tool: string): boolean {
  return covers(rule, tool) || (rule.tool === 'Read' && rule.match !== undefined && WRITES.has(tool) && tool !== 'NotebookEdit')
}

/** Who may change a file may read it (5.4). */
export function coversAllowed(rule: Rule, tool: string): boolean {
  return covers(rule, tool) || (rule.tool === 'Edit' && READS.has(tool))
}

/** Rules about a host, a name or a parameter; `undefined` for a match that a call of this tool cannot be compared with. */
export function namedMatch({ match, tool }: Rule, asked: Asked): boolean | undefined {
  if (!match) return true
  if ('param' in match) return parameter(asked.input[match.param], match.value)
  if ('domain' in match) return domain(match.domain, asked.input.url)
  if ('name' in match || 'namePrefix' in match) {
    const name = nameOf(tool, asked.input)
    if (name === undefined) return false
    return 'name' in match ? name === match.name : name.startsWith(match.namePrefix)
  }
  return undefined
}

/** A parameter that is left out never matches (5.1). */
function parameter(value: unknown, pattern: string): boolean {
  return value !== undefined && typeof value !== 'object' && starFits(pattern, String(value))
}

/** The name of the skill or the agent that a call is about, as rules are compared with it. */
export function nameOf(tool: string, input: Asked['input']): string | undefined {
  return skillName(tool === 'Skill' ? input.skill : (input.subagent_type ?? 'general-purpose'))
}

/** The name in a call, as rules are compared with it. Whoever acts on the call has to take it the same way. */
export function skillName(given: unknown): string | undefined {
  return typeof given === 'string' ? given.replace(/^\//, '').normalize('NFC') : undefined
}

/** `*.example.com` is about sub-domains only; another star stays within one label (5.5). */
function domain(pattern: string, url: unknown): boolean {
  const host = hostOf(url)
  if (host === undefined) return false
  if (pattern === '*') return true
  if (pattern.startsWith('*.')) return host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1
  const [wanted, given] = [pattern.split('.'), host.split('.')]
  return wanted.length === given.length && wanted.every((label, at) => starFits(label, given[at]!))
}

/** The host of an address, as rules are compared with it. */
export function hostOf(url: unknown): string | undefined {
  const parsed = typeof url === 'string' ? urlOf(url) : undefined
  return parsed && plainHost(parsed.hostname)
}

/** Without the dot at the end, which changes nothing. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}
