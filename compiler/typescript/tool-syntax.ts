import type { Located, Range } from '../../schemas/source.ts'

/** A tool's file as far as it is understood: data, with the place of every part. */
export interface ToolSyntax {
  /** What keeps the file from being TypeScript. */
  faults: Located<string>[]
  /** What it loads when it runs; `undefined` where that is computed. Imports of types alone load nothing. */
  imports: Located<string | undefined>[]
  entry: EntrySyntax
  /** The interfaces and type aliases of the file, by name. */
  types: ReadonlyMap<string, TypeSyntax>
}

/** What is exported as default: an async function, or why it is none. */
export type EntrySyntax =
  | { kind: 'missing' }
  | { kind: 'other'; range: Range }
  | { kind: 'not-async'; range: Range }
  | { kind: 'function'; range: Range; description: string; tags: Located<string>[]; parameters: ParameterSyntax[] }

export interface ParameterSyntax {
  range: Range
  type?: TypeSyntax
}

/** A type as it is written. `other` is everything that has no JSON Schema here. */
export type TypeSyntax = { range: Range } & (
  | { kind: 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'unknown' }
  | { kind: 'literal'; value: string | number | boolean }
  | { kind: 'array'; item: TypeSyntax }
  | { kind: 'tuple'; items: TypeSyntax[] }
  | { kind: 'record'; key: TypeSyntax; value: TypeSyntax }
  | { kind: 'object'; members: MemberSyntax[]; bases: TypeSyntax[] }
  | { kind: 'union'; parts: TypeSyntax[] }
  | { kind: 'reference'; name: string }
  | { kind: 'other' }
)

/** A member of an object type. Without a type it is a method, an index signature or a computed name. */
export interface MemberSyntax {
  name: string
  optional: boolean
  description: string
  type: TypeSyntax
  range: Range
}
