import type { Rule } from '../../schemas/shapes/permission.ts'
import { starFits } from '../../schemas/star.ts'
import { programOf, type ShellCommand } from './shell/command.ts'
import { DATA, SAFE_VARIABLES, WITH_COMMANDS } from './shell/programs.ts'
import { HOLE, type Word } from './shell/word.ts'
import { mayFit } from './may-fit.ts'

/** `maybe`: what is known only when the command runs could make it one that the rule is about. */
export type Verdict = 'yes' | 'maybe' | 'no'

/**
 * Whether a rule that restricts is about a command, however it is written: past assignments, with or without the program's folder
 * (claude-code-agents.md 5.3). Wrappers are the caller's: it asks for every command of the chain.
 */
export function restricts(rule: Rule, texts: CommandTexts): Verdict {
  const patterns = patternsOf(rule)
  if (patterns === undefined) return 'maybe'
  if (patterns.some((pattern) => texts.plain.some((text) => starFits(pattern, text)))) return 'yes'
  if (texts.holes && patterns.some((pattern) => texts.plain.some((text) => mayFit(pattern, text, HOLE)))) return 'maybe'
  return names(firstWord(patterns), texts) ? 'maybe' : 'no'
}

/** A command in the ways a rule may be written for it. */
export interface CommandTexts {
  plain: readonly string[]
  /** Words or parts of them are not known. */
  holes: boolean
  /** What stands in its arguments as a word, where the program may run it. */
  mentions: ReadonlySet<string>
}

export function textsOf(command: ShellCommand): CommandTexts {
  const words = command.words.map(open)
  const joined = words.join(' ')
  const program = programOf(command.words)
  const short = [program, ...words.slice(1)].join(' ')
  const plain = [
    ...new Set([joined, short, joined.toLowerCase() === joined ? joined : [program.toLowerCase(), ...words.slice(1)].join(' ')]),
  ]
  return { plain, holes: joined.includes(HOLE), mentions: mentionsOf(program, command.words) }
}

/** A pattern for names of files may become any of them. */
function open(word: Word): string {
  return word.glob ? word.text.replace(/[*?]|\[[^\]]*\]?/g, HOLE) : word.text
}

function mentionsOf(program: string, words: readonly Word[]): ReadonlySet<string> {
  if (DATA.has(program) || WITH_COMMANDS.has(program)) return NONE
  return new Set(words.slice(1).flatMap(({ text }) => text.split(/[^\w.+-]+/)))
}

const NONE: ReadonlySet<string> = new Set()

/** A program that is not known gets the forbidden one's name: `strace rm x`, `perl -e 'system("rm x")'`. */
function names(first: string | undefined, texts: CommandTexts): boolean {
  return first !== undefined && texts.mentions.has(first)
}

const known = new WeakMap<Rule, readonly string[] | 'none'>()

function patternsOf(rule: Rule): readonly string[] | undefined {
  let patterns = known.get(rule)
  if (!patterns) known.set(rule, (patterns = made(rule)))
  return patterns === 'none' ? undefined : patterns
}

function made({ match }: Rule): readonly string[] | 'none' {
  if (!match) return ['*']
  if ('exact' in match) return [match.exact.trim().split(/\s+/).join(' ')]
  if ('prefix' in match) return [match.prefix.join(' '), `${match.prefix.join(' ')} *`]
  if ('wildcard' in match) return match.wildcard.endsWith(' *') ? [match.wildcard, match.wildcard.slice(0, -2)] : [match.wildcard]
  return 'none'
}

function firstWord(patterns: readonly string[]): string | undefined {
  const first = patterns[0]!.split(/[ *]/)[0]!
  return first === '' ? undefined : first.replace(/^.*\//s, '')
}

/**
 * Whether a rule that allows is about a command: word for word, with the program written as in the rule, past variables that are known
 * to be harmless only. Stars and prefixes need a command of which every word is known; the caller sees to that.
 */
export function permits(rule: Rule, command: ShellCommand): boolean {
  const { match } = rule
  if (!match) return true
  if (command.words.length === 0 || !command.assigned.every((name) => SAFE_VARIABLES.has(name))) return false
  const words = command.words.map(({ text }) => text)
  if ('exact' in match) return same(match.exact.trim().split(/\s+/), words) || match.exact === words.join(' ')
  if (command.exactOnly) return false
  if ('prefix' in match) return match.prefix.every((word, at) => words[at] === word)
  return 'wildcard' in match && patternsOf(rule)!.some((pattern) => starFits(pattern, words.join(' ')))
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, at) => word === b[at])
}
