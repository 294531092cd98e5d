import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { headerFindings } from '../../compiler/diff/header.ts'
import { sentence } from '../../compiler/diff/text.ts'
import { lay, options } from '../discover/tree.ts'
import { compiled, POLICY, PROJECT } from './stage.ts'

async function configured(project?: unknown, policy?: unknown) {
  const file = (path: string, value: unknown) => (value === undefined ? {} : { [path]: { sandbox: value } })
  const { manifest, codes } = await compiled({ ...file(PROJECT, project), ...file(POLICY, policy) })
  return { header: manifest.header, codes }
}

test.each([
  [undefined, undefined, undefined],
  ['required', undefined, { mode: 'required' }],
  ['auto', undefined, { mode: 'auto' }],
  [undefined, 'required', { mode: 'required', least: 'required' }],
  ['auto', 'required', { mode: 'required', least: 'required' }],
  ['required', 'auto', { mode: 'required', least: 'auto' }],
])('a project that asks for %s and a policy that asks for %s come to %j', async (project, policy, sandbox) => {
  const { header, codes } = await configured(project, policy)
  expect([header.sandbox, codes]).toEqual([sandbox, []])
})

test.each(['off', 'Required', true, {}])('a file cannot ask for %j', async (value) => {
  const { header, codes } = await configured(value)
  expect(header.sandbox).toBeUndefined()
  expect(codes).toEqual(['config/invalid-sandbox: `sandbox` is neither `required` nor `auto`, so nothing is asked for.'])
})

test('asking for less than before is a gain of power', async () => {
  const change = async (before: [unknown?, unknown?], after: [unknown?, unknown?]) =>
    headerFindings((await configured(...before)).header, (await configured(...after)).header).map(
      (item) => `${item.gain ? '!' : ' '} ${sentence(item)}`,
    )
  expect(await change(['required'], [])).toEqual(['! sandbox: required → none'])
  expect(await change([], ['required'])).toEqual(['  sandbox: none → required'])
  expect(await change(['required', 'required'], ['required'])).toEqual(['! sandbox: required, required by policy → required'])
  expect(await change(['auto'], ['auto'])).toEqual([])
})

test('a configuration that is no regular file is an error that stands in the way of every agent', async (context) => {
  const root = lay({ 'project/.git/': '', 'home/': '', 'managed/': '' })
  try {
    execFileSync('mkfifo', [join(root, 'project/agentc.config.json')])
  } catch {
    return context.skip('no mkfifo here')
  }
  const { settingsErrors } = await compile(options(root))
  expect(settingsErrors.map(({ message }) => message)).toEqual([
    'agentc.config.json cannot be read (it is a pipe, socket or device), so what it asks for does not hold.',
  ])
})
