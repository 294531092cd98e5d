import type { PromptFile } from './catalogue.ts'

/** What stands for `${…}` in the text of a skill. */
export interface Filling {
  args: string
  /** The folder of the skill's file, as the model can open it; `undefined` if it cannot. */
  skillDir: string | undefined
  sessionId: string
}

/** A part of a skill's text: text, or a command whose output is to stand in its place. */
export type Part = { kind: 'text'; text: string } | { kind: 'shell'; command: string; written: string }

/** A word of the arguments: in quotes, or without blanks. */
const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/gs

/** The words of arguments, as a shell would part them, without expanding anything. */
export function words(args: string): string[] {
  return [...args.matchAll(WORD)].map(([, double, single, plain]) => double?.replace(/\\(["\\])/g, '$1') ?? single ?? plain!)
}

/**
 * The text of a skill with its arguments: `$ARGUMENTS` is all of them, `$ARGUMENTS[0]` and `$1` the first, `$name` one that the file names under
 * `arguments`, `${CLAUDE_SKILL_DIR}` and `${CLAUDE_SESSION_ID}` what they say. What is put in is not looked at again, so that arguments
 * cannot bring commands along. Without `commands` they are text like any other. Arguments that the text has no place for stand at its end.
 */
export function expanded({ content, arguments: names = [] }: PromptFile, { args, skillDir, sessionId }: Filling, commands = true): Part[] {
  const given = words(args)
  let placed = false
  const put = (value: string | undefined): string => {
    placed = true
    return value ?? ''
  }
  const named = (match: string, name: string): string => {
    const at = names.indexOf(name)
    return at < 0 ? match : put(given[at])
  }
  const filled = (text: string): string =>
    text.replace(
      /\$\{(CLAUDE_SKILL_DIR|CLAUDE_SESSION_ID)\}|\$ARGUMENTS\[(\d{1,3})\]|\$(ARGUMENTS)\b|\$(\d{1,3})(?!\d)|\$([A-Za-z_][\w-]*)/g,
      (match, fixed: string | undefined, index?: string, all?: string, number?: string, name?: string) => {
        if (fixed) return (fixed === 'CLAUDE_SKILL_DIR' ? skillDir : sessionId) ?? match
        if (index) return put(given[Number(index)])
        if (all) return put(args)
        if (number) return Number(number) === 0 ? match : put(given[Number(number) - 1])
        return named(match, name!)
      },
    )
  const written: Part[] = commands ? shellParts(content) : [{ kind: 'text', text: content }]
  const parts = written.map((part): Part => {
    return part.kind === 'text' ? { kind: 'text', text: filled(part.text) } : { ...part, command: quoted(part.command, filled) }
  })
  return placed || args === '' ? parts : [...parts, { kind: 'text', text: `\n\nARGUMENTS: ${args}` }]
}

/** In a command only what cannot be chosen by whoever calls is filled in; an argument in it would be a command of theirs. */
function quoted(command: string, filled: (text: string) => string): string {
  return command.replace(/\$\{CLAUDE_(?:SKILL_DIR|SESSION_ID)\}/g, (match) => filled(match))
}

/** `!` and a command in backquotes, at the start of a line or after a blank, or a block fenced with ```!; not in another fenced block. */
const SHELL = /(^|[ \t])!`([^`\n]+)`|^```![ \t]*\r?\n([^]*?)^```[ \t]*\r?$/gm
const FENCED = /^ {0,3}(```|~~~)[^]*?^ {0,3}\1[ \t]*\r?$/gm

/** Whether a text holds commands that run when it is used. */
export function hasCommands({ content }: Pick<PromptFile, 'content'>): boolean {
  return commandsIn(content).length > 0
}

/** The commands that run when a text is used, in their order. */
export function commandsIn(content: string): string[] {
  return shellParts(content).flatMap((part) => (part.kind === 'shell' ? [part.command] : []))
}

/** The text with its commands as words: without the mark that has each run. */
export function withoutCommands(content: string): string {
  let words = shellParts(content)
    .map((part) => (part.kind === 'text' ? part.text : part.written.replace('!', '')))
    .join('')
  // A block that is none any more may end another fence than before, and what stood in that one would be a command; a mark that is gone
  // may bring another to the start of its line.
  while (hasCommands({ content: words })) words = words.replace(/!+(?=`)|(?<=^```)!+/gm, '')
  return words
}

function shellParts(content: string): Part[] {
  const plain = [...content.matchAll(FENCED)].filter(([text]) => !text.startsWith('```!'))
  const fences = plain.map((match) => [match.index, match.index + match[0].length] as const)
  const parts: Part[] = []
  let at = 0
  for (const match of content.matchAll(SHELL)) {
    const start = match.index + (match[1] ?? '').length
    const command = (match[2] ?? match[3]!).trim()
    if (command === '' || fences.some(([from, to]) => start >= from && start < to)) continue
    parts.push({ kind: 'text', text: content.slice(at, start) })
    at = match.index + match[0].length
    parts.push({ kind: 'shell', command, written: content.slice(start, at) })
  }
  parts.push({ kind: 'text', text: content.slice(at) })
  return parts.filter((part) => part.kind === 'shell' || part.text !== '')
}
