import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keptHistory } from '../../runner/session/kept-history.ts'
import { trustStore } from '../../runner/trust/store.ts'
import { writeOwn, writeOwnSync, writeWhole } from '../../runner/write-whole.ts'
import { temporary } from '../support/tree.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777
const texts = Array.from({ length: 40 }, (_, at) => `${at} `.repeat(1000))

test('those who write one file at the same time all succeed, and it is whole', async () => {
  const root = temporary()
  const file = join(root, 'x')
  expect(await Promise.all(texts.map((text) => writeWhole(file, text)))).toEqual(texts.map(() => true))
  expect(texts).toContain(readFileSync(file, 'utf8'))
  expect(readdirSync(root)).toEqual(['x'])
})

test('what was said about several projects at the same time is kept by each of those who say it', async () => {
  const config = temporary()
  const said = await Promise.all(texts.map((_, at) => trustStore(config).remember(`/project-${at}`, 'sha256:x')))
  expect(said).toEqual(texts.map(() => true))
  expect(readdirSync(join(config, 'agentc'))).toEqual(['trust.json'])
})

test('a file that cannot be written leaves nothing behind, and one that is no longer wanted neither', async () => {
  const root = temporary()
  mkdirSync(join(root, 'folder'))
  await expect(writeWhole(join(root, 'folder'), 'x')).rejects.toThrow('EISDIR')
  expect(() => writeOwnSync(join(root, 'folder'), 'x')).toThrow('EISDIR')
  writeFileSync(join(root, 'old'), 'old')
  expect(await writeWhole(join(root, 'old'), 'new', { still: () => Promise.resolve(false) })).toBe(false)
  expect(readFileSync(join(root, 'old'), 'utf8')).toBe('old')
  expect(readdirSync(root).sort()).toEqual(['folder', 'old'])
})

test('a link in its place is replaced, another name keeps the old content, and what is for one person nobody else may read', async () => {
  const root = temporary()
  writeFileSync(join(root, 'old'), 'old')
  chmodSync(join(root, 'old'), 0o644)
  symlinkSync('old', join(root, 'link'))
  linkSync(join(root, 'old'), join(root, 'name'))
  await writeOwn(join(root, 'link'), 'own')
  await writeWhole(join(root, 'name'), 'new', { keeps: 0o750 })
  expect(['old', 'link', 'name'].map((path) => readFileSync(join(root, path), 'utf8'))).toEqual(['old', 'own', 'new'])
  expect(['link', 'name'].map((path) => modeOf(join(root, path)))).toEqual([0o600, 0o750])
  await writeOwn(join(root, 'a/b/file'), 'deep')
  expect(['a', 'a/b'].map((path) => modeOf(join(root, path)))).toEqual([0o700, 0o700])
})

test('a history that has become too long is cut though another one has left a file behind', () => {
  const config = temporary()
  mkdirSync(join(config, 'agentc/history.jsonl.new'), { recursive: true })
  const history = keptHistory(config, '/project', (value) => value)
  for (let at = 0; at < 40; at++) history.add(`${at} ${'x'.repeat(10_000)}`)
  expect(statSync(join(config, 'agentc/history.jsonl')).size).toBeLessThan(256 * 1024)
  expect(modeOf(join(config, 'agentc/history.jsonl'))).toBe(0o600)
})
