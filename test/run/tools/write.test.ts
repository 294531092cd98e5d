import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTool } from '../../../runner/tools/read.ts'
import { save } from '../../../runner/tools/save.ts'
import { writeTarget, type Target } from '../../../runner/tools/target.ts'
import { writeTool } from '../../../runner/tools/write.ts'
import { folder } from '../stage.ts'
import { call, toolContext, use } from './use.ts'

test('Write makes a file with the folders on its way, byte for byte, and leaves nothing beside it', async () => {
  const cwd = await folder()
  const content = '\uFEFFa\r\nb\0ü🦊'
  expect((await use(writeTool, cwd, { file_path: 'x/y/z.txt', content })).text).toBe('Made x/y/z.txt (2 lines).')
  expect(readFileSync(join(cwd, 'x/y/z.txt'), 'utf8')).toBe(content)
  expect(readdirSync(join(cwd, 'x/y'))).toEqual(['z.txt'])
})

test('Write replaces a file only if the agent has read it, and keeps its mode', async () => {
  const cwd = await folder({ 'a.sh': 'old\n' })
  chmodSync(join(cwd, 'a.sh'), 0o750)
  const context = await toolContext(cwd)
  const input = { file_path: 'a.sh', content: 'new\n' }
  expect((await call(writeTool, context, input)).text).toBe('a.sh has not been read in this conversation: read it first.')
  await call(readTool, context, { file_path: 'a.sh' })
  expect((await call(writeTool, context, input)).isError).toBe(false)
  expect([readFileSync(join(cwd, 'a.sh'), 'utf8'), statSync(join(cwd, 'a.sh')).mode & 0o777]).toEqual(['new\n', 0o750])
  expect((await call(writeTool, context, input)).text).toBe('a.sh holds exactly this already: nothing was written.')
})

test('Write refuses what is protected or leads out, also where it does not exist yet', async () => {
  const outside = await folder()
  const cwd = await folder({ '.git/HEAD': '' })
  symlinkSync(outside, join(cwd, 'out'))
  symlinkSync(join(outside, 'none'), join(cwd, 'dangling'))
  symlinkSync('none.txt', join(cwd, 'within'))
  for (const [path, says] of [
    ['.git/hooks/pre-commit', 'it belongs to git'],
    ['sub/.git/config', 'it belongs to git'],
    ['.g\u200Cit/config', 'it belongs to git'],
    ['.env', 'it is a file of secrets'],
    ['sub/.ENV.local', 'it is a file of secrets'],
    ['.agentc/runs/x', 'it belongs to agentc'],
    ['out/x.txt', 'lies outside the project'],
    ['dangling', 'is a link'],
    ['within', 'is a link'],
    ['../x', 'lies outside the project'],
  ]) {
    expect(await use(writeTool, cwd, { file_path: path, content: 'x' })).toEqual({ text: expect.stringContaining(says!), isError: true })
  }
  expect([readdirSync(outside), readdirSync(cwd).sort()]).toEqual([[], ['.git', 'dangling', 'out', 'within']])
  expect((await use(writeTool, cwd, { file_path: '.env.example', content: 'A=' })).isError).toBe(false)
})

test('Write says why when a folder on the way is a file', async () => {
  const cwd = await folder({ 'a.txt': 'x' })
  const { text, isError } = await use(writeTool, cwd, { file_path: 'a.txt/b.txt', content: 'x' })
  expect([isError, text]).toEqual([true, expect.stringMatching(/^a\.txt\/b\.txt cannot be written \((?:ENOTDIR|EEXIST)\)/)])
})

async function checked(cwd: string, path: string): Promise<Target> {
  const context = await toolContext(cwd)
  if (existsSync(join(cwd, path))) await call(readTool, context, { file_path: path })
  return (await writeTarget(path, context)) as Target
}

test('what changes between the check and the write is seen: the file, a new file of the name, a link as folder', async () => {
  const cwd = await folder({ 'a.txt': 'old', 'd/b.txt': 'old' })
  const outside = await folder({ 'b.txt': 'theirs' })
  const [changed, made, moved] = [await checked(cwd, 'a.txt'), await checked(cwd, 'new.txt'), await checked(cwd, 'd/b.txt')]
  writeFileSync(join(cwd, 'a.txt'), 'other')
  writeFileSync(join(cwd, 'new.txt'), 'other')
  rmSync(join(cwd, 'd'), { recursive: true })
  symlinkSync(outside, join(cwd, 'd'))
  expect(await save(changed, Buffer.from('mine'))).toBe('it was changed by something else meanwhile')
  expect(await save(made, Buffer.from('mine'))).toBe('it was changed by something else meanwhile')
  expect(await save(moved, Buffer.from('mine'))).toBe('its folder was replaced meanwhile')
  expect([readFileSync(join(cwd, 'a.txt'), 'utf8'), readFileSync(join(outside, 'b.txt'), 'utf8')]).toEqual(['other', 'theirs'])
  expect(readdirSync(cwd).sort()).toEqual(['a.txt', 'd', 'new.txt'])
})

test('a write that an interruption comes before does not happen', async () => {
  const cwd = await folder()
  const signal = AbortSignal.abort()
  expect((await use(writeTool, cwd, { file_path: 'a.txt', content: 'x' }, { signal })).isError).toBe(true)
  mkdirSync(join(cwd, 'there'))
  expect(readdirSync(cwd)).toEqual(['there'])
})
