import { expect, test } from 'vitest'
import { compiled, POLICY, PROJECT } from './stage.ts'

const AGENT = '---\nname: worker\ndescription: Does the work.\n---\n\nYou work.\n'
const BASE = { spawnDepth: 1, parallelReads: 10, resultChars: 100_000 }

async function limited(files: Record<string, unknown>) {
  const { compilation, manifest, codes } = await compiled({ 'project/.claude/agents/worker.md': AGENT, ...files })
  return { limits: manifest.header.limits, codes, inputs: compilation.discovery.inputs }
}

test('without a configuration there are no limits but those of the profile, and the file is an input all the same', async () => {
  const { limits, codes, inputs } = await limited({})
  expect([limits, codes]).toEqual([BASE, []])
  expect(inputs.filter(({ path }) => path.endsWith('agentc.config.json')).map(({ kind }) => kind)).toEqual(['absent', 'absent'])
})

test('the limits of the project and the caps of policy come into the manifest, the lower ones in force', async () => {
  const { limits, codes } = await limited({
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
  expect((await limited({ [PROJECT]: config })).codes).toEqual([message])
})

test('a key that stands twice counts once, and is told', async () => {
  const { limits, codes } = await limited({ [PROJECT]: '{ "limits": { "turns": 5, "turns": 500 } }' })
  expect([limits.run, codes.length]).toEqual([{ turns: 5 }, 1])
})
