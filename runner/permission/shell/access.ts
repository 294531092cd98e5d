import type { Access } from './command.ts'
import { programOf } from './command.ts'
import { DATA, FILE_OPTIONS, isShortFor, LISTERS, READERS, WRITERS } from './programs.ts'
import { HOLE, plainWord, type Word } from './word.ts'

/**
 * The files that a command is known or suspected to open. Known readers and writers by their operands; any other program
 * by everything that could be a path in its arguments, which only deny rules look at.
 */
export function accessesOf(words: readonly Word[]): Access[] {
  const program = programOf(words)
  const args = words.slice(1)
  return [...byOption(program, args), ...openedBy(program, args)]
}

/** What an option makes a program read, and show in what it says is wrong with it: `date -f .env`. */
function byOption(program: string, args: readonly Word[]): Access[] {
  const read = (path: Word, tree = false): Access => ({ path, how: 'read', tree, guessed: false })
  const searches = program === 'git' && args.some(({ text }) => text === 'grep')
  if (searches && args.some(({ text }) => isShortFor(text, ['no-index', 'untracked']))) return [read(plainWord('.'), true)]
  // Words that begin so are files with further words.
  if (program === 'strings')
    return args.filter(({ text }) => text.startsWith('@')).map((word) => read({ ...word, text: word.text.slice(1) }))
  const options = Object.hasOwn(FILE_OPTIONS, program) ? FILE_OPTIONS[program]! : undefined
  if (!options) return []
  return args.flatMap((word, at) => {
    const attached = isShortFor(word.text, options.long) ? /=(.*)$/s.exec(word.text)?.[1] : options.short?.exec(word.text)?.[1]
    if (attached === undefined && !isShortFor(word.text, options.long) && !options.short?.test(word.text)) return []
    const path = attached ? { ...word, text: attached } : args[at + 1]
    return path ? [read(path)] : []
  })
}

function openedBy(program: string, args: readonly Word[]): Access[] {
  const reader = Object.hasOwn(READERS, program) ? READERS[program] : undefined
  const writer = Object.hasOwn(WRITERS, program) ? WRITERS[program] : undefined
  const writes = writer && (!writer.when || args.some(({ text }) => writer.when!.test(text))) ? written(args, writer) : []
  if (program === 'dd') return dd(args)
  if (reader) return [...readBy(args, reader, writer?.which === 'last' || program === 'mv'), ...writes, ...values(args)]
  if (writer && writes.length > 0 && !LISTERS.has(program)) return [...writes, ...values(args)]
  if (LISTERS.has(program)) return listed(program, args)
  return DATA.has(program) ? [] : [...guesses(args), ...writes]
}

function readBy(args: readonly Word[], reader: (typeof READERS)[string], toLast: boolean): Access[] {
  const pattern = reader.tree
  const tree = pattern === true || (pattern !== undefined && args.some(({ text }) => pattern.test(text)))
  const files = operands(args, reader.values).slice(skipped(args, reader.skip))
  const all = tree && files.length === 0 ? [plainWord('.')] : toLast && files.length > 1 && !targetFolder(args) ? files.slice(0, -1) : files
  return all.map((path) => ({ path, how: 'read', tree, guessed: false }))
}

/** What is asked about names, kinds and folders. The expression of `find` is not a folder. */
function listed(program: string, args: readonly Word[]): Access[] {
  const end = program === 'find' ? args.findIndex(({ text }) => /^(?:-[^HLPDO]|[(!])/.test(text)) : -1
  const folders = operands(end < 0 ? args : args.slice(0, end))
  return folders.map((path) => ({ path, how: 'list', tree: false, guessed: false }))
}

/** The first operand is a pattern or a script, unless an option has given it. */
function skipped(args: readonly Word[], skip = 0): number {
  return skip > 0 && args.some(({ text }) => /^(?:-[ef]|--(?:regexp|file|expression|files))/.test(text)) ? skip - 1 : skip
}

function written(args: readonly Word[], writer: (typeof WRITERS)[string]): Access[] {
  const all = operands(args, writer.values).slice(writer.skip ?? 0)
  const into = targetFolder(args)
  const targets = writer.which === 'all' ? all : into ? [into] : all.slice(-1)
  const sources = writer.which === 'last' || all.length > 1 ? all.slice(0, -1) : []
  const below = into || writer.which === 'last' ? (into ? all : sources).map((source) => joined(targets[0] ?? plainWord('.'), source)) : []
  return [...targets, ...below].map((path) => ({ path, how: 'write', tree: false, guessed: false }))
}

/** `cp a/.mcp.json .` writes `./.mcp.json`. */
function joined(folder: Word, source: Word): Word {
  const name = source.text.replace(/\/+$/, '').replace(/^.*\//s, '')
  return { ...folder, text: `${folder.text}/${name}`, glob: folder.glob || source.glob, doubt: folder.doubt || source.doubt }
}

function targetFolder(args: readonly Word[]): Word | undefined {
  const at = args.findIndex(({ text }) => /^(?:-[a-zA-Z]*t|--target-directory)$/.test(text))
  if (at >= 0) return args[at + 1]
  const long = args.find(({ text }) => text.startsWith('--target-directory='))
  return long && { ...long, text: long.text.slice('--target-directory='.length) }
}

/** Words that are neither options nor values of options. */
export function operands(args: readonly Word[], values: readonly string[] = []): Word[] {
  const found: Word[] = []
  let ended = false
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    if (ended || !word.text.startsWith('-') || word.text === '-') found.push(word)
    else if (word.text === '--') ended = true
    else if (values.includes(word.text)) at += 1
  }
  return found.filter(({ text }) => text !== '-')
}

/** `--file=x`, `-fx` and the word behind an option may be files as well. */
function values(args: readonly Word[]): Access[] {
  const options = args.filter(({ text }) => /^-[^=]*=./s.test(text) || /^-[a-zA-Z][^-=]/.test(text))
  const files = options.map((word) => ({ ...word, text: word.text.includes('=') ? word.text.replace(/^[^=]*=/s, '') : word.text.slice(2) }))
  const behind = args.filter((_, at) => /^-[a-zA-Z]$|^--[\w-]+$/.test(args[at - 1]?.text ?? ''))
  return [...files, ...behind].map((path) => ({ path, how: 'read', tree: false, guessed: true }))
}

/** Everything in the arguments that looks like a path: whole words, and what stands between signs that no usual path has. */
function guesses(args: readonly Word[]): Access[] {
  const pieces = args.flatMap((word) => {
    const parts = word.text
      .split(/[^\w./~*?\u0080-\uffff\0-]+/)
      .filter((part) => part !== '' && part !== word.text && !/^[-\w]*$/.test(part))
    return [word, ...parts.map((text) => ({ ...word, text, tilde: text.startsWith('~') }))]
  })
  return pieces
    .filter(({ text }) => text !== '' && !/^-+[\w-]*$/.test(text) && text !== HOLE)
    .map((path) => ({ path, how: 'read', tree: false, guessed: true }))
}

function dd(args: readonly Word[]): Access[] {
  return args.flatMap((word): Access[] => {
    const [, key, text] = /^(if|of)=(.*)$/s.exec(word.text) ?? []
    if (key === undefined) return []
    return [{ path: { ...word, text: text! }, how: key === 'if' ? 'read' : 'write', tree: false, guessed: false }]
  })
}
