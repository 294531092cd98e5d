import { sha256 } from '../../schemas/canonical.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { didYouMean } from '../../schemas/near.ts'
import type { Profile } from '../../schemas/profile.ts'
import { HOST_ONLY, RETIRED, type Tool, type Traits } from '../../schemas/tools.ts'
import * as say from '../findings/typescript.ts'
import type { SourceFile } from '../source-file.ts'
import { inputSchema } from './input-schema.ts'
import { javascriptOf, readTool } from './syntax.ts'
import type { EntrySyntax, ToolSyntax } from './tool-syntax.ts'

/** The tools that the person and the project wrote, ready for views and manifest. */
export interface CustomTools {
  /** In the order of their names. */
  tools: Tool[]
  /** The code of each, by its hash: what is stored beside the manifest. */
  code: Map<string, string>
  diagnostics: Diagnostic[]
}

/**
 * Reads custom tools (issue 4, item 8). In: their files, lowest precedence first, and the profile whose names are taken. A tool is called
 * like its file; of two with one name the later one counts, as for agents. One with an error is left out.
 */
export function customTools(files: readonly SourceFile[], profile: Profile): CustomTools {
  const result: CustomTools = { tools: [], code: new Map(), diagnostics: [] }
  const winners = new Map(files.map((file) => [nameOf(file), file]))
  for (const [name, file] of [...winners].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const syntax = readTool(file.text)
    const { entry } = syntax
    const { schema, found: typeFaults } = schemaOf(syntax, file)
    const found = [...nameFaults(name, file, profile), ...entryFaults(syntax, file), ...typeFaults]
    result.diagnostics.push(...found)
    if (entry.kind !== 'function' || found.some(({ severity }) => severity === 'error')) continue
    const code = javascriptOf(file.text)
    const hash = sha256(code)
    result.code.set(hash, code)
    const traits = traitsOf(entry)
    result.tools.push({
      name,
      aliases: [],
      description: entry.description,
      inputSchema: schema,
      traits,
      code: { hash, origin: file.origin },
    })
  }
  return result
}

function nameOf({ origin: { path } }: SourceFile): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.ts$/, '')
}

/** Names that a model can call, and that neither people nor models mix up with a tool that is there. */
function nameFaults(name: string, file: SourceFile, profile: Profile): Diagnostic[] {
  if (!/^[A-Za-z][\w-]{0,63}$/.test(name) || name.startsWith('mcp__')) return [say.toolName(file, name)]
  const taken = [...profile.byName.keys(), ...HOST_ONLY, ...Object.keys(RETIRED)]
  const other = taken.find((known) => known.toLowerCase() === name.toLowerCase())
  return other === undefined ? [] : [say.nameClash(file, name, other)]
}

function entryFaults({ faults, imports, entry }: ToolSyntax, file: SourceFile): Diagnostic[] {
  const first = faults[0]
  if (first) return [say.syntax(file, first.range, first.value)]
  const loads = imports
    .filter(({ value }) => value === undefined || !value.startsWith('node:'))
    .map(({ value, range }) => say.unloadable(file, range, value))
  if (entry.kind === 'missing') return [...loads, say.noDefaultExport(file, [0, 0], 'Nothing is exported as default')]
  if (entry.kind === 'other') return [...loads, say.noDefaultExport(file, entry.range, 'What is exported as default is no function')]
  if (entry.kind === 'not-async')
    return [...loads, say.noDefaultExport(file, entry.range, 'The function that is exported as default is not `async`')]
  return [...loads, ...(entry.description === '' ? [say.undescribed(file, entry.range)] : []), ...annotationFaults(entry, file)]
}

type FunctionSyntax = EntrySyntax & { kind: 'function' }

/** What is known without an annotation: every agent may have it, and it may change things. */
const PLAIN: Traits = { readOnly: false, subAgents: true, customAgents: true, background: false }

/** Annotations in the comment of the function, and the traits they give. */
const ANNOTATIONS: Readonly<Record<string, Partial<Traits>>> = {
  readOnly: { readOnly: true },
  background: { background: true },
  mainOnly: { subAgents: false },
}

function traitsOf({ tags }: FunctionSyntax): Traits {
  const given = tags.map(({ value }) => (Object.hasOwn(ANNOTATIONS, value) ? ANNOTATIONS[value] : {}))
  return Object.assign({}, PLAIN, ...given) as Traits
}

/** Other tags belong to other programs; a near miss is a trait that was meant and is not there. */
function annotationFaults({ tags }: FunctionSyntax, file: SourceFile): Diagnostic[] {
  return tags.flatMap(({ value, range }) => {
    const meant = Object.hasOwn(ANNOTATIONS, value) ? undefined : didYouMean(value, Object.keys(ANNOTATIONS))
    return meant === undefined ? [] : [say.annotation(file, range, value, meant)]
  })
}

function schemaOf({ faults, entry, types }: ToolSyntax, file: SourceFile): ReturnType<typeof inputSchema> {
  if (faults.length > 0 || entry.kind !== 'function') return { schema: {}, found: [] }
  const [input, second] = entry.parameters
  if (second) return { schema: {}, found: [say.parameter(file, second.range, 'A tool takes one parameter, and this is another one')] }
  if (input && !input.type) return { schema: {}, found: [say.parameter(file, input.range, 'The parameter has no type')] }
  return inputSchema(input?.type ?? { kind: 'object', members: [], bases: [], range: entry.range }, file, types)
}
