import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { ROOT } from './tree.ts'

/**
 * Holds a part of a document to what the tests computed: the text between `<!-- NAME -->` and `<!-- /NAME -->`.
 * With `UPDATE=1` it is written instead.
 */
export function expectPart(file: string, name: string, part: string): void {
  const path = join(ROOT, file)
  const text = readFileSync(path, 'utf8')
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const start = text.indexOf(open)
  const end = text.indexOf(close)
  expect(start, `${file} has the mark ${open}`).toBeGreaterThanOrEqual(0)
  expect(end, `${file} has the mark ${close}`).toBeGreaterThan(start)
  if (process.env['UPDATE']) writeFileSync(path, `${text.slice(0, start + open.length)}\n${part}\n${text.slice(end)}`)
  else expect(text.slice(start + open.length, end).trim()).toBe(part.trim())
}
