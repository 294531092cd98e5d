import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deniedFiles } from '../../../runner/sandbox/denied.ts'
import { openWorkspace } from '../../../runner/workspace.ts'
import { link, put, temporary } from '../../support/tree.ts'
import { rulesOf } from '../permission/stage.ts'

async function ground() {
  const root = temporary()
  for (const path of [
    '.env',
    'src/.env',
    'src/a.ts',
    'src/deep/er/k.pem',
    'secrets/k.pem',
    'secrets/sub/x',
    'notes/k.pem',
    'src/secrets/y',
  ])
    put(root, path, '')
  for (const path of ['node_modules/m/.env', '.git/k.pem']) put(root, path, '')
  link(root, 'notes/linked', '../secrets')
  link(root, 'notes/nowhere', 'gone')
  return { root, workspace: await openWorkspace(root) }
}

const { root, workspace } = await ground()
const under = (paths: readonly string[]): string[] => paths.map((path) => path.slice(root.length + 1)).sort()
const found = async (...texts: string[]) => {
  const { hidden, locked, unsure } = await deniedFiles(rulesOf('deny', texts), workspace)
  return { hidden: under(hidden), locked: under(locked), unsure }
}

test('what rules hide and lock is found, wherever they begin, and a folder that is hidden whole is one place', async () => {
  expect(await found('Read(.env)', 'Read(secrets)', 'Edit(*.pem)', 'Read(src/deep/**)', 'Edit(/notes/*)', 'Bash(rm:*)', 'Read')).toEqual({
    hidden: ['.env', 'secrets', 'secrets', 'src/.env', 'src/deep', 'src/secrets'],
    locked: ['notes/k.pem', 'notes/k.pem', 'secrets', 'secrets/k.pem', 'src/deep/er/k.pem'],
    unsure: false,
  })
})

test('all rules together find what each finds alone', async () => {
  const rule = fc.constantFrom('Read(.env)', 'Read(secrets)', 'Edit(*.pem)', 'Read(src/**)', 'Edit(src/*/*)', 'Read(*)', 'Edit(notes/*)', 'Read(**/k.pem)', 'Read(gone/*)', 'Edit(src/a.ts)') // prettier-ignore
  const holds = async (texts: string[]): Promise<void> => {
    const alone = await Promise.all(texts.map((text) => found(text)))
    const all = (list: 'hidden' | 'locked') => alone.flatMap((each) => each[list]).sort()
    expect(await found(...texts)).toEqual({ hidden: all('hidden'), locked: all('locked'), unsure: false })
  }
  await fc.assert(fc.asyncProperty(fc.array(rule, { maxLength: 6 }), holds), { numRuns: 60, seed: 10 })
})

test('a folder that is too big for one rule is not too big for another that hides it whole', async () => {
  const wide = temporary()
  mkdirSync(join(wide, 'big'))
  for (let at = 0; at < 20_001; at++) writeFileSync(join(wide, 'big', String(at)), '')
  put(wide, 'src/deep/big/x', '')
  const { hidden, locked, unsure } = await deniedFiles(rulesOf('deny', ['Read(big)', 'Edit(*.pem)']), await openWorkspace(wide))
  expect([hidden, locked, unsure]).toEqual([[join(wide, 'big'), join(wide, 'src/deep/big')], [], true])
})
