import { readdir, readlink } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { absolutePath, realPathOf, type Workspace } from '../workspace.ts'
import type { AskedFile, ShellCall, ShellFile } from './asked.ts'
import { type Access, type ShellLine, withInner } from './shell/command.ts'
import { HOLE, type Word } from './shell/word.ts'

/** Files of a folder that are looked at before a call is given up as too wide to judge. */
const MOST_FILES = 5000
const MOST_FOLDERS = 8
const MOST_LINKS = 40

/** Such a line may write a protected file, so it is never run unasked. */
export const UNKNOWN_TARGET = 'which file it writes is known only when it runs'

/** Devices that hold nothing of anybody. */
const HARMLESS = /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err))$/

/**
 * A path of a tool's input with all links followed, wherever it leads: whether it lies outside is for the rules. `undefined` for one that
 * is no path. A link that leads to nothing yet counts as what it would create.
 */
export async function lookUp(workspace: Workspace, given: string, folder = workspace.cwd): Promise<AskedFile | undefined> {
  const path = absolutePath(workspace, given, folder)
  if (path === undefined) return undefined
  return { path, real: await realOf(path, MOST_LINKS) }
}

async function realOf(path: string, links: number): Promise<string> {
  const there = realPathOf(path)
  if (there !== undefined) return there
  const target = links > 0 ? await readlink(path).catch(() => undefined) : undefined
  if (target !== undefined) return realOf(resolve(dirname(path), target), links - 1)
  const folder = dirname(path)
  return folder === path ? path : join(await realOf(folder, links), relative(folder, path))
}

/**
 * Looks up the files of a command line, before anything is decided. Patterns become the files they name now, and where `deep`, a folder
 * that is read as a whole becomes all of its files, because a rule may hide one of them.
 */
export async function lookUpLine(line: ShellLine, workspace: Workspace, deep: boolean): Promise<ShellCall> {
  const files: ShellFile[] = []
  const unsure: string[] = []
  const folders = await foldersOf(line, workspace, unsure)
  const commands = line.commands.flatMap(withInner)
  const all = [
    ...line.redirects.map((access) => ({ access, redirect: true, command: -1 })),
    ...commands.flatMap(({ accesses }, command) => accesses.map((access) => ({ access, redirect: false, command }))),
  ]
  for (const { access, redirect, command } of all) {
    const { how, guessed } = access
    for (const folder of folders) {
      for (const found of await filesOf(access, folder, workspace, deep, unsure)) files.push({ ...found, how, guessed, redirect, command })
    }
  }
  return { line, files, unsure: [...new Set(unsure)] }
}

/** Where the line's relative paths may count from: the working directory, and every folder that it changes to. */
async function foldersOf(line: ShellLine, workspace: Workspace, unsure: string[]): Promise<string[]> {
  const folders = [workspace.cwd]
  for (const word of line.folders) {
    if (word.text.includes(HOLE) || word.glob) unsure.push('it changes to a folder that is known only when it runs')
    else
      folders.push(...(await Promise.all(folders.map(async (folder) => (await lookUp(workspace, textOf(word), folder))?.path ?? folder))))
    if (folders.length > MOST_FOLDERS) unsure.push('it changes folders too often')
  }
  return [...new Set(folders)].slice(0, MOST_FOLDERS)
}

/** Only an unquoted tilde is the home folder. */
function textOf({ text, tilde }: Word): string {
  return text.startsWith('~') && !tilde ? `./${text}` : text
}

async function filesOf(access: Access, folder: string, workspace: Workspace, deep: boolean, unsure: string[]): Promise<AskedFile[]> {
  const { path: word, how, guessed } = access
  if (word.text.includes(HOLE)) {
    if (how !== 'list') unsure.push(how === 'write' ? UNKNOWN_TARGET : 'which file it reads is known only when it runs')
    return []
  }
  if (HARMLESS.test(word.text)) return []
  if (/^\/(?:dev\/fd|proc\/[^/]+\/(?:fd|task|map_files|environ|mem))(?:\/|$)/.test(word.text))
    unsure.push('it opens a file by its descriptor')
  const named = word.glob ? await expanded(textOf(word), folder, workspace, unsure) : []
  const given = [...named, textOf(word)]
  const found = (await Promise.all(given.map((path) => lookUp(workspace, path, folder)))).filter((file) => file !== undefined)
  const kept = guessed ? found.filter((file) => file.path.length < 4096) : found
  return access.tree && deep ? [...kept, ...(await below(kept, unsure))] : kept
}

/** The files that a pattern names, hidden ones included: the shell may be told to include them. */
async function expanded(pattern: string, folder: string, workspace: Workspace, unsure: string[]): Promise<string[]> {
  const own = pattern.replace(/^~(?=\/|$)/, workspace.home ?? '~')
  let found = [own.startsWith('/') ? '/' : folder]
  for (const part of own.split('/').filter((item) => item !== '' && item !== '.')) {
    const next = await Promise.all(found.map((at) => matching(at, part)))
    found = next.flat()
    if (found.length > MOST_FILES) {
      unsure.push('a pattern in it names too many files')
      return found.slice(0, MOST_FILES)
    }
  }
  return found
}

async function matching(folder: string, part: string): Promise<string[]> {
  if (!/[*?[]/.test(part)) return [join(folder, part)]
  const source = part.replace(/\[[^\]]*\]|[.+^${}()|[\]\\]|\*+|\?/g, (sign) =>
    sign.startsWith('*') ? '.*' : sign === '?' || /^\[.+\]$/.test(sign) ? '.' : `\\${sign}`,
  )
  const pattern = new RegExp(`^${source}$`, 's')
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => pattern.test(name)).map((name) => join(folder, name))
}

async function below(files: readonly AskedFile[], unsure: string[]): Promise<AskedFile[]> {
  const found: AskedFile[] = []
  const waiting = [...files]
  for (let at = waiting.shift(); at; at = waiting.shift()) {
    const entries = await readdir(at.real, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(at.path, entry.name)
      const real = join(at.real, entry.name)
      if (entry.isDirectory()) waiting.push({ path, real })
      found.push({ path, real: entry.isSymbolicLink() ? await realOf(real, MOST_LINKS) : real })
    }
    if (found.length > MOST_FILES) {
      unsure.push('it reads more files than can be looked at')
      break
    }
  }
  return found
}
