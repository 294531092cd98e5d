import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

const SMALL = 65_536

/**
 * The main checkout that a linked worktree belongs to; `undefined` for any other folder, and for worktrees of bare repositories. As for the
 * sources (M4): `.git` says `gitdir: <main>/.git/worktrees/<name>`, `commondir` in there leads to `<main>/.git`, and no git is started.
 */
export async function mainCheckout(root: string): Promise<string | undefined> {
  const link = /^gitdir:[ \t]*([^\r\n]+)/.exec(await smallText(join(root, '.git')))
  if (!link) return undefined
  const gitDir = resolve(root, link[1]!.trimEnd())
  if (basename(dirname(gitDir)) !== 'worktrees') return undefined
  const common = (await smallText(join(gitDir, 'commondir'))).trim()
  if (common === '' || basename(resolve(gitDir, common)) !== '.git') return undefined
  const bare = /^[ \t]*bare[ \t]*=[ \t]*true\b/im.test(await smallText(join(resolve(gitDir, common), 'config')))
  return bare ? undefined : dirname(resolve(gitDir, common))
}

/** One of git's small files; `''` for anything that is no readable regular file. */
async function smallText(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined)
  if (!file) return ''
  try {
    if (!(await file.stat()).isFile()) return ''
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SMALL), 0, SMALL, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
