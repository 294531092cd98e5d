import type { Match } from '../../schemas/shapes/permission.ts'

/** Tools whose specifier is a path pattern (claude-code-agents.md 5.4); the others of the file tools are judged as Read or Edit. */
const PATH_TOOLS = new Set(['Read', 'Edit', 'Write', 'NotebookEdit', 'Glob', 'Grep'])
const NAME_TOOLS = new Set(['Agent', 'Skill'])

/**
 * Parses what stands in the brackets of `Tool(specifier)` (claude-code-agents.md 5.1 to 5.5), so that the runner never sees it as text.
 * A specifier of a tool that takes none is kept as `exact`; nothing decides such a rule, and what cannot be decided is refused.
 */
export function parseSpecifier(tool: string, text: string): Match {
  if (tool === 'Bash') return command(text)
  if (PATH_TOOLS.has(tool)) return path(text)
  if (NAME_TOOLS.has(tool)) return name(text)
  const parameter = /^(\w+)\s*:\s*(.+)$/.exec(text)
  if (tool === 'WebFetch' && parameter?.[1] === 'domain') return { domain: parameter[2]!.toLowerCase().replace(/\.$/, '') }
  return parameter ? { param: parameter[1]!, value: parameter[2]! } : { exact: text }
}

/** `git status:*` and `git status *` are a prefix of words, other stars a wildcard, anything else the exact command. */
function command(text: string): Match {
  const prefix = /^([^*]+?)(?::\*|[ \t]+\*)$/.exec(text)
  if (prefix) return { prefix: prefix[1]!.trim().split(/\s+/) }
  return text.includes('*') ? { wildcard: text } : { exact: text }
}

function path(text: string): Match {
  if (text.startsWith('//')) return { path: text.slice(1), anchor: 'root' }
  if (text.startsWith('~/')) return { path: text.slice(2), anchor: 'home' }
  if (text.startsWith('/')) return { path: text.slice(1), anchor: 'source' }
  return { path: text.replace(/^\.\//, ''), anchor: 'cwd' }
}

function name(text: string): Match {
  return text.endsWith(':*') ? { namePrefix: text.slice(0, -1) } : text.endsWith(' *') ? { namePrefix: text.slice(0, -2) } : { name: text }
}
