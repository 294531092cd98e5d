import { expect } from 'vitest'
import { readSubset } from '../../compiler/parse/subset.ts'
import { readYaml } from '../../compiler/parse/yaml-document.ts'

/** What stands before the block in a file, so that offsets into the file and into the block differ. */
const BEFORE = '---\n'

/** Whether the subset reader covers a frontmatter; if it does, the yaml package must give the same nodes at the same places. */
export function agreement(text: string): boolean {
  const quick = readSubset(`${BEFORE}${text}`, [BEFORE.length, BEFORE.length + text.length])
  if (!quick) return false
  const slow = readYaml(text)
  expect(slow).toEqual({ root: relocated(quick) })
  return true
}

function relocated<T>(value: T): T {
  if (Array.isArray(value)) return value.map(relocated) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === 'range' || key === 'keyRange' ? (part as number[]).map((offset) => offset - BEFORE.length) : relocated(part),
    ]),
  ) as T
}
