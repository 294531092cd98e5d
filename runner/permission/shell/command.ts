import type { Word } from './word.ts'

/** What a command line does to a file. */
export interface Access {
  path: Word
  /** `list`: only its name, kind or contents as a folder; that never counts against it inside the workspace. */
  how: 'read' | 'write' | 'list'
  /** And to everything below, if it is a folder. */
  tree: boolean
  /** The program is not known to open it, but it is named to it; that counts against the call only. */
  guessed: boolean
}

/** One command that may run: its words, the files it touches, and the commands that it starts in turn. */
export interface ShellCommand {
  words: readonly Word[]
  /** Names of variables set before it. */
  assigned: readonly string[]
  accesses: readonly Access[]
  /** Commands that this one runs, if it is a wrapper such as `sudo`, `xargs` or `bash -c`. */
  inner: readonly ShellCommand[]
  /** The wrapper changes nothing that a rule for the inner command would mind: `timeout 5 echo hi` is `echo hi`. */
  through: boolean
  /** A rule with a prefix or a star is not enough: `find -delete`, `watch`. */
  exactOnly: boolean
}

/** Why a line cannot be judged by its commands. */
export interface Doubts {
  /** It cannot be read as bash reads it. Only a rule for this very line allows it. */
  broken: string[]
  /** It cannot be known which programs run. A rule for all of Bash allows it only if no rule restricts anything. */
  opaque: string[]
  /** It cannot be known what programs are told. A rule for all of Bash allows it; rules about commands do not. */
  vague: string[]
}

/** A command line, understood as far as its syntax goes. Pure data; nothing in it has been looked up on disk. */
export interface ShellLine extends Readonly<Doubts> {
  text: string
  commands: readonly ShellCommand[]
  /** Files that redirections open. */
  redirects: readonly Access[]
  /** Folders that commands of the line may have changed to. */
  folders: readonly Word[]
}

/** A command and all that it starts. */
export function withInner(command: ShellCommand): ShellCommand[] {
  return [command, ...command.inner.flatMap(withInner)]
}

/** The name of a program without the folder in which it lies. */
export function programOf(words: readonly Word[]): string {
  return (words[0]?.text ?? '').replace(/^.*\//s, '')
}
