import { execFileSync } from 'node:child_process'
import { mkdir, open, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { globTool } from '../../runner/tools/glob.ts'
import { grepTool } from '../../runner/tools/grep.ts'
import { readTool } from '../../runner/tools/read.ts'
import { builtInTools, isPresent } from '../../runner/tools/registry.ts'
import type { ToolInput } from '../../runner/tools/tool.ts'
import { TOOLS } from '../../schemas/tools.ts'
import { folder } from './stage.ts'
import { use } from './tools/use.ts'

const read = (cwd: string, file_path: string, more: ToolInput = {}) => use(readTool, cwd, { file_path, ...more })

test('every tool of the catalogue is either there or has a reason why not', () => {
  for (const { name } of TOOLS) {
    const tool = builtInTools(name)
    expect(isPresent(tool) || tool.absent.length > 10).toBe(true)
  }
  expect(builtInTools('toString')).toEqual({ absent: 'this version of agentc does not know it' })
})

test('every tool that is told a path hands it to the rules', () => {
  const given: string[] = []
  for (const { name, inputSchema } of TOOLS) {
    const tool = builtInTools(name)
    const paths = Object.keys(inputSchema.properties as object).filter((key) => /path$/i.test(key))
    if (!isPresent(tool) || paths.length === 0) continue
    expect(tool.paths?.(Object.fromEntries(paths.map((key) => [key, `/${key}`])))).toEqual(paths.map((key) => `/${key}`))
    given.push(name)
  }
  expect(given.sort()).toEqual(['Edit', 'Glob', 'Grep', 'NotebookEdit', 'Read', 'Write'])
})

test('Read numbers lines from 1 with a tab, and takes paths relative or absolute', async () => {
  const cwd = await folder({ 'a.txt': 'hello\n\tb\n' })
  expect(await read(cwd, 'a.txt')).toEqual({ text: '1\thello\n2\t\tb', isError: false })
  expect(await read(cwd, join(cwd, 'a.txt'))).toEqual({ text: '1\thello\n2\t\tb', isError: false })
})

test('Read takes CRLF, a byte order mark and a missing last line end as they are meant', async () => {
  const cwd = await folder({ 'a.txt': '\uFEFFone\r\n\r\nthree' })
  expect((await read(cwd, 'a.txt')).text).toBe('1\tone\n2\t\n3\tthree')
})

test('Read says that a file of no bytes is empty', async () => {
  const cwd = await folder({ 'a.txt': '' })
  expect(await read(cwd, 'a.txt')).toEqual({ text: '[a.txt is empty]', isError: false })
})

test('Read gives a part of a file and says where it goes on', async () => {
  const cwd = await folder({ 'a.txt': '1\n2\n3\n4\n5\n' })
  expect((await read(cwd, 'a.txt', { offset: 2, limit: 2 })).text).toBe('2\t2\n3\t3\n[The file goes on: read from offset 4 for more]')
  expect((await read(cwd, 'a.txt', { offset: 4, limit: 2 })).text).toBe('4\t4\n5\t5')
  expect(await read(cwd, 'a.txt', { offset: 9 })).toEqual({ text: 'a.txt has 5 lines; offset 9 is behind its end.', isError: true })
})

test('Read stops after 2000 lines and says so', async () => {
  const cwd = await folder({ 'a.txt': 'x\n'.repeat(5000) })
  const { text } = await read(cwd, 'a.txt')
  expect(text.split('\n')).toHaveLength(2001)
  expect(text).toContain('read from offset 2001')
})

test('Read cuts a long line and says by how much, and splits no character', async () => {
  const cwd = await folder({ 'a.txt': `${'ä'.repeat(70_000)}\nend\n` })
  const [first, second] = (await read(cwd, 'a.txt')).text.split('\n')
  expect(first).toBe(`1\t${'ä'.repeat(2000)} [68000 more characters of this line left out]`)
  expect(second).toBe('2\tend')
})

test('Read of a huge file takes neither its memory nor its time', async () => {
  const cwd = await folder()
  const file = await open(join(cwd, 'huge.txt'), 'w')
  await file.write('first\nsecond\n'.repeat(20_000))
  await file.truncate(8 * 1024 ** 3)
  await file.close()
  const before = process.memoryUsage().rss
  const { text } = await read(cwd, 'huge.txt', { limit: 1 })
  expect(text).toBe('1\tfirst\n[The file goes on: read from offset 2 for more]')
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2)
})

test('Read refuses a binary file with the reason', async () => {
  const cwd = await folder({ 'a.bin': 'PNG\0\0data' })
  const { text, isError } = await read(cwd, 'a.bin')
  expect(isError).toBe(true)
  expect(text).toBe('a.bin is not text: it holds NUL bytes. Read shows text files, pictures (PNG, JPEG, GIF, WebP) and notebooks.')
})

test('Read refuses a folder, a missing file and an unusable path, each with what to do', async () => {
  const cwd = await folder({ 'src/parser.ts': '' })
  expect(await read(cwd, 'src')).toEqual({ text: 'src is a folder. List its files with Glob, pattern **/*, path src.', isError: true })
  expect((await read(cwd, 'src/parsr.ts')).text).toContain('There is parser.ts in the same folder.')
  expect((await read(cwd, 'src/other')).text).toContain('Find it with Glob.')
  expect((await read(cwd, 'src/parser.ts/x')).isError).toBe(true)
  expect((await read(cwd, 'a\0b')).text).toContain('it is not a path')
})

test('Read never opens a named pipe or a device', async () => {
  const cwd = await folder()
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  expect((await read(cwd, 'pipe')).text).toBe('pipe is a named pipe, not a regular file; it is not opened.')
  expect((await read(cwd, '/dev/zero')).text).toContain('outside the project')
})

test('no tool leaves the project: not by .., not by an absolute path, not by a link', async () => {
  const outside = await folder({ 'secret.txt': 'secret', 'deep/x.txt': 'secret' })
  const cwd = await folder({ 'a.txt': 'a' })
  await symlink(join(outside, 'secret.txt'), join(cwd, 'link.txt'))
  await symlink(outside, join(cwd, 'linked'))
  await symlink('self', join(cwd, 'self'))
  for (const path of [
    'link.txt',
    'linked/secret.txt',
    'linked/none.txt',
    `${outside}/secret.txt`,
    '../x',
    `${outside}/none/none`,
    'linked',
  ]) {
    expect(await read(cwd, path)).toEqual({ text: expect.stringContaining('lies outside the project') as string, isError: true })
    expect((await use(grepTool, cwd, { pattern: 'secret', path })).isError).toBe(true)
    expect((await use(globTool, cwd, { pattern: '*', path })).isError).toBe(true)
  }
  expect((await read(cwd, 'self')).text).toContain('its links form a loop')
  expect((await use(grepTool, cwd, { pattern: 'secret' })).text).toBe('No match for secret.')
  expect((await use(globTool, cwd, { pattern: '**/*.txt' })).text).toBe('a.txt')
})

test('a link inside the project is read, and the whole repository is inside for a folder of it', async () => {
  const root = await folder({ 'a.txt': 'a', '.git/HEAD': '', 'pkg/b.txt': 'b' })
  await symlink('a.txt', join(root, 'link.txt'))
  expect((await read(root, 'link.txt')).text).toBe('1\ta')
  expect((await read(join(root, 'pkg'), '../a.txt')).text).toBe('1\ta')
  expect((await use(grepTool, join(root, 'pkg'), { pattern: 'a', path: '..' })).text).toBe('../a.txt')
})

const TREE = {
  '.gitignore': 'node_modules/\n*.log\n',
  '.github/ci.yml': 'needle\n',
  '.git/config': 'needle\n',
  'node_modules/x/index.ts': 'needle\n',
  'b.log': 'needle\n',
  'src/a.ts': 'one\nneedle two\nthree\nNEEDLE\n',
  'src/deep/c.ts': 'needle\n',
  'z.md': 'needle needle\n',
}

test('Grep lists files by path, leaves out what .gitignore names, and shows hidden files but not .git', async () => {
  const cwd = await folder(TREE)
  expect((await use(grepTool, cwd, { pattern: 'needle' })).text).toBe('.github/ci.yml\nsrc/a.ts\nsrc/deep/c.ts\nz.md')
})

test('a glob never brings back what .gitignore names', async () => {
  const cwd = await folder(TREE)
  expect((await use(grepTool, cwd, { pattern: 'needle', glob: '**/*.ts' })).text).toBe('src/a.ts\nsrc/deep/c.ts')
  expect((await use(grepTool, cwd, { pattern: 'needle', glob: '*.{log,md}' })).text).toBe('z.md')
  expect((await use(globTool, cwd, { pattern: '**/*' })).text).toBe('.github/ci.yml\n.gitignore\nsrc/a.ts\nsrc/deep/c.ts\nz.md')
})

test('.gitignore holds outside a repository too, and the ignore files of the machine do not', async () => {
  const cwd = await folder({ '.gitignore': '*.log\n', 'a.log': '', 'b.txt': '' })
  const home = await folder({ '.config/git/ignore': '*.txt\n' })
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config') }
  expect((await use(globTool, cwd, { pattern: '*.{log,txt}' }, { env })).text).toBe('b.txt')
})

test('Glob compares a name at any depth, and a path from the folder that is searched', async () => {
  const cwd = await folder(TREE)
  expect((await use(globTool, cwd, { pattern: '*.ts' })).text).toBe('src/a.ts\nsrc/deep/c.ts')
  expect((await use(globTool, cwd, { pattern: 'src/*.ts' })).text).toBe('src/a.ts')
  expect((await use(globTool, cwd, { pattern: 'deep/*', path: 'src' })).text).toBe('src/deep/c.ts')
  expect(await use(globTool, cwd, { pattern: '*.rs', path: 'src' })).toEqual({ text: 'No file matches *.rs in src.', isError: false })
  expect((await use(globTool, cwd, { pattern: '*', path: 'z.md' })).text).toBe('z.md is a file, not a folder to search.')
})

test('Grep shows matches with numbers and their surroundings, counts, and ignores case when asked', async () => {
  const cwd = await folder(TREE)
  const content = { pattern: 'needle', path: 'src/a.ts', output_mode: 'content' }
  expect((await use(grepTool, cwd, content)).text).toBe('src/a.ts:2:needle two')
  expect((await use(grepTool, cwd, { ...content, '-n': false, '-i': true })).text).toBe('src/a.ts:needle two\nsrc/a.ts:NEEDLE')
  expect((await use(grepTool, cwd, { ...content, '-C': 1 })).text).toBe('src/a.ts-1-one\nsrc/a.ts:2:needle two\nsrc/a.ts-3-three')
  expect((await use(grepTool, cwd, { pattern: 'needle', output_mode: 'count' })).text).toContain('z.md:1')
  expect((await use(grepTool, cwd, { pattern: 'one.needle', multiline: true })).text).toBe('src/a.ts')
})

test('Grep parts groups of lines, stops at head_limit and says that there is more', async () => {
  const cwd = await folder({ 'a.txt': 'x\n-\n-\n-\nx\n' })
  const content = { pattern: 'x', output_mode: 'content', '-A': 1 }
  expect((await use(grepTool, cwd, content)).text).toBe('a.txt:1:x\na.txt-2--\n--\na.txt:5:x')
  const { text } = await use(grepTool, cwd, { ...content, head_limit: 1 })
  expect(text).toBe('a.txt:1:x\n[More was found and left out: narrow the search]')
})

test('Grep takes a pattern that looks like an option, and tells what is wrong with one that is no pattern', async () => {
  const cwd = await folder({ 'a.txt': '--files\n' })
  expect((await use(grepTool, cwd, { pattern: '--files' })).text).toBe('a.txt')
  const { text, isError } = await use(grepTool, cwd, { pattern: '(' })
  expect(isError).toBe(true)
  expect(text).toContain('unclosed group')
})

test('a result that is too long is cut with a note, and nothing but whole lines is kept', async () => {
  const cwd = await folder({ 'a.txt': 'needle in a long line\n'.repeat(1000) })
  const { text } = await use(grepTool, cwd, { pattern: 'needle', output_mode: 'content' }, { resultChars: 2000 })
  expect(text.length).toBeLessThanOrEqual(2000)
  expect(text.split('\n').at(-1)).toBe('[More was found and left out: narrow the search]')
})

test('names with blanks, colons and line ends are shown as they are', async () => {
  const cwd = await folder()
  await mkdir(join(cwd, 'a b'))
  await writeFile(join(cwd, 'a b/c:1:d'), 'needle\n')
  await writeFile(join(cwd, 'new\nline'), 'needle\n')
  expect((await use(grepTool, cwd, { pattern: 'needle', output_mode: 'content' })).text).toBe('a b/c:1:d:1:needle\nnew\nline:1:needle')
  expect((await use(globTool, cwd, { pattern: '*' })).text).toBe('a b/c:1:d\nnew\nline')
})

test('Grep says where it stopped in a binary file', async () => {
  const cwd = await folder({ 'a.bin': `needle\n${'x\n'.repeat(100_000)}\0needle\n` })
  expect((await use(grepTool, cwd, { pattern: 'needle', output_mode: 'content' })).text).toBe(
    'a.bin:1:needle\na.bin: binary, not searched behind its first NUL byte',
  )
})

test('a search that is interrupted ends at once', async () => {
  const control = new AbortController()
  control.abort()
  const output = await use(grepTool, await folder({ 'a.txt': 'a' }), { pattern: 'a' }, { signal: control.signal })
  expect(output).toEqual({ text: 'The run was interrupted.', isError: true })
})
