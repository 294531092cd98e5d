import { AGENTC } from '../../schemas/profile.ts'
import type { Match } from '../../schemas/shapes/permission.ts'

/** The list a rule stands in. A rule that restricts reaches a little further than one that allows. */
export type RuleList = 'allow' | 'ask' | 'deny'

/** Tools whose specifier is a path pattern (claude-code-agents.md 5.4). Only rules for Read and Edit are consulted by Claude Code. */
const PATH_TOOLS = new Set(['Read', 'Edit', 'Write', 'NotebookEdit', 'MultiEdit', 'Glob', 'Grep'])
const NAME_TOOLS = new Set(['Agent', 'Skill'])
const COMMAND_TOOLS = new Set(['Bash', 'PowerShell'])

/** What kind of specifier a tool takes beside parameters; nothing for a tool that is named without brackets only. */
export function specifierKind(tool: string): 'command' | 'path' | 'name' | 'domain' | undefined {
  if (COMMAND_TOOLS.has(tool)) return 'command'
  if (PATH_TOOLS.has(tool)) return 'path'
  if (NAME_TOOLS.has(tool)) return 'name'
  return tool === 'WebFetch' ? 'domain' : undefined
}

/**
 * Parses what stands in the brackets of `Tool(specifier)` (claude-code-agents.md 5.1 to 5.5), so that the runner never sees it as text.
 * A specifier of a tool that takes none is kept as `exact`; nothing decides such a rule, and what cannot be decided is refused.
 */
export function parseSpecifier(tool: string, text: string, list: RuleList = 'allow'): Match {
  const kind = specifierKind(tool)
  const parameter = list === 'allow' ? undefined : parameterOf(tool, text)
  if (parameter) return parameter
  if (kind === 'command') return command(text, list)
  if (kind === 'path') return path(text, list)
  if (kind === 'name') return name(text)
  const [, key, value] = /^(\w+)\s*:\s*(.+)$/s.exec(text) ?? []
  if (key === undefined || value === undefined) return { exact: text }
  if (kind === 'domain' && key === 'domain') return { domain: value.toLowerCase().replace(/\.$/, '') }
  return { param: key, value }
}

/** Parameters that a rule cannot ask about, because the tool's own form of rule does (claude-code-agents.md 5.1). */
export const PRIMARY: ReadonlySet<string> = new Set(['command', 'file_path', 'path', 'notebook_path', 'url'])

/**
 * `param:value`, if the tool has such a parameter: `Agent(model:opus)`, `Bash(run_in_background:true)`. Blanks around the colon do not
 * count. `timeout:*` after Bash is the command `timeout`, as every `:*` at the end of a command.
 */
export function parameterOf(tool: string, text: string): { param: string; value: string } | undefined {
  const [, param, value] = /^([\w-]+)\s*:\s*(.+)$/s.exec(text) ?? []
  if (param === undefined || value === undefined || (COMMAND_TOOLS.has(tool) && value === '*')) return undefined
  const schema = AGENTC.byName.get(tool)?.inputSchema as { properties?: Record<string, unknown> } | undefined
  return Object.hasOwn(schema?.properties ?? {}, param) ? { param, value: value.trim() } : undefined
}

/**
 * `git status:*` and `git status *` are a prefix of words, other stars a wildcard, anything else the exact command. A star before a
 * closing `:*` makes a wildcard of the whole; a restricting one reaches over the end of the word.
 */
function command(text: string, list: RuleList): Match {
  const prefix = /^([^*]+?)(?::\*|[ \t]+\*)$/.exec(text)
  if (prefix) return { prefix: prefix[1]!.trim().split(/\s+/) }
  if (text.endsWith(':*')) return { wildcard: `${text.slice(0, -2)}${list === 'allow' ? ' *' : '*'}` }
  return text.includes('*') ? { wildcard: text } : { exact: text }
}

/**
 * The four anchors. A leading `/` is kept: with it a pattern counts from its anchor, without it and without another slash at any depth.
 * `src/**` of a rule that restricts counts at any depth below the working directory, of one that allows only there (5.4).
 */
function path(text: string, list: RuleList): Match {
  if (text.startsWith('//')) return { path: text.slice(1), anchor: 'root' }
  if (/^~(?:\/|$)/.test(text)) return { path: text.slice(1) || '/', anchor: 'home' }
  if (text.startsWith('/')) return { path: text, anchor: 'source' }
  const plain = text.replace(/^(?:\.\/+)+/, '')
  return { path: list !== 'allow' && /^[^/]+\/\*\*$/.test(plain) ? `**/${plain}` : plain, anchor: 'cwd' }
}

/** `review:*` is all of a prefix, `review *` is the skill with any arguments, and a rule of the tool `Skill` may write the slash. */
function name(text: string): Match {
  const plain = text.replace(/^\//, '').replace(/ \*$/, '')
  return plain.endsWith('*') ? { namePrefix: plain.slice(0, -1) } : { name: plain.normalize('NFC') }
}
