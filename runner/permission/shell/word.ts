import type { SyntaxNode } from './parser.ts'

/** Stands in a word for what is known only when the command runs. NUL can be in no command line, so it is never meant literally. */
export const HOLE = '\0'

/** One word of a command as the shell will hand it on, quotes and escapes undone. */
export interface Word {
  text: string
  /** Unquoted `*`, `?` or `[`, which the shell may replace by names of files. */
  glob: boolean
  /** An unquoted `~` at its start. */
  tilde: boolean
  /** Something in it cannot be known before it runs, and is no harmless variable. */
  doubt: boolean
}

/** Variables that a command line cannot use to hide anything: every shell has them, and no assignment in the line is judged safe. */
const SAFE = new Set(['HOME', 'PWD', 'USER', 'LOGNAME', 'HOSTNAME', 'LANG', 'TERM', '?', '#', '$', '!'])

export function plainWord(text: string): Word {
  return { text, glob: false, tilde: false, doubt: false }
}

/** The word that a node of the syntax tree stands for. What this does not know is a hole. */
export function wordOf(node: SyntaxNode): Word {
  if (node.type === 'word' || node.type === 'number' || node.type === 'extglob_pattern') return unquoted(node.text)
  if (node.type === 'raw_string') return plainWord(node.text.slice(1, -1))
  if (node.type === 'ansi_c_string') return ansi(node.text.slice(2, -1))
  if (node.type === 'string') return doubleQuoted(node)
  if (node.type === 'concatenation') return joined(node)
  if (node.type === 'command_name' && node.namedChildCount === 1) return wordOf(node.namedChild(0)!)
  if (node.type === 'simple_expansion') return { ...plainWord(HOLE), doubt: !SAFE.has(node.text.slice(1)) }
  return { ...plainWord(HOLE), doubt: true }
}

function unquoted(source: string): Word {
  let text = ''
  let glob = false
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!
    if (char === '\\') {
      at += 1
      if (source[at] !== '\n') text += source[at] ?? ''
    } else {
      if ('*?['.includes(char)) glob = true
      text += char
    }
  }
  return atHome({ text, glob, tilde: source.startsWith('~'), doubt: false })
}

/** `~` is the home folder; which one `~name`, `~+` and `~-` are is known to the shell alone. */
function atHome(word: Word): Word {
  if (!word.tilde || /^~(?:\/|$)/.test(word.text)) return word
  return { ...word, text: word.text.replace(/^[^/]*/, HOLE), tilde: false, doubt: true }
}

function doubleQuoted(node: SyntaxNode): Word {
  const parts = node.namedChildren.filter((child) => child.type !== 'string_content')
  const start = node.startIndex + node.text.indexOf('"') + 1
  let text = ''
  let at = start
  let doubt = false
  const upTo = (end: number): string => node.text.slice(at - node.startIndex, end - node.startIndex).replace(/\\(["$`\\\n])/g, unescaped)
  for (const part of parts) {
    text += upTo(part.startIndex) + HOLE
    doubt ||= wordOf(part).doubt
    at = part.endIndex
  }
  return { text: text + upTo(node.endIndex - 1), glob: false, tilde: false, doubt }
}

function unescaped(_: string, char: string): string {
  return char === '\n' ? '' : char
}

/** Pieces without blanks between them. Braces that the shell would multiply are a hole, and so is whatever the tree has left out. */
function joined(node: SyntaxNode): Word {
  const parts = node.namedChildren.map(wordOf)
  const covered = node.namedChildren.reduce((sum, child) => sum + child.endIndex - child.startIndex, 0)
  const text = parts.map((part) => part.text).join('')
  const braces = node.namedChildren.some((child) => child.text === '{') && /\{[^{}]*(?:,|\.\.)[^{}]*/.test(node.text)
  if (braces || covered !== node.endIndex - node.startIndex)
    return { text: bracesHidden(node.text), glob: false, tilde: false, doubt: true }
  return atHome({ text, glob: parts.some((part) => part.glob), tilde: parts[0]?.tilde ?? false, doubt: parts.some((part) => part.doubt) })
}

/** What stands before the first brace is known, the rest is not. */
function bracesHidden(source: string): string {
  return /^[\w./-]*/.exec(source)![0] + HOLE
}

const NAMED: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v' }

/** `$'…'`: the escapes of C. */
function ansi(source: string): Word {
  const known = /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3})|(c.)|([^]))/gi
  let doubt = false
  const text = source.replace(
    known,
    (all, hex?: string, short?: string, long?: string, octal?: string, control?: string, char?: string) => {
      const code = hex ?? short ?? long
      const value = code !== undefined ? parseInt(code, 16) : octal !== undefined ? parseInt(octal, 8) & 255 : undefined
      if (control !== undefined || value === 0 || (value ?? 0) > 0x10ffff) doubt = true
      if (value !== undefined) return value > 0x10ffff ? HOLE : String.fromCodePoint(value)
      return NAMED[char!] ?? (/['"?\\]/.test(char!) ? char! : all)
    },
  )
  return { text: doubt ? HOLE : text, glob: false, tilde: false, doubt }
}
