import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../schemas/canonical.ts'
import { codes, find, lay } from './tree.ts'

const flag = (root: string, agentsFlag: string, cwd = 'project') => find(root, { agentsFlag, cwd: join(root, cwd), layers: ['flag'] })

test.each(['{"a": {}}', '  \n{"a": 1', '[1]', '{'])('a value that starts like JSON is its own text: %j', (value) => {
  const file = { kind: 'agent', form: 'json', origin: { source: 'flag', path: '--agents' }, text: value, hash: sha256(value) }
  expect(flag(lay({ 'project/': '' }), value)).toMatchObject({ files: [file], diagnostics: [] })
})

test('any other value is a file, relative to the working directory', () => {
  const root = lay({ 'project/.git/HEAD': '', 'project/sub/my.json': '\ufeff{"a": {}}', 'elsewhere/my.json': '{}' })
  expect(flag(root, 'my.json', 'project/sub').files).toMatchObject([
    { form: 'json', origin: { source: 'flag', path: 'sub/my.json' }, text: '{"a": {}}', hash: sha256('\ufeff{"a": {}}') },
  ])
  for (const value of ['../../elsewhere/my.json', join(root, 'elsewhere/my.json')]) {
    expect(flag(root, value, 'project/sub').files).toMatchObject([{ origin: { source: 'flag', path: '<outside>/my.json' }, text: '{}' }])
  }
})

test('the file of the flag is an input, there or not', () => {
  const root = lay({ 'project/my.json': '{}' })
  const inputs = (value: string) => flag(root, value).inputs.filter((input) => input.path.endsWith('.json'))
  expect(inputs('my.json')).toMatchObject([{ kind: 'file', sha256: sha256('{}') }])
  expect(inputs('no.json')).toMatchObject([{ kind: 'absent' }])
})

test.each([
  ['none.json', 'none.json', 'does not exist'],
  ['.', '<outside>/project', 'is a folder'],
  ['sub', 'sub', 'is a folder'],
  ['/dev/null', '<outside>/null', 'not a regular file'],
  ['  ', '--agents', 'is empty'],
  ['a\0b', 'a\0b', 'ERR_INVALID_ARG_VALUE'],
])('the value %j is an error', (value, path, reason) => {
  const found = flag(lay({ 'project/sub/': '' }), value)
  expect([found.files, codes(found)]).toEqual([[], [`file/unreadable ${path}`]])
  expect(found.diagnostics[0]).toMatchObject({ severity: 'error', message: expect.stringContaining(reason) })
})
