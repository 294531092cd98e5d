import type { Diagnostic } from '../../schemas/diagnostic.ts'
import * as say from '../findings/typescript.ts'
import type { SourceFile } from '../source-file.ts'
import type { MemberSyntax, ToolSyntax, TypeSyntax } from './tool-syntax.ts'

export type Schema = Record<string, unknown>

/** What a translation needs: the types of the file, and a place for what it finds. */
interface Translation {
  file: SourceFile
  types: ToolSyntax['types']
  found: Diagnostic[]
  /** Names that are being looked into, to see a type that holds itself. */
  open: readonly string[]
  /** How many more types may be put in: named types that use each other twice grow without bound. */
  room: { left: number }
}

const TYPE_LIMIT = 2000

/**
 * The JSON Schema of a tool's input from the type of its parameter. What the grammar does not cover is reported at that very node,
 * and stands for anything in the schema, which nobody will see: each such finding is an error.
 */
export function inputSchema(
  type: TypeSyntax | undefined,
  file: SourceFile,
  types: ToolSyntax['types'],
): { schema: Schema; found: Diagnostic[] } {
  const translation: Translation = { file, types, found: [], open: [], room: { left: TYPE_LIMIT } }
  const schema: Schema = type ? translated(type, translation) : OBJECT([], {})
  if (type && translation.found.length === 0 && schema['type'] !== 'object') translation.found.push(say.inputNoObject(file, type.range))
  return { schema, found: translation.found }
}

const OBJECT = (required: string[], properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
})

function translated(type: TypeSyntax, translation: Translation): Schema {
  translation.room.left -= 1
  if (translation.room.left === 0) return refuse(type, translation, `comes to more than ${TYPE_LIMIT} types in one schema`)
  if (translation.room.left < 0) return {}
  switch (type.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return { type: type.kind }
    case 'unknown':
      return {}
    case 'literal':
      return { const: type.value, type: typeof type.value }
    case 'array':
      return { type: 'array', items: translated(type.item, translation) }
    case 'tuple':
      return tuple(type.items, translation)
    case 'record':
      return record(type, translation)
    case 'object':
      return object(type, translation)
    case 'union':
      return union(type.parts, translation)
    case 'reference':
      return reference(type, translation)
    default:
      return refuse(type, translation, 'has no JSON Schema here')
  }
}

function refuse({ range }: TypeSyntax, { file, found }: Translation, reason: string): Schema {
  found.push(say.unsupportedType(file, range, file.text.slice(...range), reason))
  return {}
}

/** The two drafts in use write tuples differently; the kinds of items and their number are written the same way in both. */
function tuple(parts: readonly TypeSyntax[], translation: Translation): Schema {
  const items = parts.length === 0 ? {} : union(parts, translation)
  return { type: 'array', items, minItems: parts.length, maxItems: parts.length }
}

function record({ key, value }: TypeSyntax & { kind: 'record' }, translation: Translation): Schema {
  if (key.kind !== 'string') return refuse(key, translation, 'is no key of a JSON object; write `string`, or a type that names the members')
  return { type: 'object', additionalProperties: translated(value, translation) }
}

function object({ members, bases }: TypeSyntax & { kind: 'object' }, translation: Translation): Schema {
  const properties = new Map<string, Schema>()
  const required = new Set<string>()
  for (const base of bases) {
    const schema = translated(base, translation)
    for (const [name, member] of Object.entries((schema['properties'] as Record<string, Schema> | undefined) ?? {}))
      properties.set(name, member)
    for (const name of (schema['required'] as string[] | undefined) ?? []) required.add(name)
  }
  for (const member of members) {
    const { schema, optional } = property(member, translation)
    properties.set(member.name, schema)
    if (optional) required.delete(member.name)
    else required.add(member.name)
  }
  return OBJECT([...required], Object.fromEntries(properties))
}

/** `undefined` has no place in JSON: a member that may be undefined may be left out. */
function property({ type, optional, description }: MemberSyntax, translation: Translation): { schema: Schema; optional: boolean } {
  const parts = type.kind === 'union' ? type.parts.filter((part) => part.kind !== 'undefined') : [type]
  const open = type.kind === 'union' && parts.length < type.parts.length
  const kept: TypeSyntax = open ? { kind: 'union', parts, range: type.range } : type
  const schema = translated(kept, translation)
  return { schema: description === '' ? schema : { ...schema, description }, optional: optional || open }
}

/** Literals become an `enum`; everything else is one of several schemas. */
function union(parts: readonly TypeSyntax[], translation: Translation): Schema {
  const all = flattened(parts, translation)
  if (all.length === 1) return translated(all[0]!, translation)
  if (all.every((part) => part.kind === 'literal' || part.kind === 'null')) {
    const values = [...new Set(all.map((part) => (part.kind === 'literal' ? part.value : null)))]
    const [kind, ...more] = new Set(values.map((value) => (value === null ? 'null' : typeof value)))
    return { ...(more.length === 0 && { type: kind }), enum: values }
  }
  return { anyOf: all.map((part) => translated(part, translation)) }
}

/** Unions inside unions, also those with a name of their own. */
function flattened(parts: readonly TypeSyntax[], translation: Translation): TypeSyntax[] {
  return parts.flatMap((part) => {
    if (part.kind === 'union') return flattened(part.parts, translation)
    const named = part.kind === 'reference' && !translation.open.includes(part.name) ? translation.types.get(part.name) : undefined
    if (part.kind !== 'reference' || named?.kind !== 'union') return [part]
    return flattened(named.parts, { ...translation, open: [...translation.open, part.name] })
  })
}

function reference(type: TypeSyntax & { kind: 'reference' }, translation: Translation): Schema {
  const { types, open } = translation
  const target = types.get(type.name)
  if (!target) return refuse(type, translation, 'is not declared in this file, and no other file is read')
  if (open.includes(type.name)) return refuse(type, translation, 'holds itself, and the schema of a tool has an end')
  if (target.kind === 'other') return refuse(type, translation, 'has no JSON Schema here')
  return translated(target, { ...translation, open: [...open, type.name] })
}
