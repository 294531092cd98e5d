import { basename, dirname, join, resolve } from 'node:path'
import { faultOf } from './file-system.ts'
import { look, noteFile, type Search } from './search.ts'

const SMALL = 65_536

/**
 * In: the root of a checkout whose `.git` is a file. Out: the folder of the main checkout it is linked to, if it is a
 * linked worktree: `.git` says `gitdir: <main>/.git/worktrees/<name>`, and `commondir` in there leads to `<main>/.git`.
 * Submodules, separate and bare repositories have no main checkout. No git is started; the files may say anything (M4).
 */
export function mainCheckout(root: string, search: Search): string | undefined {
  const link = /^gitdir:[ \t]*([^\r\n]+)/.exec(smallText(join(root, '.git'), search) ?? '')
  if (!link) return undefined
  const gitDir = resolve(root, link[1]!.trimEnd())
  if (basename(dirname(gitDir)) !== 'worktrees') return undefined
  const common = smallText(join(gitDir, 'commondir'), search)?.trim()
  if (!common) return undefined
  const commonDir = resolve(gitDir, common)
  if (basename(commonDir) !== '.git' || isBare(commonDir, search)) return undefined
  return dirname(commonDir)
}

function isBare(commonDir: string, search: Search): boolean {
  return /^[ \t]*bare[ \t]*=[ \t]*true\b/im.test(smallText(join(commonDir, 'config'), search) ?? '')
}

/** The text of one of git's small files; nothing if it is not a readable regular file. */
function smallText(path: string, search: Search): string | undefined {
  const stat = look(search, path)
  if (typeof stat !== 'object' || stat.kind !== 'file') return undefined
  try {
    const bytes = search.fs.read(path, stat.size, SMALL)
    noteFile(search, path, stat, bytes)
    return Buffer.from(bytes).toString('utf8')
  } catch (error) {
    faultOf(error)
    return undefined
  }
}
