import { expect, test } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { begin } from '../../runner/endings.ts'
import type { Start } from '../../runner/index.ts'
import { requestOf } from '../../runner/request.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { familyOf, FAMILY_GUIDANCE } from '../../schemas/model-families.ts'
import { MODELS } from '../../schemas/models.ts'
import { agent, project } from '../support/bin.ts'
import { optionsFor } from '../support/tree.ts'
import { join } from 'node:path'
import { stillClock } from './stage.ts'

/** The golden is written anew with `npx vitest run test/run/guidance.test.ts -u`; a person reads the difference. */

async function compiled(files: Record<string, string> = {}) {
  const cwd = project(files)
  return readManifest(manifestText(await compile(optionsFor(join(cwd, '..')))))
}

function systemOf(start: Start): string {
  const seams = { tools: () => ({ absent: 'x' }), clock: stillClock(), ids: { session: () => 's' } }
  const { context } = begin(start, { ...seams, environment: { cwd: '/w', platform: 'linux', git: true } })
  return (requestOf(context).system ?? []).map(({ text }) => text).join('')
}

test('a built-in agent is told what is meant for the family of the model that it runs on', async () => {
  const { header, agents } = await compiled()
  const ids = [...new Set([undefined, ...Object.values(MODELS), 'gpt-5'])]
  const lines = [...agents].flatMap(([name, entry]) =>
    ids.map((model) => {
      const system = systemOf({ header, name, agent: entry, prompt: 'go', model })
      expect(system.startsWith(entry.prompt)).toBe(true)
      return `${name} on ${model ?? 'its own model'}:${system.slice(entry.prompt.length).replace('\n\n', ' ') || ' nothing'}`
    }),
  )
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/guidance.txt')
})

test('the prompt of an agent in a file is complete as it is, also where it takes the place of a built-in one', async () => {
  const { header, agents } = await compiled({
    '.claude/agents/e.md': agent('Explore', 'model: haiku'),
    '.claude/agents/o.md': agent('own'),
  })
  for (const name of ['Explore', 'own']) {
    const entry = agents.get(name)!
    expect(systemOf({ header, name, agent: entry, prompt: 'go', model: 'claude-haiku-5-5' })).toBe(entry.prompt)
  }
  expect(agents.get('Plan')!.guidance).toBe(true)
})

test('a manifest without built-in agents holds no guidance', async () => {
  const cwd = project({ '.claude/agents/o.md': agent('own') })
  const options = optionsFor(join(cwd, '..'), { layers: ['project'] })
  expect(readManifest(manifestText(await compile(options))).header.guidance).toBeUndefined()
})

test.each([
  ['claude-haiku-5-5', 'haiku'],
  ['claude-3-opus-20240229', 'opus'],
  ['us.anthropic.claude-sonnet-5-5-v1:0', 'sonnet'],
  ['claude-fable-5-2@20261001', 'fable'],
  ['anthropic/claude-opus', 'opus'],
  ['gpt-5', undefined],
  ['claude-opusplus-1', undefined],
  ['magnum-opus', 'opus'],
])('the family of %s is %s', (model, family) => {
  expect(familyOf(model)).toBe(family)
})

test('every family of the table of models has its text', () => {
  for (const model of Object.values(MODELS)) expect(Object.keys(FAMILY_GUIDANCE)).toContain(familyOf(model))
})
