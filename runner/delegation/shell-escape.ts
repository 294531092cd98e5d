import type { Asked, AskedFile, ShellCall } from '../permission/asked.ts'
import { UNKNOWN_TARGET } from '../permission/lookup.ts'
import { onlyReads } from '../permission/reading.ts'
import { programOf, type ShellCommand, withInner } from '../permission/shell/command.ts'
import { WRITERS } from '../permission/shell/programs.ts'
import { HOLE } from '../permission/shell/word.ts'
import { absolutePath, type Workspace } from '../workspace.ts'

type IsApart = (file: AskedFile) => boolean

/**
 * A path that a command line names where its agent may not work, and of which nobody knows that it is only read: one that is told to a program
 * that may write, a folder in which such a program runs, or an absolute one in a line of which it is not known what it runs or writes. What
 * programs find out for themselves, and what stands in their files, no line tells: that takes walls.
 */
export function shellLedTo({ shell }: Asked, workspace: Workspace, isApart: IsApart): string | undefined {
  if (!shell) return undefined
  const commands = shell.line.commands.flatMap(withInner)
  const mayWrite = commands.map((command) => !reads(command, shell) && !isExact(command))
  // By a link: as it is written it lies where the agent works.
  const linked = shell.files.find((file) => mayWrite[file.command] === true && isApart(file) && !isApart({ ...file, real: file.path }))
  if (linked) return linked.real
  const { moved, folders } = foldersOf(shell, workspace, isApart)
  if (moved !== undefined && commands.some((command) => !reads(command, shell))) return moved
  const leads = (path: string): boolean => folders.every((folder) => isApart(placeOf(path, workspace, folder)))
  const found = [...commands.filter((_, at) => mayWrite[at]).flatMap(toldTo), ...hiddenIn(shell)].find(leads)
  return found === undefined ? undefined : placeOf(found, workspace, folders[0]!).path
}

/** Paths among the words of a command. One that counts from a folder has to be a word, not a part of a text such as a message. */
function toldTo({ words, accesses }: ShellCommand): string[] {
  const plain = words.map(({ text }) => text).filter((text) => PLAIN.test(text))
  const paths = accesses.map(({ path }) => path.text).filter((path) => !path.includes(HOLE))
  return paths.filter((path) => isAbsolute(path) || plain.some((word) => word.includes(path)))
}

const PLAIN = /^[\w.@+~/=:,\u0080-\uffff-]+$/

/**
 * Of `cp` and its like it is known which of their files they write. A hard link is another name of a file, which nobody knows it by later on;
 * a symbolic one is followed whenever something is written through it.
 */
function isExact({ words }: ShellCommand): boolean {
  const program = programOf(words)
  const has = (option: RegExp): boolean => words.some(({ text }) => option.test(text))
  const links =
    program === 'ln' ? !has(/^(?:-[a-zA-Z]*s|--symbolic$)/) : program === 'link' || (program === 'cp' && has(/^(?:-[a-zA-Z]*l|--link$)/))
  return !links && Object.hasOwn(WRITERS, program) && WRITERS[program]!.when === undefined
}

/** Through wrappers such as `timeout`. */
function reads(command: ShellCommand, shell: ShellCall): boolean {
  if (onlyReads(command, shell.line.folders.length > 0)) return true
  return command.through && command.inner.length > 0 && command.inner.every((inner) => reads(inner, shell))
}

/**
 * Where the relative paths of a line may count from: the folders that it changes to, or else the working directory. `moved`: one of them in
 * which the agent may not work, from wherever the line changes to it.
 */
function foldersOf({ line }: ShellCall, workspace: Workspace, isApart: IsApart): { moved?: string; folders: string[] } {
  const known = line.folders.filter(({ text, glob }) => !text.includes(HOLE) && !glob)
  let from = [workspace.cwd]
  const folders: string[] = []
  for (const { text } of known) {
    const to = from.map((folder) => placeOf(text, workspace, folder))
    if (to.every(isApart)) return { moved: to[0]!.path, folders: [workspace.cwd] }
    folders.push(...to.map(({ path }) => path))
    from = [...new Set([...from, ...folders])].slice(0, MOST_FOLDERS)
  }
  return { folders: folders.length > 0 ? folders : [workspace.cwd] }
}

const MOST_FOLDERS = 8

/** Absolute paths in a line that cannot be judged: in programs, variables and here-documents too. Other ones may well be parts of a text. */
function hiddenIn({ line, unsure }: ShellCall): string[] {
  if (line.opaque.length + line.broken.length === 0 && !unsure.includes(UNKNOWN_TARGET)) return []
  const pieces = line.text.split(/[^\w./~@+\u0080-\uffff-]+/)
  return pieces.filter(isAbsolute)
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|~(?:\/|$))/.test(path)
}

function placeOf(text: string, workspace: Workspace, folder: string): AskedFile {
  const path = absolutePath(workspace, text, folder) ?? folder
  return { path, real: path }
}
