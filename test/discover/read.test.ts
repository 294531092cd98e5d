import { chmodSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../schemas/canonical.ts'
import { FILE_LIMIT } from '../../schemas/values.ts'
import { DISK } from '../../compiler/discover/file-system.ts'
import { add, codes, diskWith, find, lay, refusal, shown } from './tree.ts'

const FILE = 'project/.claude/agents/a.md'
const only = (leaf: string | Uint8Array) => find(lay({ [FILE]: leaf }))

test('a byte order mark is no part of the text, but of the hash', () => {
  const { files } = only('\ufeff---\nname: a\n')
  expect(files[0]).toMatchObject({ kind: 'agent', form: 'markdown', text: '---\nname: a\n', hash: sha256('\ufeff---\nname: a\n') })
})

test('line ends, blanks and a second byte order mark stay as they are', () => {
  expect(only('a\r\n\tb \r').files[0]?.text).toBe('a\r\n\tb \r')
  expect(only('\ufeff\ufeffa').files[0]?.text).toBe('\ufeffa')
  expect(only('').files[0]?.text).toBe('')
})

test('bytes that are not UTF-8 are read as U+FFFD with a warning at the first', () => {
  const bytes = Buffer.concat([Buffer.from('\ufeffCaf'), Buffer.from([0xe9]), Buffer.from(' ü '), Buffer.from([0xff])])
  const { files, diagnostics } = only(bytes)
  expect(files[0]?.text).toBe('Caf\ufffd ü \ufffd')
  expect(diagnostics).toMatchObject([{ code: 'file/invalid-utf8', severity: 'warning', at: { range: [3, 4], text: files[0]?.text } }])
})

test('a replacement character that is written is no fault', () => {
  expect(codes(only('Caf\ufffd'))).toEqual([])
})

test('1 MiB is read, one byte more is an error and not read', () => {
  expect(only(Buffer.alloc(FILE_LIMIT, 'a')).files[0]?.text.length).toBe(FILE_LIMIT)
  const root = lay({ [FILE]: '' })
  truncateSync(join(root, FILE), FILE_LIMIT + 1)
  const fs = diskWith({
    read: (path) => {
      throw new Error(`read ${path}`)
    },
  })
  const found = find(root, {}, fs)
  expect(found.diagnostics).toMatchObject([{ code: 'file/too-large', severity: 'error', at: { range: [0, 0], text: '' } }])
  expect(found.inputs.find((input) => input.path === join(root, FILE))).toEqual({
    path: join(root, FILE),
    kind: 'file',
    stat: expect.objectContaining({ size: FILE_LIMIT + 1 }),
  })
})

test('text of many reads arrives whole', () => {
  const text = Array.from({ length: 40_000 }, (_, i) => `ü${i}`).join(' ')
  expect(only(text).files[0]?.text).toBe(text)
})

test('a file that grew after its stat is measured by what was read', () => {
  const root = lay({ [FILE]: Buffer.alloc(FILE_LIMIT + 10, 'a') })
  const small = diskWith({ stat: (path) => shrink(path, 5) })
  expect(codes(find(root, {}, small))).toEqual(['file/too-large .claude/agents/a.md'])
  add(root, { [FILE]: 'grown' })
  expect(find(root, {}, diskWith({ stat: (path) => shrink(path, 2) })).files[0]?.text).toBe('grown')
  expect(find(root, {}, diskWith({ stat: (path) => shrink(path, 99) })).files[0]?.text).toBe('grown')
})

function shrink(path: string, size: number): ReturnType<typeof DISK.stat> {
  const stat = DISK.stat(path)
  return stat?.kind === 'file' ? { ...stat, size } : stat
}

test('a file that vanished before its stat or its read was never there', () => {
  const root = lay({ [FILE]: '', 'project/.claude/agents/b.md': 'b' })
  const noStat = diskWith({ stat: (path) => (path.endsWith('a.md') ? undefined : DISK.stat(path)) })
  const noRead = diskWith({
    read: (path, size, atMost) => {
      if (path.endsWith('a.md')) throw refusal('ENOENT')
      return DISK.read(path, size, atMost)
    },
  })
  for (const fs of [noStat, noRead]) {
    const found = find(root, {}, fs)
    expect([shown(found), codes(found)]).toEqual([['project .claude/agents/b.md'], []])
    expect(found.inputs.find((input) => input.path === join(root, FILE))?.kind).toBe('absent')
  }
})

test.each(['EACCES', 'EIO', 'EISDIR', 'EMFILE'])('a read refused with %s is an error, and the others go on', (code) => {
  const root = lay({ [FILE]: '', 'project/.claude/agents/b.md': 'b' })
  const fs = diskWith({
    read: (path, size, atMost) => {
      if (path.endsWith('a.md')) throw refusal(code)
      return DISK.read(path, size, atMost)
    },
  })
  const found = find(root, {}, fs)
  expect([shown(found), codes(found)]).toEqual([['project .claude/agents/b.md'], ['file/unreadable .claude/agents/a.md']])
})

test('a file without the right to read it is an error', (context) => {
  if (process.getuid?.() === 0) return context.skip('root may read everything')
  const root = lay({ [FILE]: 'x', 'project/.claude/agents/locked/b.md': '' })
  chmodSync(join(root, FILE), 0)
  chmodSync(join(root, 'project/.claude/agents/locked'), 0)
  expect(codes(find(root)).sort()).toEqual(['file/unreadable .claude/agents/a.md', 'file/unreadable .claude/agents/locked'])
  chmodSync(join(root, 'project/.claude/agents/locked'), 0o700)
})
