import {
  Node,
  Project,
  SyntaxKind,
  ts,
  type ExpressionWithTypeArguments,
  type FunctionDeclaration,
  type JSDocableNode,
  type SourceFile,
  type TypeElementTypes,
  type TypeNode,
} from 'ts-morph'
import type { Located, Range } from '../../schemas/source.ts'
import type { EntrySyntax, MemberSyntax, ToolSyntax, TypeSyntax } from './tool-syntax.ts'

/**
 * The one door to ts-morph. It reads syntax in memory: nothing is executed, type-checked, or looked up on the disk, and no tsconfig counts.
 * In: the text of a file. Out: what it says, as data.
 */
export function readTool(text: string): ToolSyntax {
  try {
    return understood(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const fault = { value: 'it is nested too deeply to be read', range: [0, 0] as const }
    return { faults: [fault], imports: [], entry: { kind: 'missing' }, types: new Map() }
  }
}

function understood(text: string): ToolSyntax {
  const { diagnostics = [] } = transpile(text, true)
  const faults = diagnostics.map(({ messageText, start = 0, length = 0 }) => {
    return { value: ts.flattenDiagnosticMessageText(messageText, ' '), range: [start, start + length] as const }
  })
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true, skipFileDependencyResolution: true })
  const file = project.createSourceFile('/tool.ts', text)
  return { faults, imports: importsOf(file), entry: entryOf(file), types: typesOf(file) }
}

/** The program without its types, as an ES module: one file in, one file out. */
export function javascriptOf(text: string): string {
  return transpile(text, false).outputText
}

function transpile(text: string, reportDiagnostics: boolean): ts.TranspileOutput {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, newLine: ts.NewLineKind.LineFeed }
  return ts.transpileModule(text, { compilerOptions, reportDiagnostics, fileName: 'tool.ts' })
}

const rangeOf = (node: Node): Range => [node.getStart(), node.getEnd()]

function importsOf(file: SourceFile): Located<string | undefined>[] {
  const declared = [...file.getImportDeclarations(), ...file.getExportDeclarations()].flatMap((node) => {
    const named = Node.isImportDeclaration(node) ? node.getNamedImports() : node.getNamedExports()
    const bare = Node.isImportDeclaration(node) && (node.getDefaultImport() ?? node.getNamespaceImport())
    const typeOnly = node.isTypeOnly() || (named.length > 0 && !bare && named.every((item) => item.isTypeOnly()))
    const specifier = node.getModuleSpecifier()
    return specifier && !typeOnly ? [{ value: specifier.getLiteralValue(), range: rangeOf(specifier) }] : []
  })
  const required = file.getDescendantsOfKind(SyntaxKind.ExternalModuleReference).map((node) => ({ value: undefined, range: rangeOf(node) }))
  const calls = file.getDescendantsOfKind(SyntaxKind.CallExpression).filter((call) => Node.isImportExpression(call.getExpression()))
  const dynamic = calls.map((call) => {
    const [argument] = call.getArguments()
    return { value: Node.isStringLiteral(argument) ? argument.getLiteralValue() : undefined, range: rangeOf(argument ?? call) }
  })
  return [...declared, ...required, ...dynamic].sort((a, b) => a.range[0] - b.range[0])
}

function entryOf(file: SourceFile): EntrySyntax {
  const declared = file.getFunctions().find((node) => node.hasDefaultKeyword() && node.hasBody())
  if (declared) return functionOf(declared, [declared])
  const exported = file.getExportAssignments().find((node) => !node.isExportEquals())
  if (!exported) {
    const other = file.getStatements().find((node) => Node.isModifierable(node) && node.hasModifier(SyntaxKind.DefaultKeyword))
    return other ? { kind: 'other', range: rangeOf(other) } : { kind: 'missing' }
  }
  const expression = exported.getExpression()
  if (!Node.isIdentifier(expression)) return functionOf(expression, [exported])
  const name = expression.getText()
  const named = file.getFunctions().find((node) => node.getName() === name && node.hasBody())
  if (named) return functionOf(named, [named, exported])
  const variable = file.getVariableDeclaration(name)
  const initializer = variable?.getInitializer()
  return initializer
    ? functionOf(initializer, [variable!.getVariableStatement()!, exported])
    : { kind: 'other', range: rangeOf(expression) }
}

function functionOf(node: Node, documented: readonly JSDocableNode[]): EntrySyntax {
  const plain = Node.isFunctionDeclaration(node) || Node.isFunctionExpression(node) || Node.isArrowFunction(node)
  if (!plain || (!Node.isArrowFunction(node) && node.isGenerator())) return { kind: 'other', range: rangeOf(node) }
  const range = headOf(node)
  if (!node.isAsync()) return { kind: 'not-async', range }
  const docs = documented.map((item) => item.getJsDocs().at(-1)).find((doc) => doc !== undefined)
  const parameters = node.getParameters().map((parameter) => {
    const type = parameter.getTypeNode()
    return { range: rangeOf(parameter), ...(type && { type: typeOf(type) }) }
  })
  const tags = docs?.getTags().map((tag) => ({ value: tag.getTagName(), range: [tag.getStart(), tag.getTagNameNode().getEnd()] as const }))
  return { kind: 'function', range, description: docs?.getDescription().trim() ?? '', tags: tags ?? [], parameters }
}

/** The name of a function, or the line it begins on. */
function headOf(node: FunctionDeclaration | Node): Range {
  const name = Node.isFunctionDeclaration(node) ? node.getNameNode() : undefined
  if (name) return rangeOf(name)
  const [first] = node.getText().split('\n')
  return [node.getStart(), node.getStart() + first!.trimEnd().length]
}

/** A type with parameters of its own has no schema by itself. */
function typesOf(file: SourceFile): Map<string, TypeSyntax> {
  const types = new Map<string, TypeSyntax>()
  for (const node of file.getTypeAliases()) {
    const type = node.getTypeNode()
    if (type) types.set(node.getName(), node.getTypeParameters().length > 0 ? other(node.getNameNode()) : typeOf(type))
  }
  for (const node of file.getInterfaces()) {
    const plain: TypeSyntax = {
      kind: 'object',
      members: node.getMembers().map(memberOf),
      bases: node.getExtends().map(baseOf),
      range: rangeOf(node.getNameNode()),
    }
    types.set(node.getName(), node.getTypeParameters().length > 0 || types.has(node.getName()) ? other(node.getNameNode()) : plain)
  }
  return types
}

function baseOf(node: ExpressionWithTypeArguments): TypeSyntax {
  const plain = node.getTypeArguments().length === 0 && Node.isIdentifier(node.getExpression())
  return plain ? { kind: 'reference', name: node.getExpression().getText(), range: rangeOf(node) } : other(node)
}

const other = (node: Node): TypeSyntax => ({ kind: 'other', range: rangeOf(node) })

const KEYWORDS = new Map<SyntaxKind, 'string' | 'number' | 'boolean' | 'unknown' | 'undefined'>([
  [SyntaxKind.StringKeyword, 'string'],
  [SyntaxKind.NumberKeyword, 'number'],
  [SyntaxKind.BooleanKeyword, 'boolean'],
  [SyntaxKind.UnknownKeyword, 'unknown'],
  [SyntaxKind.UndefinedKeyword, 'undefined'],
])

function typeOf(node: TypeNode): TypeSyntax {
  const range = rangeOf(node)
  const keyword = KEYWORDS.get(node.getKind())
  if (keyword) return { kind: keyword, range }
  if (Node.isParenthesizedTypeNode(node)) return { ...typeOf(node.getTypeNode()), range }
  if (Node.isLiteralTypeNode(node)) return literalOf(node.getLiteral(), range)
  if (Node.isArrayTypeNode(node)) return { kind: 'array', item: typeOf(node.getElementTypeNode()), range }
  if (Node.isTupleTypeNode(node)) return { kind: 'tuple', items: node.getElements().map(typeOf), range }
  if (Node.isUnionTypeNode(node)) return { kind: 'union', parts: node.getTypeNodes().map(typeOf), range }
  if (Node.isTypeLiteral(node)) return { kind: 'object', members: node.getMembers().map(memberOf), bases: [], range }
  if (Node.isTypeOperatorTypeNode(node) && node.getOperator() === SyntaxKind.ReadonlyKeyword) return typeOf(node.getTypeNode())
  if (!Node.isTypeReference(node) || !Node.isIdentifier(node.getTypeName())) return other(node)
  const [name, [first, second, ...more]] = [node.getTypeName().getText(), node.getTypeArguments()]
  if (!first) return { kind: 'reference', name, range }
  if (name === 'Record' && second && more.length === 0) return { kind: 'record', key: typeOf(first), value: typeOf(second), range }
  return /^(?:Readonly)?Array$/.test(name) && !second ? { kind: 'array', item: typeOf(first), range } : other(node)
}

function literalOf(node: Node, range: Range): TypeSyntax {
  if (Node.isNullLiteral(node)) return { kind: 'null', range }
  if (Node.isTrueLiteral(node) || Node.isFalseLiteral(node)) return { kind: 'literal', value: Node.isTrueLiteral(node), range }
  if (Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node))
    return { kind: 'literal', value: node.getLiteralValue(), range }
  if (Node.isNumericLiteral(node) || Node.isPrefixUnaryExpression(node))
    return { kind: 'literal', value: Number(node.getText().replaceAll(/[\s_]/g, '')), range }
  return { kind: 'other', range }
}

function memberOf(node: TypeElementTypes): MemberSyntax {
  const range = rangeOf(node)
  if (!Node.isPropertySignature(node)) return { name: '', optional: false, description: '', type: { kind: 'other', range }, range }
  const name = node.getNameNode()
  const type = node.getTypeNode()
  const known = Node.isIdentifier(name) ? name.getText() : Node.isStringLiteral(name) ? name.getLiteralValue() : undefined
  return {
    name: known ?? '',
    optional: node.hasQuestionToken(),
    description: node.getJsDocs().at(-1)?.getDescription().trim() ?? '',
    type: known !== undefined && type ? typeOf(type) : { kind: 'other', range },
    range,
  }
}
