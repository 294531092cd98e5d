import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { lay, options } from '../discover/tree.ts'

const BUILTIN = join(import.meta.dirname, '..', '..', 'agents')
const AGENT = '---\nname: worker\ndescription: Does the work.\n---\n\nYou work.\n'

async function compiled(files: Record<string, unknown>) {
  const texts = Object.entries(files).map(([path, value]) => [path, typeof value === 'string' ? value : JSON.stringify(value, null, 2)])
  const root = lay({
    'project/.git/': '',
    'home/': '',
    'managed/': '',
    'project/.claude/agents/worker.md': AGENT,
    ...Object.fromEntries(texts),
  })
  const compilation = await compile({ ...options(root), builtinDir: BUILTIN })
  const { limits } = readManifest(manifestText(compilation)).header
  return { limits, codes: compilation.diagnostics.map(({ code, message }) => `${code}: ${message}`), inputs: compilation.discovery.inputs }
}

const PROJECT = 'project/agentc.config.json'
const POLICY = 'managed/agentc.config.json'
const BASE = { spawnDepth: 1, parallelReads: 10, resultChars: 100_000 }

test('without a configuration there are no limits but those of the profile, and the file is an input all the same', async () => {
  const { limits, codes, inputs } = await compiled({})
  expect([limits, codes]).toEqual([BASE, []])
  expect(inputs.filter(({ path }) => path.endsWith('agentc.config.json')).map(({ kind }) => kind)).toEqual(['absent', 'absent'])
})

test('the limits of the project and the caps of policy come into the manifest, the lower ones in force', async () => {
  const { limits, codes } = await compiled({
    [PROJECT]: { limits: { turns: 50, usd: 2.5, seconds: 60, spawnDepth: 3, compact: { tokens: 90_000, messages: 100 } } },
    [POLICY]: { limits: { usd: 10, tokens: 1_000_000, turns: 20, spawnDepth: 2 } },
  })
  expect(limits).toEqual({
    ...BASE,
    spawnDepth: 2,
    run: { turns: 20, tokens: 1_000_000, usd: 2.5, seconds: 60, compact: { tokens: 90_000, messages: 100 } },
    most: { turns: 20, tokens: 1_000_000, usd: 10 },
  })
  expect(codes.map((line) => line.split(':')[0])).toEqual(['config/above-policy', 'config/above-policy'])
})

test.each([
  [{ limits: { usd: -1 } }, 'config/invalid-limit: `usd` is not a number above 0, so runs would go on without this limit.'],
  [{ limits: { turns: 1.5 } }, 'config/invalid-limit: `turns` is not a whole number above 0, so runs would go on without this limit.'],
  [
    { limits: { compact: { usd: '1' } } },
    'config/invalid-limit: `compact.usd` is not a number above 0, so runs would go on without this limit.',
  ],
  [{ limits: 5 }, 'config/invalid-limit: `limits` is not an object, so runs would go on without this limit.'],
  [{ limit: {} }, 'config/unknown-key: `limit` is not a key of agentc.config.json here, so it does nothing.'],
  [{ limits: { Turns: 5 } }, 'config/unknown-key: `Turns` is not a key of agentc.config.json here, so it does nothing.'],
  [
    '[]',
    'config/invalid-json: agentc.config.json is not a JSON object (it is a list), so no agent is run without the limits that may be in it.',
  ],
  [
    '',
    'config/invalid-json: agentc.config.json is not a JSON object (value expected), so no agent is run without the limits that may be in it.',
  ],
])('%j: %s', async (config, message) => {
  expect((await compiled({ [PROJECT]: config })).codes).toEqual([message])
})

test('a key that stands twice counts once, and is told', async () => {
  const { limits, codes } = await compiled({ [PROJECT]: '{ "limits": { "turns": 5, "turns": 500 } }' })
  expect([limits.run, codes.length]).toEqual([{ turns: 5 }, 1])
})
