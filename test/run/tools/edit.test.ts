import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editTool } from '../../../runner/tools/edit.ts'
import { readTool } from '../../../runner/tools/read.ts'
import { replaced } from '../../../runner/tools/replace.ts'
import { childToolState } from '../../../runner/tools/state.ts'
import { writeTool } from '../../../runner/tools/write.ts'
import { folder } from '../stage.ts'
import { call, toolContext } from './use.ts'

const edit = (file_path: string, old_string: string, new_string: string, more = {}) => ({ file_path, old_string, new_string, ...more })

interface Refusal {
  files?: Record<string, string | Buffer>
  links?: Record<string, string>
  /** Read before; the file of the edit by default. */
  read?: string[]
  /** Done between reading and editing. */
  between?(cwd: string): void
  input: ReturnType<typeof edit>
  says: RegExp
}

const A = { 'a.txt': 'one\ntwo\none\n' }

/** Every refusal of M18. In each the files stay as they are. */
const REFUSALS: Record<string, Refusal> = {
  'a file that was not read': {
    files: A,
    read: [],
    input: edit('a.txt', 'two', '2'),
    says: /has not been read in this conversation: read it first/,
  },
  'a file that changed since': {
    files: A,
    between: (cwd) => writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\nxxx\n'),
    input: edit('a.txt', 'two', '2'),
    says: /has changed since it was read: read it again/,
  },
  'a file that changed behind its size and time': {
    files: A,
    between(cwd) {
      const { atime, mtime } = statSync(join(cwd, 'a.txt'))
      writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n111\n')
      utimesSync(join(cwd, 'a.txt'), atime, mtime)
    },
    input: edit('a.txt', 'two', '2'),
    says: /has changed since it was read/,
  },
  'a file that is not there': { read: [], input: edit('none.txt', 'a', 'b'), says: /does not exist\. A new file is made with Write/ },
  'a link that was put in its place': {
    files: A,
    between(cwd) {
      renameSync(join(cwd, 'a.txt'), join(cwd, 'b.txt'))
      symlinkSync('b.txt', join(cwd, 'a.txt'))
    },
    input: edit('a.txt', 'two', '2'),
    says: /is a link/,
  },
  'a binary file': { files: { 'a.bin': Buffer.from('two\0') }, input: edit('a.bin', 'two', '2'), says: /has not been read/ },
  'a picture': {
    files: { 'a.png': Buffer.from('\x89PNG\r\n\x1A\n\0\0two', 'latin1') },
    input: edit('a.png', 'two', '2'),
    says: /is binary, not text/,
  },
  'a link': {
    files: A,
    links: { 'l.txt': 'a.txt' },
    input: edit('l.txt', 'two', '2'),
    says: /is a link, and links are not written through/,
  },
  'a link that leads out': {
    links: { 'l.txt': '/etc/hostname' },
    read: [],
    input: edit('l.txt', 'a', 'b'),
    says: /lies outside the project/,
  },
  'a file outside': { read: [], input: edit('../x.txt', 'a', 'b'), says: /lies outside the project/ },
  'a folder': { files: { 'd/a.txt': '' }, read: [], input: edit('d', 'a', 'b'), says: /is a folder/ },
  'a file in .git': {
    files: { '.git/config': 'two' },
    input: edit('.git/config', 'two', '2'),
    says: /protected and is never written: it belongs to git/,
  },
  'a file in .git of a submodule': { files: { 'm/.git/config': 'two' }, input: edit('m/.git/config', 'two', '2'), says: /belongs to git/ },
  'a file in .GIT': { files: { '.GIT/config': 'two' }, input: edit('.GIT/config', 'two', '2'), says: /belongs to git/ },
  'the .git file of a worktree': { files: { 'w/.git': 'gitdir: x' }, input: edit('w/.git', 'x', 'y'), says: /belongs to git/ },
  'a file in .git through a linked folder': {
    files: { '.git/config': 'two' },
    links: { g: '.git' },
    input: edit('g/config', 'two', '2'),
    says: /belongs to git/,
  },
  '.env': { files: { '.env': 'A=two' }, input: edit('.env', 'two', '2'), says: /it is a file of secrets/ },
  '.env.production': { files: { 'x/.env.production': 'A=two' }, input: edit('x/.env.production', 'two', '2'), says: /file of secrets/ },
  'the manifest': {
    files: { '.agentc/manifest.json': '{}' },
    input: edit('.agentc/manifest.json', '{', '['),
    says: /it belongs to agentc/,
  },
  'a notebook': { files: { 'a.ipynb': '{}' }, input: edit('a.ipynb', '{', '['), says: /is a notebook: change its cells with NotebookEdit/ },
  'a write-protected file': {
    files: A,
    between: (cwd) => chmodSync(join(cwd, 'a.txt'), 0o444),
    input: edit('a.txt', 'two', '2'),
    says: /is write-protected/,
  },
  'a text that is not there': { files: A, input: edit('a.txt', 'three', '3'), says: /old_string is not in a\.txt/ },
  'a text with line numbers': { files: A, input: edit('a.txt', '2\ttwo', '2'), says: /Leave out the line numbers/ },
  'a text with other blanks': { files: { 'a.txt': 'if  (x)\n' }, input: edit('a.txt', 'if (x)', 'y'), says: /other blanks or line ends/ },
  'a text with other capitals': { files: A, input: edit('a.txt', 'Two', 'y'), says: /other capital letters/ },
  'a text that is there twice': {
    files: A,
    input: edit('a.txt', 'one', '1'),
    says: /old_string is in a\.txt 2 times \(lines 1, 3\)\. Give more of the text around it, or set replace_all/,
  },
  'a text that overlaps itself': { files: { 'a.txt': 'aaa' }, input: edit('a.txt', 'aa', 'b'), says: /2 times/ },
  'a text that is there very often': { files: { 'a.txt': 'x'.repeat(5000) }, input: edit('a.txt', 'x', 'y'), says: /1000 times or more/ },
  'an empty text': { files: A, input: edit('a.txt', '', 'y'), says: /old_string is empty/ },
  'equal texts': { files: A, input: edit('a.txt', 'two', 'two'), says: /are the same/ },
  'a change that changes nothing': {
    files: { 'a.txt': 'a\r\nb\r\n' },
    input: edit('a.txt', 'a\r\nb', 'a\nb'),
    says: /would stay as it is/,
  },
  'letters that an unknown encoding may not have': {
    files: { 'a.txt': Buffer.from('gr\xFC\xDFe two', 'latin1') },
    input: edit('a.txt', 'two', 'zwölf'),
    says: /neither UTF-8 nor UTF-16: only ASCII/,
  },
  'half of a character': { files: A, input: edit('a.txt', 'two', 'x\uD800'), says: /new_string holds characters that a\.txt cannot hold/ },
}

describe('Edit refuses', () => {
  test.each(Object.entries(REFUSALS))('%s', async (_, { files = {}, links = {}, read, between, input, says }) => {
    const cwd = await folder()
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true })
      writeFileSync(join(cwd, path), content)
    }
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(cwd, path))
    const context = await toolContext(cwd)
    for (const file_path of read ?? [input.file_path]) await call(readTool, context, { file_path })
    between?.(cwd)
    const before = Object.keys(files).map((path) => readFileSync(join(cwd, path), 'latin1'))
    expect(await editTool.effects!(input, context)).toEqual([])
    expect(await call(editTool, context, input)).toEqual({ text: expect.stringMatching(says), isError: true })
    expect(Object.keys(files).map((path) => readFileSync(join(cwd, path), 'latin1'))).toEqual(before)
  })
})

async function edited(bytes: Buffer | string, old: string, fresh: string, more = {}): Promise<Buffer> {
  const cwd = await folder()
  writeFileSync(join(cwd, 'a.txt'), bytes)
  const context = await toolContext(cwd)
  await call(readTool, context, { file_path: 'a.txt' })
  const output = await call(editTool, context, edit('a.txt', old, fresh, more))
  expect(output).toEqual({ text: expect.stringContaining('Changed a.txt'), isError: false })
  return readFileSync(join(cwd, 'a.txt'))
}

describe('Edit keeps the bytes around its change', () => {
  test('line ends: those of the place it changes, CRLF or LF, in a mixed file too', async () => {
    expect((await edited('a\r\nb\r\nc', 'a\nb', 'x\ny\nz')).toString()).toBe('x\r\ny\r\nz\r\nc')
    expect((await edited('a\nb\nc', 'b\n', 'x\ny\n')).toString()).toBe('a\nx\ny\nc')
    expect((await edited('a\r\nb\nc\n', 'b\nc', 'x\ny')).toString()).toBe('a\r\nx\ny\n')
    expect((await edited('a\r\nb\r\n', 'b', 'x\ny')).toString()).toBe('a\r\nx\r\ny\r\n')
    expect((await edited('a\nb\n', 'b', 'x\r\ny')).toString()).toBe('a\nx\r\ny\n')
  })

  test('a byte order mark, no line end at the end, and control characters', async () => {
    expect((await edited('\uFEFFone\ntwo', 'one', '1')).toString()).toBe('\uFEFF1\ntwo')
    expect((await edited('one\x0C\x1B[0m two', 'two', '2')).toString()).toBe('one\x0C\x1B[0m 2')
  })

  test('UTF-16 in both orders', async () => {
    const little = Buffer.from('\uFEFFgrün\r\ntwo', 'utf16le')
    expect(await edited(little, 'grün\ntwo', 'blau ß\nzwei')).toEqual(Buffer.from('\uFEFFblau ß\r\nzwei', 'utf16le'))
    const big = Buffer.from(little).swap16()
    expect(await edited(big, 'two', '2')).toEqual(Buffer.from('\uFEFFgrün\r\n2', 'utf16le').swap16())
  })

  test('bytes that are no UTF-8', async () => {
    expect(await edited(Buffer.from('gr\xFC\xDFe\r\ntwo \xFF', 'latin1'), 'two', '2')).toEqual(
      Buffer.from('gr\xFC\xDFe\r\n2 \xFF', 'latin1'),
    )
  })

  test('signs that mean something to a pattern or a replacement', async () => {
    expect((await edited('a.(b)*[c] $1', '.(b)*[c]', '$& $1 $$ \\n')).toString()).toBe('a$& $1 $$ \\n $1')
  })

  test('the mode of the file, and the content under its other name', async () => {
    const cwd = await folder({ 'a.sh': 'one\n' })
    chmodSync(join(cwd, 'a.sh'), 0o751)
    linkSync(join(cwd, 'a.sh'), join(cwd, 'other'))
    const context = await toolContext(cwd)
    await call(readTool, context, { file_path: 'a.sh' })
    await call(editTool, context, edit('a.sh', 'one', 'two'))
    expect([statSync(join(cwd, 'a.sh')).mode & 0o777, readFileSync(join(cwd, 'other'), 'utf8')]).toEqual([0o751, 'one\n'])
  })

  test('any text in any file: what is before and behind the one place stays', () => {
    const part = fc.stringMatching(/^[a-c\r\nä🦊]{0,12}$/u)
    fc.assert(
      fc.property(part, part, part, (before, after, fresh) => {
        const outcome = replaced(`${before}<X>${after}`, '<X>', fresh, false)
        expect(outcome.kind).toBe('done')
        const { text } = outcome as { text: string }
        expect([text.slice(0, before.length), text.slice(text.length - after.length)]).toEqual([before, after])
      }),
    )
  })
})

test('replace_all changes every place, and says how much changed', async () => {
  expect((await edited('aXbXc\nX\r\n', 'X', 'YY', { replace_all: true })).toString()).toBe('aYYbYYc\nYY\r\n')
})

const LONG = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`)

test('a small change is shown as a diff, a large one in numbers, one between as a diff that may be cut', async () => {
  const cwd = await folder({ 'a.txt': `${LONG.join('\n')}\n` })
  const context = await toolContext(cwd)
  await call(readTool, context, { file_path: 'a.txt' })
  const small = await call(editTool, context, edit('a.txt', 'line 50\n', 'LINE 50\n'))
  expect(small.text).toBe(
    'Changed a.txt: 1 line added, 1 removed; 100 lines now.\n@@ -47,7 +47,7 @@\n line 47\n line 48\n line 49\n-line 50\n+LINE 50\n line 51\n line 52\n line 53',
  )
  const middle = await call(editTool, context, edit('a.txt', LONG.slice(0, 40).join('\n'), LONG.slice(0, 40).join('!\n')))
  expect(middle.text).toMatch(/^Changed a\.txt: 39 lines added, 39 removed; 100 lines now\.\n@@[^]*more lines of the diff left out\]$/)
  const large = await call(writeTool, context, { file_path: 'a.txt', content: 'all new\n' })
  expect(large.text).toBe('Changed a.txt: 1 line added, 100 removed; 1 line now.')
})

test('what was written counts as read, also for the next edit, and a touch is no change', async () => {
  const cwd = await folder({ 'a.txt': 'one\n' })
  const context = await toolContext(cwd)
  await call(readTool, context, { file_path: 'a.txt' })
  await call(editTool, context, edit('a.txt', 'one', 'two'))
  utimesSync(join(cwd, 'a.txt'), 1, 1)
  expect((await call(editTool, context, edit('a.txt', 'two', 'three'))).isError).toBe(false)
  await call(writeTool, context, { file_path: 'b.txt', content: 'x' })
  expect((await call(editTool, context, edit('b.txt', 'x', 'y'))).isError).toBe(false)
})

test('a sub-agent knows what its parent has read, and its parent does not know what it reads', async () => {
  const cwd = await folder({ 'a.txt': 'one\n', 'b.txt': 'one\n' })
  const parent = await toolContext(cwd)
  await call(readTool, parent, { file_path: 'a.txt' })
  const child = { ...parent, state: childToolState(parent.state) }
  await call(readTool, child, { file_path: 'b.txt' })
  expect((await call(editTool, child, edit('a.txt', 'one', 'two'))).isError).toBe(false)
  expect((await call(editTool, parent, edit('b.txt', 'one', 'two'))).text).toMatch(/has not been read/)
  expect((await call(editTool, parent, edit('a.txt', 'two', '3'))).text).toMatch(/has changed since it was read/)
})

test('the effects are told before the write: the hashes of the file as it is and as it will be', async () => {
  const cwd = await folder({ 'sub/a.txt': 'one\n' })
  const context = await toolContext(cwd)
  await call(readTool, context, { file_path: 'sub/a.txt' })
  const effects = await editTool.effects!(edit('sub/a.txt', 'one', 'two'), context)
  const { sha256 } = await import('../../../schemas/canonical.ts')
  expect(effects).toEqual([{ path: 'sub/a.txt', before: sha256('one\n'), after: sha256('two\n') }])
  expect(readFileSync(join(cwd, 'sub/a.txt'), 'utf8')).toBe('one\n')
})
