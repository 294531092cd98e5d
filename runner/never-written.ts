import { relative } from 'node:path'
import { slashed } from './workspace.ts'

/** Characters that some file systems pass over and no reader sees. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g

/** Patterns for others to fill in; they hold no secrets. */
const TEMPLATES = new Set(['.env.example', '.env.sample', '.env.template', '.env.dist', '.env.defaults'])

/**
 * Why no tool may write this file, whatever the rules say (M18): git's own files, agentc's own, and files of secrets.
 * Other places that are protected (settings, hooks of the shell) a person can allow; these not. Names are compared as a file system
 * that folds case does, and in both ways to the file: the one that was given and the one without links.
 */
export function neverWritten(root: string, ...paths: string[]): string | undefined {
  for (const path of paths) {
    const parts = slashed(relative(root, path)).replace(INVISIBLE, '').toLowerCase().split('/')
    if (parts.some((part) => part === '.git' || part === 'git~1')) return 'it belongs to git'
    if (parts.includes('.agentc')) return 'it belongs to agentc'
    const name = parts.at(-1)!
    if ((name === '.env' || name.startsWith('.env.')) && !TEMPLATES.has(name)) return 'it is a file of secrets'
  }
  return undefined
}
