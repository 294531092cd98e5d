import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CODES } from '../../schemas/codes.ts'
import type { Example } from '../../schemas/codes/code-doc.ts'
import { DISK } from '../../compiler/discover/file-system.ts'
import { add, find, lay } from './tree.ts'

const OF_DISCOVERY = [
  'file/too-large',
  'file/invalid-utf8',
  'file/unreadable',
  'file/broken-link',
  'file/link-loop',
  'file/not-regular',
  'plugin/missing',
  'plugin/invalid-manifest',
  'plugin/invalid-path',
] as const

/** The codes that discovery reports for an example of the table. */
function codesOf(example: Example): string[] {
  const root = lay({ 'project/': '' })
  const project = join(root, 'project')
  const files = typeof example === 'string' ? { '.claude/agents/example.md': example } : example
  for (const [path, file] of Object.entries(files)) {
    if (typeof file === 'string' || 'link' in file) add(project, { [path]: file })
    else add(project, { [path]: 'bytes' in file ? Uint8Array.from(file.bytes) : '' })
    if (typeof file === 'object' && 'size' in file) truncateSync(join(project, path), file.size)
  }
  const plugins = Object.keys(files).flatMap((path) => /^plugins\/[^/]+/.exec(path) ?? [])
  const pluginDirs = [...new Set(plugins)].map((path) => join(project, path))
  return find(root, { pluginDirs }, DISK).diagnostics.map(({ code }) => code)
}

test.each(OF_DISCOVERY)('the bad example of %s gives this code, the good one none', (code) => {
  expect(codesOf(CODES[code].bad)).toEqual([code])
  expect(codesOf(CODES[code].good)).toEqual([])
})
