import { programOf } from './command.ts'
import { gitCall } from './git.ts'
import { NEVER_BY_PREFIX, OPAQUE_WRAPPERS, RESERVED, SHELLS, TRANSPARENT } from './programs.ts'
import { HOLE, plainWord, type Word } from './word.ts'

/** What a command runs besides itself: commands as words, or text that the shell will read once more. */
export interface Unwrapped {
  words: readonly (readonly Word[])[]
  texts: readonly string[]
  through: boolean
  exactOnly: boolean
  /** Why what it runs cannot be known. */
  opaque?: string
}

const NOTHING: Unwrapped = { words: [], texts: [], through: false, exactOnly: false }

/** Looks through wrappers (claude-code-agents.md 5.3, issue 7). A deny rule sees every command in the chain. */
export function unwrap(words: readonly Word[]): Unwrapped {
  const program = programOf(words)
  const args = words.slice(1)
  if (RESERVED.has(program)) return { ...NOTHING, words: [args], opaque: `\`${program}\` does not stand where the shell expects it` }
  if (Object.hasOwn(TRANSPARENT, program)) return transparent(program, args)
  if (program === 'eval') return text(args, 'eval')
  if (program === 'env') return env(args)
  if (SHELLS.has(program)) return shell(program, args)
  if (program === 'find') return find(args)
  if (program === 'git') return git(words)
  if (program === 'parallel')
    return { ...wrapped(program, args.slice(0, until(args, /^:::/))), opaque: 'parallel makes commands of its input' }
  if (Object.hasOwn(OPAQUE_WRAPPERS, program)) return wrapped(program, args)
  if (/^(?:npm|pnpm|yarn|bun)$/.test(program) && /^(?:exec|x|dlx)$/.test(args[0]?.text ?? ''))
    return { ...NOTHING, words: [stripped(args.slice(1), [])] }
  if (/^ld(?:-linux|-musl|\.so)/.test(program) || /^(?:npx|bunx|pnpx)$/.test(program)) return { ...NOTHING, words: [stripped(args, [])] }
  return NOTHING
}

function transparent(program: string, args: readonly Word[]): Unwrapped {
  const { values, operands } = TRANSPARENT[program]!
  if (program === 'command' && /^-[a-zA-Z]*[vV]/.test(args[0]?.text ?? '')) return NOTHING
  const inner = stripped(args, values).slice(operands)
  const skipped = args.slice(0, args.length - inner.length)
  const plain = skipped.every(({ text, doubt }) => !doubt && /^[\w.+-]*$/.test(text) && !/^-(?:o|-output|f|-format)/.test(text))
  return { ...NOTHING, words: inner.length > 0 ? [inner] : [], through: plain && inner.length > 0 }
}

function wrapped(program: string, args: readonly Word[]): Unwrapped {
  const { values, operands } = OPAQUE_WRAPPERS[program]!
  const exactOnly = NEVER_BY_PREFIX.has(program)
  const inner = stripped(args, values).slice(operands)
  const line = args.findIndex(({ text }) => /^(?:-c|--command)$/.test(text))
  if (program === 'flock' && line >= 0) return { ...text(args.slice(line + 1, line + 2), program), exactOnly }
  if (program === 'watch') return { ...text(inner, program), exactOnly }
  if (program === 'xargs') return xargs(withHoles(args, inner), inner.length === args.length)
  return { ...NOTHING, words: inner.length > 0 ? [inner] : [], exactOnly }
}

/** What xargs adds to the command is read when it runs. Without options of its own it is looked through (5.3). */
function xargs(inner: readonly Word[], bare: boolean): Unwrapped {
  const command = inner.length > 0 ? inner : [plainWord('echo')]
  const runs = SHELLS.has(programOf(command)) && !command.some(({ text }) => /^-[a-z]*c$/.test(text))
  return {
    ...NOTHING,
    words: [[...command, plainWord(HOLE)]],
    through: bare,
    ...(runs && { opaque: 'xargs hands a shell what it is to run' }),
  }
}

/** `-I R` puts what it reads in place of every R. */
function withHoles(args: readonly Word[], inner: readonly Word[]): Word[] {
  const at = args.findIndex(({ text: own }) => /^(?:-I|--replace|-i)/.test(own))
  const own = at < 0 ? '{}' : (/^(?:-[Ii]|--replace=)(.+)$/s.exec(args[at]!.text)?.[1] ?? args[at + 1]?.text ?? '{}')
  return inner.map((word) => ({ ...word, text: word.text.replaceAll('{}', HOLE).replaceAll(own, HOLE) }))
}

function env(args: readonly Word[]): Unwrapped {
  const split = args.findIndex(({ text }) => /^(?:-[a-zA-Z]*S|--split-string)/.test(text))
  if (split >= 0) {
    const own = args[split]!.text.replace(/^(?:-[a-zA-Z]*S|--split-string=?)/, '')
    return { ...text([plainWord(own), ...args.slice(split + 1)], 'env -S'), opaque: 'env -S takes a text apart' }
  }
  const inner = stripped(args, OPAQUE_WRAPPERS.env!.values)
  const start = until(inner, /^(?!\w+=)/s)
  return { ...NOTHING, words: start < inner.length ? [inner.slice(start)] : [] }
}

/** Text that is read as a command line once more, if all of it is known. */
function text(args: readonly Word[], by: string): Unwrapped {
  const joined = args.map((word) => word.text).join(' ')
  if (args.some((word) => word.text.includes(HOLE) || word.glob))
    return { ...NOTHING, texts: [joined.replaceAll(HOLE, '$_')], opaque: `what ${by} runs is known only when it runs` }
  return { ...NOTHING, texts: joined.trim() === '' ? [] : [joined] }
}

function shell(program: string, args: readonly Word[]): Unwrapped {
  const at = args.findIndex((word) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(word.text))
  if (at >= 0)
    return text(
      args
        .slice(at + 1)
        .filter((word) => !/^[-+]/.test(word.text))
        .slice(0, 1),
      `${program} -c`,
    )
  const script = args.find((word) => !/^[-+]/.test(word.text))
  if (args.some((word) => /^--(?:version|help)$/.test(word.text))) return NOTHING
  if (!script || args.some((word) => /^-[a-zA-Z]*[si]|^--(?:rcfile|init-file)/.test(word.text)))
    return { ...NOTHING, opaque: `${program} runs what it reads` }
  return script.text.includes(HOLE) || /^\/(?:dev|proc)\//.test(script.text)
    ? { ...NOTHING, opaque: `it is not known which script ${program} runs` }
    : NOTHING
}

const ACTION = /^-(?:exec|execdir|ok|okdir)$/

function find(args: readonly Word[]): Unwrapped {
  const words: Word[][] = []
  args.forEach((word, at) => {
    if (!ACTION.test(word.text)) return
    const rest = args.slice(at + 1)
    const end = until(rest, /^(?:;|\+)$/)
    words.push(rest.slice(0, end).map((item) => ({ ...item, text: item.text.replaceAll('{}', HOLE) })))
  })
  if (args.some((word) => word.text === '-delete')) words.push([plainWord('rm'), plainWord(HOLE)])
  const writes = args.some((word) => /^-f(?:print|ls)/.test(word.text))
  return { ...NOTHING, words: words.filter((item) => item.length > 0), exactOnly: words.length > 0 || writes }
}

function git(words: readonly Word[]): Unwrapped {
  const { plain, options, runs } = gitCall(words)
  const executed = plain.slice(1).flatMap(({ text: own }, at) => (/^(?:-x|--exec)$/.test(own) ? [plain[at + 2]?.text ?? ''] : []))
  const aliased = words.flatMap(({ text: own }) => /^alias\.[^=]*=!(.*)$/s.exec(own)?.[1] ?? [])
  return {
    ...NOTHING,
    words: options ? [plain] : [],
    texts: [...executed, ...aliased].filter((item) => item !== ''),
    ...(runs !== undefined && { opaque: runs }),
  }
}

/** The words behind a wrapper's options and their values. */
function stripped(args: readonly Word[], values: readonly string[]): Word[] {
  let at = 0
  for (; at < args.length; at++) {
    const { text: own } = args[at]!
    if (own === '--') return args.slice(at + 1)
    if (!/^-./.test(own)) break
    if (values.includes(own)) at += 1
  }
  return args.slice(at)
}

function until(args: readonly Word[], pattern: RegExp): number {
  const at = args.findIndex((word) => pattern.test(word.text))
  return at < 0 ? args.length : at
}
