import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { HookGroup } from '../../schemas/shapes/hook.ts'
import type { Located, Range } from '../../schemas/source.ts'
import * as say from '../findings/field.ts'
import type { Node, ScalarNode } from '../parse/node.ts'
import type { SourceFile } from '../source-file.ts'

/** What a reader of a field needs: the file, and a place to put what it finds. */
export interface Reading {
  file: SourceFile
  found: Diagnostic[]
  /** Where `hooks` is not as documented. */
  looseHook?: Range
  /** The command lines of hooks, where they are written. */
  commands?: Located<string>[]
  /** Where each group of hooks stands. */
  hookPlaces?: Map<HookGroup, Range>
  /** Each group of hooks is to carry its own place. */
  placed?: boolean
}

/** Reads the value of one field; `undefined` leaves the field out, and a finding says why. */
export type FieldReader<T> = (node: Node, keyRange: Range, reading: Reading) => Located<T> | undefined

/** The value as it was written, for a message. */
export function shown(node: Node, file: SourceFile): string {
  return file.text.slice(...node.range)
}

export function isEmpty(node: Node): boolean {
  return node.kind === 'scalar' && (node.value === null || node.value === '')
}

/** The place to point at: a block or an empty value is reported at its key (what-to-report.md). */
export function pointAt(node: Node, keyRange: Range, file: SourceFile): Range {
  if (node.kind === 'scalar') return node.range
  return /[[{]/.test(file.text[node.range[0]] ?? '') ? node.range : keyRange
}

/** Reports a value the field does not take, and leaves the field out. */
export function refuse(
  key: string,
  node: Node,
  keyRange: Range,
  reading: Reading,
  expected: string,
  allowed: readonly string[] = [],
): undefined {
  const { file, found } = reading
  if (isEmpty(node)) found.push(say.emptyValue(file, keyRange, key))
  else found.push(say.invalidValue(file, pointAt(node, keyRange, file), key, shown(node, file), expected, allowed))
}

export function oneOf<T extends string>(key: string, allowed: readonly T[]): FieldReader<T> {
  return (node, keyRange, reading) => {
    const text = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
    const value = allowed.find((item) => item === text)
    if (value !== undefined) return { value, range: node.range }
    return refuse(key, node, keyRange, reading, `one of ${allowed.join(', ')}`, allowed)
  }
}

/** `true` and `false`, also as text; not yes, no, on or off (measured.md "Accepted values"). */
export function boolean(key: string): FieldReader<boolean> {
  return (node, keyRange, reading) => {
    const value = node.kind === 'scalar' ? node.value : undefined
    if (value === true || value === 'true') return { value: true, range: node.range }
    if (value === false || value === 'false') return { value: false, range: node.range }
    return refuse(key, node, keyRange, reading, 'true or false', ['true', 'false'])
  }
}

/** A whole number above zero, also as text (measured.md "Accepted values"). */
export function positiveInteger(key: string): FieldReader<number> {
  return (node, keyRange, reading) => {
    const value = node.kind === 'scalar' ? integerOf(node) : undefined
    if (value !== undefined && value > 0) return { value, range: node.range }
    return refuse(key, node, keyRange, reading, 'a whole number above zero')
  }
}

export function integerOf(node: ScalarNode): number | undefined {
  if (typeof node.value === 'number') return Number.isSafeInteger(node.value) ? node.value : undefined
  return typeof node.value === 'string' && /^-?\d{1,15}$/.test(node.value.trim()) ? Number(node.value) : undefined
}

/** Text that is not blank. */
export function text(key: string): FieldReader<string> {
  return (node, keyRange, reading) => {
    if (node.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '')
      return { value: node.value, range: node.range }
    return refuse(key, node, keyRange, reading, 'text')
  }
}
