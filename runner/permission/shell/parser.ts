import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import type { Node } from 'web-tree-sitter'

export type SyntaxNode = Node

/** Gives the root of a command line's syntax tree to `use`; the tree is gone afterwards. */
export type ParseShell = <T>(text: string, use: (root: SyntaxNode) => T) => T

let ready: Promise<ParseShell> | undefined

/**
 * The grammar of bash (web-tree-sitter, grammar of @vscode/tree-sitter-wasm; runner-facts.md B4), loaded at the first command:
 * it takes about 40 ms, which no run without Bash pays.
 */
export function shellParser(): Promise<ParseShell> {
  ready ??= load()
  return ready
}

async function load(): Promise<ParseShell> {
  // V8 would optimise the lexer, one function of 160 KB, after some command lines of a few bytes: that takes a third of a second of
  // processor time, and the program does not end before. Now the lexer has to be sixty times as hot as usual.
  setFlagsFromString('--wasm-tiering-budget=108000000')
  const { Language, Parser } = await import('web-tree-sitter')
  const [wasmBinary, grammar] = await Promise.all([bytes('web-tree-sitter'), bytes('@vscode/tree-sitter-wasm/wasm', 'tree-sitter-bash')])
  await Parser.init({ wasmBinary })
  const parser = new Parser().setLanguage(await Language.load(grammar))
  return (text, use) => {
    const tree = parser.parse(text)
    if (!tree) throw new Error('the parser of bash gave no tree')
    try {
      return use(tree.rootNode)
    } finally {
      tree.delete()
    }
  }
}

/** The file lies beside the bundle (scripts/build.mjs), and in its package when the sources run. */
async function bytes(folder: string, name = folder): Promise<Uint8Array> {
  for (const beside of ['../wasm', './wasm']) {
    const found = await readFile(new URL(`${beside}/${name}.wasm`, import.meta.url)).catch(() => undefined)
    if (found) return found
  }
  return readFile(createRequire(import.meta.url).resolve(`${folder}/${name}.wasm`))
}
