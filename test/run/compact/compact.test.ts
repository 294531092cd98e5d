import { describe, expect, test } from 'vitest'
import { compactIfDue, type CompactSeams } from '../../../runner/compact/compact.ts'
import { recipeFor } from '../../../runner/compact/recipe.ts'
import { SUMMARY_PROMPT, summaryRequest, withSummary } from '../../../runner/compact/summary.ts'
import { estimate, tokensNow } from '../../../runner/compact/tokens.ts'
import { thresholdOf, triggerOf } from '../../../runner/compact/trigger.ts'
import { type RunContext, withReply, withResults } from '../../../runner/context.ts'
import { begin } from '../../../runner/endings.ts'
import type { Reply } from '../../../runner/message.ts'
import { builtInTools } from '../../../runner/tools/registry.ts'
import { type AgentParts, startOf } from '../manifest-fixture.ts'

const seams = {
  tools: builtInTools,
  clock: { now: () => 0, sleep: () => Promise.resolve() },
  ids: { session: () => 's' },
  environment: { cwd: '/w', platform: 'linux', git: false },
}

const reply = (turn: number, tokens = 0): Reply => ({
  type: 'reply',
  id: `m${turn}`,
  model: 'claude-haiku-5-5',
  content: [
    { type: 'thinking', thinking: `thought ${turn}`, signature: `sig${turn}` },
    { type: 'tool_use', id: `u${turn}`, name: 'Read', input: { file_path: `f${turn}` } },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: tokens, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  broken: {},
})
const summaryReply = (text: string): Reply => ({ ...reply(0), content: [{ type: 'text', text }], stop_reason: 'end_turn' })

/** A conversation of so many turns, each with a result of so many characters. */
function conversation(turns: number, chars: number, agent: AgentParts = {}): RunContext {
  let { context } = begin(startOf(agent, 'Do it all.'), seams)
  for (let turn = 1; turn <= turns; turn++) {
    context = withReply(context, reply(turn))
    const block = { type: 'tool_result' as const, tool_use_id: `u${turn}`, content: 'x'.repeat(chars) }
    context = withResults({ ...context, counted: undefined }, { blocks: [block], denials: [], unanswered: false })
  }
  return context
}

describe('when', () => {
  test('by tokens, at the window of the agent, of the project or of the model', () => {
    const context = conversation(10, 4000, { autoCompactWindow: 8000 })
    expect(triggerOf(context, {})).toBe('tokens')
    expect(triggerOf(conversation(10, 4000), {})).toBeUndefined()
    expect(triggerOf(conversation(10, 4000), { tokens: 8000 })).toBe('tokens')
    expect(thresholdOf(conversation(1, 1), {})).toBe(200_000 - 32_768)
    expect(thresholdOf(conversation(1, 1, { contextWindow: '1m' }), { tokens: 5_000_000 })).toBe(1_000_000 - 32_768)
  })

  test('by messages and by cost since the last time', () => {
    expect(triggerOf(conversation(10, 1), { messages: 21 })).toBe('messages')
    expect(triggerOf(conversation(10, 1), { messages: 22 })).toBeUndefined()
    const dear = withReply(conversation(10, 1), reply(11, 1_000_000))
    expect(triggerOf(dear, { usd: 0.4 })).toBe('cost')
    expect(
      triggerOf({ ...dear, counted: undefined, compaction: { times: 1, failures: 0, opening: [], summary: 's', usd: 0.5 } }, { usd: 0.4 }),
    ).toBeUndefined()
  })

  test('the count of the API holds up to its reply, and what came after is estimated', () => {
    const context = withReply(conversation(3, 1000), reply(4, 50_000))
    expect(tokensNow(context)).toBe(50_000)
    const after = withResults(context, {
      blocks: [{ type: 'tool_result', tool_use_id: 'u4', content: 'x'.repeat(4000) }],
      denials: [],
      unanswered: false,
    })
    expect(tokensNow(after)).toBe(50_000 + estimate(after.messages.slice(-1)))
  })

  test('two summaries that came to nothing are enough', () => {
    const context = conversation(10, 4000, { autoCompactWindow: 8000 })
    const recipe = recipeFor(context, 'tokens', 10_000, {})!
    const once = withSummary(context, recipe, summaryReply('  '))
    expect([once.messages, triggerOf(once, {})]).toEqual([context.messages, 'tokens'])
    expect(triggerOf(withSummary(once, recipe, { ...summaryReply('half'), stop_reason: 'max_tokens' }), {})).toBeUndefined()
  })

  test('after two blank summaries no third is asked for, however long the conversation is', async () => {
    let asked = 0
    // oxlint-disable-next-line require-yield
    const model: CompactSeams['model'] = async function* () {
      asked++
      return summaryReply('  ')
    }
    const transcript = { put: () => undefined } as unknown as CompactSeams['transcript']
    let context = conversation(10, 4000, { autoCompactWindow: 8000 })
    for (let turn = 1; turn <= 4; turn++) {
      const events = compactIfDue(context, {}, { model, transcript, signal: new AbortController().signal })
      let step = await events.next()
      while (!step.done) step = await events.next()
      context = step.value.context
    }
    expect([asked, context.compaction?.failures]).toEqual([2, 2])
  })
})

describe('what', () => {
  const context = conversation(10, 4000, { autoCompactWindow: 8000, reminder: 'Stay calm.' })
  const recipe = recipeFor(context, 'tokens', 10_000, {})!

  test('the recent part begins at a reply, with its thinking and the results of its calls', () => {
    expect(context.messages[recipe.cut]!.role).toBe('assistant')
    expect(recipe.cut).toBeGreaterThan(3)
    const after = withSummary(context, recipe, summaryReply('All that was done.'))
    expect(after.messages.map(({ role }) => role)).toEqual(['user', ...context.messages.slice(recipe.cut).map(({ role }) => role)])
    expect(after.messages[1]).toBe(context.messages[recipe.cut])
  })

  test('the first message stays, then the summary, todos and skills, and the reminder last', () => {
    const before: RunContext = {
      ...context,
      todos: [{ content: 'Ship it', status: 'pending', activeForm: 'Shipping it' }],
      skills: [{ name: 'deploy', text: 'Deploy with care.' }],
    }
    const texts = (of: RunContext) => of.messages[0]!.content.map((block) => (block.type === 'text' ? block.text : ''))
    const once = withSummary(before, recipe, summaryReply('First summary.'))
    expect(texts(once).slice(0, 2)).toEqual(texts(before).slice(0, 2))
    expect(
      texts(once)
        .slice(2)
        .map((text) => /First summary|Ship it|Deploy with care|Stay calm/.exec(text)?.[0]),
    ).toEqual(['First summary', 'Ship it', 'Deploy with care', 'Stay calm'])
    const twice = withSummary(
      { ...once, messages: [once.messages[0]!, ...before.messages.slice(1)] },
      recipe,
      summaryReply('Second summary.'),
    )
    expect(texts(twice).join('\n')).not.toContain('First summary')
    expect(texts(twice)).toHaveLength(texts(once).length)
  })

  test('the summary is asked for at the end of the old part, under the same prefix, and cut results only after an overflow', () => {
    const request = summaryRequest(context, recipe)
    const { messages, ...prefix } = request
    expect(prefix).toEqual(context.prefix)
    expect(messages).toHaveLength(recipe.cut)
    expect(messages.at(-1)!.content.at(-1)).toMatchObject({ type: 'text', text: SUMMARY_PROMPT })
    expect(JSON.stringify(messages)).toContain('x'.repeat(4000))
    const overflow = recipeFor(context, 'overflow', 10_000, {})!
    expect(JSON.stringify(summaryRequest(context, overflow).messages)).not.toContain('x'.repeat(2001))
  })

  test('one exchange that is too long by itself is summarised whole, and only after an overflow', () => {
    const one = conversation(1, 900_000)
    expect(recipeFor(one, 'tokens', 300_000, {})).toBeUndefined()
    const whole = recipeFor(one, 'overflow', 300_000, {})!
    expect([whole.cut, withSummary(one, whole, summaryReply('Read it.')).messages]).toMatchObject([3, [{ role: 'user' }]])
    expect(recipeFor(begin(startOf({}, 'go'), seams).context, 'overflow', 1, {})).toBeUndefined()
  })
})
