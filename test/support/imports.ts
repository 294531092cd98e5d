import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Node, Project, SyntaxKind, type SourceFile } from 'ts-morph'
import { ROOT } from './tree.ts'

/** The repository, and its program as ts-morph reads it: what each file imports, and whether it needs the code or only the types. */

export interface Import {
  /** File that imports, relative to the repository. */
  from: string
  /** File that is imported, or the package as it is written. */
  to: string
  /** Only types are taken: nothing is loaded at run time. */
  typeOnly: boolean
  /** Another file of the repository, no package. */
  own: boolean
}

/** The files of the program itself, without tests and scripts. */
export function programFiles(): SourceFile[] {
  const project = new Project({ skipAddingFilesFromTsConfig: true, compilerOptions: { allowJs: true } })
  const below = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
  // By name: a pattern would be looked for in the whole repository, where other tests make and remove files meanwhile.
  const paths = [
    'agentc.ts',
    ...['compiler', 'runner', 'schemas'].flatMap(below).filter((path) => path.endsWith('.ts') || /^schemas\W.*\.js$/.test(path)),
  ]
  return paths.sort().map((path) => project.addSourceFileAtPath(join(ROOT, path)))
}

export function pathOf(file: SourceFile): string {
  return posix.relative(ROOT, file.getFilePath())
}

export function importsOf(file: SourceFile): Import[] {
  const from = pathOf(file)
  const found = (specifier: string, typeOnly: boolean): Import => {
    const own = specifier.startsWith('.')
    return { from, to: own ? posix.join(posix.dirname(from), specifier) : specifier, typeOnly, own }
  }
  return [
    ...file.getImportDeclarations().map((node) => {
      const named = node.getNamedImports()
      const allTypes = named.length > 0 && !node.getDefaultImport() && named.every((item) => item.isTypeOnly())
      return found(node.getModuleSpecifierValue(), node.isTypeOnly() || allTypes)
    }),
    ...file.getExportDeclarations().flatMap((node) => {
      const specifier = node.getModuleSpecifierValue()
      const named = node.getNamedExports()
      const typeOnly = node.isTypeOnly() || (named.length > 0 && named.every((item) => item.isTypeOnly()))
      return specifier === undefined ? [] : [found(specifier, typeOnly)]
    }),
    ...dynamicImports(file).map((specifier) => found(specifier, false)),
    ...file.getDescendantsOfKind(SyntaxKind.ImportType).map((node) => found(literal(node.getArgument()), true)),
  ]
}

function dynamicImports(file: SourceFile): string[] {
  const calls = file.getDescendantsOfKind(SyntaxKind.CallExpression)
  return calls.flatMap((call) => (call.getExpression().getKind() === SyntaxKind.ImportKeyword ? [literal(call.getArguments()[0])] : []))
}

function literal(node: Node | undefined): string {
  const text = node && Node.isLiteralTypeNode(node) ? node.getLiteral() : node
  return text && Node.isStringLiteral(text) ? text.getLiteralValue() : '(computed)'
}

/** Whether a file uses a global, such as `process`, or imports it. Comments do not count. */
export function usesGlobal(file: SourceFile, name: string): boolean {
  if (!new RegExp(`\\b${name}\\b`).test(file.getFullText())) return false
  const imported = file.getImportDeclarations().some((node) => node.getModuleSpecifierValue() === `node:${name}`)
  const used = file.getDescendantsOfKind(SyntaxKind.Identifier).some((node) => node.getText() === name && !isMember(node))
  return imported || used
}

function isMember(node: Node): boolean {
  const parent = node.getParent()
  if (Node.isPropertyAccessExpression(parent)) return parent.getNameNode() === node && parent.getExpression().getText() !== 'globalThis'
  return Node.isPropertyAssignment(parent) || Node.isPropertySignature(parent) || Node.isBindingElement(parent)
}
