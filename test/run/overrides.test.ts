import { expect, test } from 'vitest'
import { readOverrides } from '../../runner/commands/overrides.ts'
import type { Start } from '../../runner/index.ts'
import { refusal, type Overrides } from '../../runner/overrides.ts'
import { MODELS } from '../../schemas/models.ts'
import { costOf, PRICES, PRICES_DATE } from '../../schemas/prices.ts'
import { type AgentParts, type HeaderParts, startOf } from './manifest-fixture.ts'
import { fakeApi, folder, runToEnd } from './stage.ts'

const byPolicy = (...fields: string[]): AgentParts => ({
  provenance: Object.fromEntries(fields.map((field) => [field, { source: 'policy', path: 'agents/worker.md', line: 2, column: 1 }])),
})

function started(overrides: Overrides, agent: AgentParts = {}, header: HeaderParts = {}): Start {
  return { ...startOf(agent, 'go', header), ...overrides }
}

const REQUIRED: HeaderParts = { sandbox: { mode: 'required', least: 'required' } }

const REFUSED: [what: string, start: Start, says: RegExp][] = [
  [
    'bypassPermissions where policy has switched it off',
    started({ permissionMode: 'bypassPermissions' }, {}, { settings: { bypassDisabled: true, additionalDirectories: [], env: {} } }),
    /bypassPermissions is switched off/,
  ],
  [
    'a mode looser than policy has written',
    started({ permissionMode: 'acceptEdits' }, { permissionMode: 'default', ...byPolicy('permissionMode') }),
    /Policy runs worker in permission mode default/,
  ],
  ['more turns than policy has written', started({ maxTurns: 6 }, { maxTurns: 5, ...byPolicy('maxTurns') }), /at most 5 turns/],
  ['another model than policy has written', started({ model: 'opus' }, byPolicy('model')), /on claude-haiku-5-5; --model cannot/],
  ['a fallback where policy has written the model', started({ fallbackModel: 'opus' }, byPolicy('model')), /--fallback-model cannot/],
  ['a fallback that is the model itself', started({ fallbackModel: 'haiku' }), /is the model that the run uses anyway/],
  ['a budget for a model without a price', started({ maxBudgetUsd: 1, model: 'claude-next-9' }), /what claude-next-9 costs/],
  [
    'commands without walls where policy asks for them',
    started({ sandbox: 'off' }, {}, REQUIRED),
    /Policy runs commands with the sandbox required/,
  ],
  ['walls where they work where policy requires them', started({ sandbox: 'auto' }, {}, REQUIRED), /--sandbox auto would be looser/],
  ['a budget for a fallback without a price', started({ maxBudgetUsd: 1, fallbackModel: 'claude-next-9' }), /what claude-next-9 costs/],
]
for (const [what, start, says] of REFUSED) test(`refused: ${what}`, () => expect(refusal(start)).toMatch(says))

const ALLOWED: [what: string, start: Start][] = [
  ['a looser mode than an agent file says', started({ permissionMode: 'bypassPermissions' }, { permissionMode: 'plan' })],
  ['a stricter mode than policy says', started({ permissionMode: 'plan' }, { permissionMode: 'default', ...byPolicy('permissionMode') })],
  ['fewer turns than policy says', started({ maxTurns: 4 }, { maxTurns: 5, ...byPolicy('maxTurns') })],
  ['the very model that policy says, by its alias', started({ model: 'haiku' }, byPolicy('model'))],
  ['commands without walls where only the project asks for them', started({ sandbox: 'off' }, {}, { sandbox: { mode: 'required' } })],
  [
    'walls that are required where policy asks for them',
    started({ sandbox: 'required' }, {}, { sandbox: { mode: 'auto', least: 'auto' } }),
  ],
  ['a snapshot with a budget', started({ maxBudgetUsd: 1, model: 'claude-haiku-5-5-20261007' })],
]
for (const [what, start] of ALLOWED) test(`allowed: ${what}`, () => expect(refusal(start)).toBeUndefined())

test('flags are read, and a value that is none is told', () => {
  expect(readOverrides({ 'max-budget-usd': '2.50', 'permission-mode': 'manual', 'max-turns': '3' })).toMatchObject({
    maxBudgetUsd: 2.5,
    permissionMode: 'default',
    maxTurns: 3,
  })
  for (const value of ['0', '-1', 'x', '1e3', '']) expect(() => readOverrides({ 'max-budget-usd': value })).toThrow('--max-budget-usd')
  expect(() => readOverrides({ 'permission-mode': 'yolo' })).toThrow('There is no permission mode yolo')
  expect(() => readOverrides({ 'fallback-model': ' ' })).toThrow('--fallback-model')
})

test('a budget that is spent ends the run, with the work so far', async () => {
  const call = { text: 'FOUND', tool: 'Glob', input: { pattern: '*' }, usage: { input_tokens: 400_000, output_tokens: 0 } }
  const { url } = await fakeApi({ turns: [call], options: { cache: false } })
  const { result } = await runToEnd(started({ maxBudgetUsd: 0.5 }), { cwd: await folder(), url })
  expect(result).toMatchObject({ subtype: 'error_max_budget_usd', is_error: true, terminal_reason: 'budget_exhausted' })
  expect(result.total_cost_usd).toBeGreaterThan(0)
  expect(result.result).toMatch(/^FOUND/)
})

test('a model without a known price makes the cost unknown, not zero', async () => {
  const { url } = await fakeApi({ turns: [{ text: 'done' }] })
  const { result } = await runToEnd(started({ model: 'claude-next-9' }), { cwd: await folder(), url })
  expect(result.total_cost_usd).toBeNull()
  expect(result.modelUsage['claude-next-9']).toMatchObject({ costUSD: null })
})

test('every model that an alias stands for has a price, and no other', () => {
  expect(Object.keys(PRICES).sort()).toEqual([...new Set(Object.values(MODELS))].sort())
  expect(PRICES_DATE).toMatch(/^\d{4}-\d\d-\d\d$/)
})

test('a reply costs what its tokens cost, by kind, by the life of the cache, and by the length of the prompt', () => {
  const tokens = { input_tokens: 1000, output_tokens: 200, cache_creation_input_tokens: 3000, cache_read_input_tokens: 50_000 }
  expect(costOf('claude-opus-5-5', tokens, '5m')).toBeCloseTo(0.004 + 0.004 + 0.015 + 0.01, 10)
  expect(costOf('claude-opus-5-5', tokens, '1h')).toBeCloseTo(0.004 + 0.004 + 0.024 + 0.01, 10)
  const long = { ...tokens, cache_read_input_tokens: 100_000 }
  expect(costOf('claude-haiku-5-5', tokens, '5m')).toBeCloseTo(0.0001 + 0.0001 + 0.000375 + 0.0005, 10)
  expect(costOf('claude-haiku-5-5', long, '5m')).toBeCloseTo(0.0005 + 0.0005 + 0.001875 + 0.005, 10)
  expect(costOf('gpt', tokens, '5m')).toBeUndefined()
})
