import type { SyntaxNode } from './parser.ts'

const WORDS = new Set(['word', 'number', 'string', 'raw_string', 'ansi_c_string', 'translated_string', 'concatenation', 'simple_expansion', 'expansion', 'command_substitution', 'process_substitution', 'arithmetic_expansion', 'brace_expression', 'extglob_pattern', 'command_name', 'regex', 'test_operator', 'variable_name', 'array']) // prettier-ignore

/** Whether a node is a word of the command in which it stands. */
export function isWord(node: SyntaxNode): boolean {
  return WORDS.has(node.type)
}

/** Shapes that no rule about single commands allows. */
const OPAQUE: Readonly<Record<string, string>> = {
  function_definition: 'it defines a function',
  process_substitution: 'it hands the output of a command on as a file',
}
const VAGUE: Readonly<Record<string, string>> = {
  subshell: 'it groups commands',
  compound_statement: 'it groups commands',
  command_substitution: 'it puts the output of a command into another',
  test_command: 'it computes',
  arithmetic_expansion: 'it computes',
  subscript: 'it computes',
  c_style_for_statement: 'it computes',
}

/** What the shape of a line leaves open, whatever its commands are. */
export function structureOf(node: SyntaxNode): { opaque?: string | undefined; vague?: string | undefined } {
  const { type } = node
  if (type === 'expansion' && /@[A-Za-z]\}$|^\$\{!/.test(node.text)) return { opaque: 'an expansion in it is evaluated once more' }
  if (type === 'heredoc_redirect') return isQuoted(node) ? {} : { vague: 'it holds a text in which the shell replaces' }
  const background = type !== 'string' && node.children.some((child) => child.type === '&')
  return { opaque: OPAQUE[type], vague: VAGUE[type] ?? (background ? 'it leaves a command in the background' : undefined) }
}

/** What the shell never looks into. */
const LITERAL = new Set(['raw_string', 'ansi_c_string', 'comment', 'heredoc_start', 'heredoc_end'])

/** A substitution with no backslash before it. */
const SUBSTITUTES = /(?:^|[^\\])(?:\\\\)*(?:`|\$\(|\$\{)/

/** Substitutions that the grammar does not see, in here-documents with tabs and in expansions: what they run. `undefined`: there is none. */
export function hiddenIn(node: SyntaxNode): string[] | undefined {
  if (!node.isNamed || LITERAL.has(node.type) || !SUBSTITUTES.test(node.text)) return undefined
  if (node.type === 'heredoc_body' && node.parent && isQuoted(node.parent)) return undefined
  return [...node.text.matchAll(/`([^`]*)`|\$\(([^()]*)\)/g)].map(([, back, dollar]) => back ?? dollar ?? '')
}

/** A quoted end word makes the text of a here-document data. */
function isQuoted(heredoc: SyntaxNode): boolean {
  return /['"\\]/.test(heredoc.namedChildren.find((child) => child.type === 'heredoc_start')?.text ?? '')
}
