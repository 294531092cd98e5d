/** Characters that some file systems pass over and no reader sees. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g

/** Patterns for others to fill in; they hold no secrets. */
const TEMPLATES = new Set(['.env.example', '.env.sample', '.env.template', '.env.dist', '.env.defaults'])

/**
 * Why a file is nobody's to touch or to pass on: git's own files, agentc's own, and files of secrets. In: a path written with `/`. Names are
 * compared as a file system that folds case does.
 */
export function protectedPath(path: string): string | undefined {
  const parts = path.replace(INVISIBLE, '').toLowerCase().split('/')
  if (parts.some((part) => part === '.git' || part === 'git~1')) return 'it belongs to git'
  if (parts.includes('.agentc')) return 'it belongs to agentc'
  const name = parts.at(-1)!
  return (name === '.env' || name.startsWith('.env.')) && !TEMPLATES.has(name) ? 'it is a file of secrets' : undefined
}
