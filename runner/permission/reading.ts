import { programOf, type ShellCommand } from './shell/command.ts'
import { gitReads } from './shell/git.ts'
import { isShortFor, READ_ONLY, WRITING_LONG } from './shell/programs.ts'

/** Commands of sed that print or replace in what is printed, and nothing else. */
const SED_SAFE =
  /^(?:(?:\d+|\$|\/[^/\n]*\/)?(?:,(?:\d+|\$|\/[^/\n]*\/))?!?[pdq=]|s([/|#,])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gpiI\d]*)(?:;\s*(?:\d+|\$)?[pdq])?$/

/**
 * Whether a command only shows something, so that it runs unasked in every mode (claude-code-agents.md 5.3). It must be written with its
 * bare name, with no variable set before it, and nothing in it may be left to be known when it runs. Which files it reads is judged apart.
 */
export function onlyReads(command: ShellCommand, movesFolder: boolean): boolean {
  const { words, assigned } = command
  const [first, ...args] = words
  if (!first || assigned.length > 0 || words.some(({ doubt }) => doubt)) return false
  if (first.text === 'git') return !movesFolder && command.inner.length === 0 && gitReads(words) && !args.some(({ glob }) => glob)
  if (!Object.hasOwn(READ_ONLY, first.text) || first.text !== programOf(words)) return false
  const writes = READ_ONLY[first.text]
  if (writes && args.some(({ text, glob }) => writes.test(text) || (glob && /^[*?[]/.test(text)))) return false
  if (args.some(({ text }) => isShortFor(text, WRITING_LONG[first.text]))) return false
  return first.text === 'sed' ? sedReads(args.map(({ text }) => text)) : true
}

/** A file name that a pattern gives could be an option, so what writes on an option takes no pattern at the start of a word. */
function sedReads(args: readonly string[]): boolean {
  const script = args.find((arg) => !arg.startsWith('-'))
  const options = args.filter((arg) => arg.startsWith('-'))
  return (
    options.every((arg) => /^-(?:[nErsuz]+|-quiet|-silent|-regexp-extended)$/.test(arg)) && script !== undefined && SED_SAFE.test(script)
  )
}
