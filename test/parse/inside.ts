import { expect } from 'vitest'
import { define } from '../../compiler/define/define.ts'
import { parse } from '../../compiler/parse/parse.ts'
import type { SourceFile } from '../../compiler/source-file.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Origin } from '../../schemas/source.ts'

export function markdown(text: string, origin: Partial<Origin> = {}): SourceFile {
  return { kind: 'agent', form: 'markdown', origin: { source: 'project', path: '.claude/agents/example.md', ...origin }, text }
}

/** Reads files as the compiler does, and holds every place of every part and every finding to the text of its file. */
export async function readInside(file: SourceFile): Promise<Diagnostic[]> {
  const documents = await parse([file])
  const { agents, diagnostics } = define(documents)
  for (const { root } of documents) if (root) expectRanges(root, file.text.length)
  for (const { at, related = [], fix } of diagnostics) {
    expectRanges([at.range, related.map((other) => other.at.range), fix?.edits.map((edit) => edit.range)], file.text.length)
  }
  for (const { file: _file, places, ...fields } of agents) expectRanges([fields, [...places.values()]], file.text.length)
  return diagnostics
}

/** Every pair of numbers, and nothing else in what is given, is a range. */
function expectRanges(value: unknown, length: number, key = ''): void {
  if (Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'number') && key !== 'value') {
    const [start, end] = value as [number, number]
    if (start < 0 || end < start || end > length) expect.fail(`[${start}, ${end}] is not inside a text of ${length}`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) expectRanges(part, length, name)
  }
}
