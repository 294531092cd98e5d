import { accessesOf } from './access.ts'
import { type Access, type Doubts, programOf, type ShellCommand, type ShellLine } from './command.ts'
import { gitCall } from './git.ts'
import type { ParseShell, SyntaxNode } from './parser.ts'
import { RUNS_CODE } from './programs.ts'
import { runsWhatItWrites } from './self-written.ts'
import { hiddenIn, isWord, structureOf } from './structure.ts'
import { suspicion } from './suspect.ts'
import { HOLE, plainWord, type Word, wordOf } from './word.ts'
import { unwrap } from './wrapper.ts'

/** Longer ones are not judged (claude-code-agents.md 5.3). */
const MOST_CHARACTERS = 10_000
/** Wrappers in wrappers, and texts in texts. */
const MOST_DEPTH = 6

/** Signs that look like another or like nothing, and those that the grammar takes for blanks and bash does not. */
const DECEPTIVE = /[^\S \t\n]|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** Reads a command line for the rules. Pure: nothing is looked up. `parse` is the loaded grammar. */
export function readLine(text: string, parse: ParseShell): ShellLine {
  const reader = new LineReader(parse)
  if (text.length > MOST_CHARACTERS) reader.broken.push(`it is longer than ${MOST_CHARACTERS} characters`)
  else if (DECEPTIVE.test(text.replace(/[\t\n]/g, ' ')))
    reader.broken.push('it has a character in it that does not show, or looks like a blank')
  if (!text.includes(HOLE) && text.length <= MOST_CHARACTERS) reader.text(text, 0)
  return { ...reader.line(), text }
}

class LineReader implements Doubts {
  readonly broken: string[] = []
  readonly opaque: string[] = []
  readonly vague: string[] = []
  readonly #commands: ShellCommand[] = []
  readonly #redirects: Access[] = []
  readonly #folders: Word[] = []
  readonly #parse: ParseShell

  constructor(parse: ParseShell) {
    this.#parse = parse
  }

  line(): Omit<ShellLine, 'text'> {
    if (runsWhatItWrites(this.#commands, this.#redirects)) this.opaque.push('it runs a file that it writes itself')
    const once = (list: string[]): string[] => [...new Set(list)]
    return {
      commands: this.#commands,
      redirects: this.#redirects,
      folders: this.#folders,
      broken: once(this.broken),
      opaque: once(this.opaque),
      vague: once(this.vague),
    }
  }

  /** A backslash at the end of a line glues words together, which the grammar does not do: both readings count. */
  text(text: string, depth: number): void {
    for (const reading of new Set([text, text.replace(/\\\n/g, '')])) {
      const commands = this.#read(reading, depth)
      this.#commands.push(...commands)
    }
  }

  #read(text: string, depth: number): ShellCommand[] {
    return this.#parse(text, (root) => {
      if (root.hasError) this.broken.push('it cannot be read without doubt')
      const found: ShellCommand[] = []
      this.#walk(root, depth, found)
      return found
    })
  }

  #walk(node: SyntaxNode, depth: number, found: ShellCommand[]): void {
    this.#structure(node)
    if (node.childCount === 0) return this.#hidden(node, depth, found)
    if (node.type === 'file_redirect' && !/^(?:command|redirected_statement|heredoc_redirect)$/.test(node.parent?.type ?? ''))
      this.#redirect(node)
    if (node.type === 'command') found.push(this.#simple(node, depth))
    else if (node.type === 'declaration_command' || node.type === 'unset_command') found.push(this.#declaration(node, depth))
    else if (node.type === 'variable_assignment' && !/^(?:command|declaration_command)$/.test(node.parent?.type ?? ''))
      this.#assignment(node)
    else if (node.type === 'redirected_statement') this.#redirected(node, depth, found)
    for (const child of node.namedChildren) this.#walk(child, depth, found)
  }

  #structure(node: SyntaxNode): void {
    const { opaque, vague } = structureOf(node)
    if (opaque !== undefined) this.opaque.push(opaque)
    if (vague !== undefined) this.vague.push(vague)
  }

  #hidden(node: SyntaxNode, depth: number, found: ShellCommand[]): void {
    const texts = hiddenIn(node)
    if (!texts) return
    this.opaque.push('a command stands where it is not looked for')
    if (depth < MOST_DEPTH) for (const text of texts) found.push(...this.#read(text, depth + 1))
  }

  #simple(node: SyntaxNode, depth: number): ShellCommand {
    const words: Word[] = []
    const assigned: string[] = []
    for (const child of node.namedChildren) {
      if (child.type === 'variable_assignment') assigned.push(this.#assigned(child))
      else if (child.type === 'file_redirect') words.push(...this.#redirect(child))
      else if (child.type === 'herestring_redirect') this.vague.push('it hands a text to a command')
      else if (isWord(child)) words.push(wordOf(child))
      else if (child.type !== 'heredoc_redirect') words.push({ ...plainWord(HOLE), doubt: true })
    }
    if (node.parent?.type === 'redirected_statement') words.push(...this.#behind(node.parent))
    return this.#command(words, assigned, depth)
  }

  /** Words that stand behind a redirection belong to the command: `rm > log file`. */
  #behind(statement: SyntaxNode): Word[] {
    return statement.namedChildren.flatMap((child) => {
      if (child.type === 'file_redirect')
        return child.namedChildren
          .filter((item) => item.type !== 'file_descriptor')
          .slice(1)
          .map(wordOf)
      if (child.type !== 'heredoc_redirect') return []
      return child.namedChildren.filter((item) => isWord(item)).map(wordOf)
    })
  }

  #redirected(node: SyntaxNode, depth: number, found: ShellCommand[]): void {
    for (const child of node.namedChildren) {
      if (child.type === 'file_redirect') this.#redirect(child)
      if (child.type === 'heredoc_redirect') for (const item of child.namedChildren) if (item.type === 'file_redirect') this.#redirect(item)
    }
    const body = node.namedChild(0)
    const rest = body?.type === 'command' ? [] : this.#behind(node)
    if (rest.length > 0) found.push(this.#command(rest, [], depth))
  }

  /** Out: the words that the grammar took for further targets. */
  #redirect(node: SyntaxNode): Word[] {
    const [target, ...rest] = node.namedChildren.filter((child) => child.type !== 'file_descriptor')
    const sign = node.children.find((child) => !child.isNamed)?.type ?? ''
    if (!target) return []
    const to = wordOf(target)
    const copies = sign.endsWith('&') && sign !== '&>' && /^(?:\d+|-|\d+-)$/.test(to.text)
    if (!copies && target.type !== 'process_substitution') {
      const how = sign.includes('>') ? 'write' : 'read'
      this.#redirects.push({ path: to, how, tree: false, guessed: false })
      if (to.text.includes(HOLE)) this.vague.push('the file of a redirection is known only when it runs')
    }
    return rest.map(wordOf)
  }

  #declaration(node: SyntaxNode, depth: number): ShellCommand {
    const words = [plainWord(node.child(0)?.text ?? 'declare')]
    for (const child of node.namedChildren) {
      if (child.type === 'variable_assignment') this.#assignment(child)
      words.push(
        child.type === 'variable_name' ? plainWord(child.text) : child.type === 'variable_assignment' ? plainWord('_=') : wordOf(child),
      )
    }
    return this.#command(words, [], depth)
  }

  #assignment(node: SyntaxNode): void {
    const name = this.#assigned(node)
    if (RUNS_CODE.test(name)) this.opaque.push(`it sets ${name}, which changes what programs run`)
    else this.vague.push('it sets a variable')
  }

  #assigned(node: SyntaxNode): string {
    const value = node.namedChildren.findLast((child) => isWord(child) && child.type !== 'variable_name')
    if (value && /\$\(|`/.test(wordOf(value).text)) this.opaque.push('it sets a variable to a text that arithmetic would run')
    return node.namedChildren.find((child) => child.type === 'variable_name')?.text ?? node.text.split(/[=[+]/)[0]!
  }

  #command(words: readonly Word[], assigned: readonly string[], depth: number): ShellCommand {
    for (const name of assigned) if (RUNS_CODE.test(name)) this.opaque.push(`it sets ${name}, which changes what programs run`)
    const [first, ...args] = words
    if (first && (first.text.includes(HOLE) || first.glob || first.text === ''))
      this.opaque.push('which program runs is known only when it runs')
    if (args.some((word) => word.doubt)) this.vague.push('a word in it is known only when it runs')
    this.#folder(words)
    const unwrapped =
      depth < MOST_DEPTH ? unwrap(words) : { words: [], texts: [], through: false, exactOnly: false, opaque: 'it is nested too deeply' }
    const reason = unwrapped.opaque ?? suspicion(words)
    if (reason !== undefined) this.opaque.push(reason)
    const inner = unwrapped.words.filter((item) => item.length > 0).map((item) => this.#command(item, [], depth + 1))
    for (const text of unwrapped.texts) inner.push(...this.#read(text, depth + 1))
    const { through, exactOnly } = unwrapped
    return { words, assigned, accesses: accessesOf(words), inner, through, exactOnly }
  }

  #folder(words: readonly Word[]): void {
    const program = programOf(words)
    if (program === 'cd' || program === 'pushd') {
      const target = words.slice(1).find(({ text }) => !/^-[LPe@]+$/.test(text) && text !== '--')
      this.#folders.push(target && target.text !== '-' ? target : { ...plainWord(target ? HOLE : '~'), tilde: !target })
    }
    if (program !== 'git') return
    const { folder } = gitCall(words)
    if (folder) this.#folders.push(folder)
  }
}
