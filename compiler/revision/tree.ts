import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { INSTRUCTIONS_LIMIT } from '../../schemas/values.ts'
import { blobsOf, entriesOf, git, type Repository, type TreeEntry } from './git.ts'
import { importedBy } from './imports.ts'
import { selectEntries } from './select.ts'

/**
 * Writes what a build can read of a commit into an empty folder, which then stands for the repository's root. Objects are read as they
 * are: attributes such as `export-ignore` cannot hide a file, and no filter runs. Files come first, links last, so that nothing is written
 * through a link. `hidden` is a folder of the root that belongs to another layer (a home folder that is a repository).
 */
export function writeTree(commit: string, folder: string, repository: Repository, hidden?: string): void {
  const all = entriesOf(commit, repository)
  const links = blobsOf(
    all.filter(({ kind, size }) => kind === 'link' && size < 4096),
    repository,
  )
  const targetOf = ({ id }: TreeEntry): string => links.get(id)?.toString('utf8') ?? ''
  const imported = importedBy(all, targetOf, (entries) => blobsOf(entries, repository))
  const chosen = selectEntries(all, targetOf, imported).filter(({ path }) => hidden === undefined || !`${path}/`.startsWith(`${hidden}/`))
  // A file that is too large for whatever it is is refused by the build wherever it is found, so only its length matters.
  const files = chosen.filter(({ kind, size }) => kind !== 'link' && size <= INSTRUCTIONS_LIMIT)
  const blobs = blobsOf(files, repository)
  for (const entry of files) writeEntry(entry, asCheckedOut(blobs.get(entry.id), join(repository.root, entry.path)), folder)
  for (const { path } of chosen.filter(({ kind, size }) => kind !== 'link' && size > INSTRUCTIONS_LIMIT))
    put(folder, path, Buffer.alloc(INSTRUCTIONS_LIMIT + 1, 32))
  for (const entry of chosen) if (entry.kind === 'link') writeLink(entry.path, targetOf(entry), folder, repository.root)
  writeMark(folder, repository.root)
  mkdirSync(join(folder, repository.prefix), { recursive: true })
}

function writeEntry({ path, kind }: TreeEntry, bytes: Buffer | undefined, folder: string): void {
  if (bytes === undefined) return
  if (put(folder, path, bytes) && kind === 'program') chmodSync(join(folder, path), 0o755)
}

/** A checkout may have other line ends than the commit (`eol`, `autocrlf`): a file that differs in nothing else is taken as it is there. */
function asCheckedOut(blob: Buffer | undefined, file: string): Buffer | undefined {
  const stat = blob && lstatSync(file, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size <= blob!.length || stat.size > 2 * blob!.length) return blob
  const bytes = readFileSync(file)
  return bytes.toString('latin1').replaceAll('\r\n', '\n') === blob!.toString('latin1') ? bytes : blob
}

/** Two entries of a hostile or foreign commit may claim one place, or be one name on this disk; the first keeps it. */
function put(folder: string, path: string, bytes: Buffer | string): boolean {
  try {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes, { flag: 'wx' })
    return true
  } catch (error) {
    return refusal(error)
  }
}

function refusal(error: unknown): false {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ENAMETOOLONG' || code === 'EPERM' || code === 'ENOENT')
    return false
  throw error
}

/** A link that leads inside the repository leads inside the copy; one that leads outside still leads to the same place. */
function writeLink(path: string, target: string, folder: string, root: string): void {
  const at = isAbsolute(target) ? target : resolve(root, posix.dirname(path), target)
  const inside = relative(root, at)
  const isInside = inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
  const text = isInside && isAbsolute(target) ? join(folder, inside) : isInside ? target : at
  try {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(text, join(folder, path))
  } catch (error) {
    refusal(error)
  }
}

/** Marks the root as git does: a linked worktree stays one, because the build then looks into its main checkout too (M4). */
function writeMark(folder: string, root: string): void {
  const mark = join(root, '.git')
  if (!statSync(mark, { throwIfNoEntry: false })?.isFile()) return void mkdirSync(join(folder, '.git'))
  const gitDir = /^gitdir:[ \t]*([^\r\n]+)/.exec(readFileSync(mark, 'utf8'))?.[1]?.trimEnd()
  put(folder, '.git', gitDir === undefined ? '' : `gitdir: ${resolve(root, gitDir)}\n`)
}

/** Files that belong to one checkout, by their place in a folder of the project. */
const LOCAL = ['.claude/settings.local.json', 'CLAUDE.local.md']

/**
 * Files that belong to this checkout and no revision, in each folder from the root to the working directory, unless git tracks them. They
 * are the same on both sides; one that is tracked is compared like every other file.
 */
export function copyLocalFiles(folder: string, repository: Repository): void {
  const { root, prefix, env } = repository
  const parts = prefix.split('/').filter(Boolean)
  const folders = [...parts.keys(), parts.length].map((length) => posix.join(...parts.slice(0, length)))
  const paths = folders.flatMap((inside) => LOCAL.map((name) => posix.join(inside, name)))
  const tracked = new Set(
    git(['ls-files', '-z', '--cached', '--full-name', '--', ...paths], root, env)
      .toString('utf8')
      .split('\0'),
  )
  for (const path of paths.filter((path) => !tracked.has(path))) copyFile(join(root, path), folder, path)
}

/** Copies a file of this disk to its place in the copy, if it is a regular file there. */
export function copyFile(from: string, folder: string, path: string): void {
  if (statSync(from, { throwIfNoEntry: false })?.isFile()) put(folder, path, readFileSync(from))
}
