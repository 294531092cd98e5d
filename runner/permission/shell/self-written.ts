import { type Access, programOf, type ShellCommand, withInner } from './command.ts'
import { interpreterOf, SHELLS } from './programs.ts'
import type { Word } from './word.ts'

/** `echo 'rm x' > s; sh s`: what a line writes itself is not known to any rule when it runs. */
export function runsWhatItWrites(commands: readonly ShellCommand[], redirects: readonly Access[]): boolean {
  const all = commands.flatMap(withInner)
  const writes = [...redirects, ...all.flatMap(({ accesses }) => accesses)].filter(({ how }) => how === 'write')
  const written = new Set(writes.map(({ path }) => plain(path)))
  return all.some(({ words }) => [...words.slice(0, 1), ...scriptsOf(words)].some((word) => written.has(plain(word))))
}

function scriptsOf(words: readonly Word[]): readonly Word[] {
  const program = programOf(words)
  const takes = SHELLS.has(program) || program === 'make' || interpreterOf(program) !== undefined
  return takes ? words.slice(1) : []
}

function plain({ text }: Word): string {
  return text.replace(/^(?:\.\/)+/, '')
}
