import { type RunContext, reminder, used } from '../context.ts'
import { skillFrame } from '../skills/frame.ts'
import { type Message, type ModelRequest, type Reply, resultText, textOf, type UserBlock } from '../message.ts'
import { requestOf } from '../request.ts'
import { totalCost } from '../usage.ts'
import type { Recipe } from './recipe.ts'

/**
 * What the model is asked for when a conversation has grown too long. It stands at the end of the old part, under the same system
 * prompt and with the same tools, so that the cached prefix is read once more and not written anew.
 */
export const SUMMARY_PROMPT = `This conversation has grown too long and will be cut here. Write a summary that takes the place of everything so far. Whoever goes on with the work will have the first message, your summary and nothing else of it.

Write, under these headings:
1. Task: what was asked for, with every condition that still holds, later instructions included, in the words they were given in.
2. Done: what was done and found, with paths, names, commands and numbers exactly as they are.
3. State: files that were changed and how; what runs; what is known to fail, with the exact error.
4. Open: what was being done when the conversation was cut, and the next step.

Leave out what is of no use any more. Do not call any tool and do not go on with the task: answer with the summary alone.`

const FRAME = 'The conversation up to here was too long and has been replaced by this summary of it. Go on with the work where it stopped.'

/** Characters of all skills together, the last called for first. */
const SKILL_CHARS = 100_000

/** The request for the summary. */
export function summaryRequest(context: RunContext, { cut, clip }: Recipe): ModelRequest {
  const old = context.messages.slice(0, cut).map((message) => (clip === undefined ? message : clipped(message, clip)))
  const last = old.at(-1)!
  const asked: Message = { role: 'user', content: [...(last.content as readonly UserBlock[]), { type: 'text', text: SUMMARY_PROMPT }] }
  return requestOf({ ...context, messages: [...old.slice(0, -1), asked] })
}

function clipped(message: Message, most: number): Message {
  if (message.role === 'assistant') return message
  const content = message.content.map((block): UserBlock => {
    if (block.type !== 'tool_result') return block
    const text = resultText(block)
    if (text.length <= most && typeof block.content === 'string') return block
    const left = text.length - most
    return { ...block, content: left > 0 ? `${text.slice(0, most)}\n[${left} more characters left out]` : text || '[a picture]' }
  })
  return { role: 'user', content }
}

/** The run after a summary: its old part is replaced. A reply that holds no summary changes the account only. */
export function withSummary(context: RunContext, recipe: Recipe, reply: Reply): RunContext {
  const charged = { ...context, ...used(context, reply) }
  const summary = textOf(reply.content).trim()
  if (summary === '' || reply.stop_reason === 'refusal' || reply.stop_reason === 'max_tokens') return withoutSummary(charged)
  const { compaction, messages } = charged
  const opening = compaction?.opening ?? openingOf(context)
  const usd = totalCost(charged.modelUsage) ?? 0
  const compacted: RunContext = { ...charged, compaction: { times: (compaction?.times ?? 0) + 1, failures: 0, opening, summary, usd } }
  const first: Message = { role: 'user', content: [...opening, ...memory(compacted, summary), ...reminder(context.agent)] }
  return { ...compacted, counted: undefined, messages: [first, ...messages.slice(recipe.cut)] }
}

/** A summary that could not be had. After some, the run goes on without. */
export function withoutSummary(context: RunContext): RunContext {
  const { compaction = { times: 0, failures: 0, opening: openingOf(context), summary: '', usd: 0 } } = context
  return { ...context, compaction: { ...compaction, failures: compaction.failures + 1, usd: totalCost(context.modelUsage) ?? 0 } }
}

/** The first message without the agent's reminder, which goes last again. */
function openingOf({ messages, agent }: RunContext): readonly UserBlock[] {
  const content = messages[0]!.content as readonly UserBlock[]
  return reminder(agent).length > 0 ? content.slice(0, -1) : content
}

/** A skill whose text stands in the first message needs no second one. */
function memory({ todos, skills = [], compaction }: RunContext, summary: string): UserBlock[] {
  const first = (compaction?.opening ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  const list = (todos ?? []).map(({ content, status }) => `- [${status}] ${content}`).join('\n')
  const texts = [
    `<summary>\n${FRAME}\n\n${summary}\n</summary>`,
    ...(list === '' ? [] : [`<todos>\n${list}\n</todos>`]),
    ...fitting(skills.filter(({ text }) => !first.includes(text))).map(skillFrame),
  ]
  return texts.map((text) => ({ type: 'text', text }))
}

function fitting(skills: NonNullable<RunContext['skills']>): NonNullable<RunContext['skills']> {
  let chars = 0
  return [...skills]
    .reverse()
    .filter(({ text }) => (chars += text.length) <= SKILL_CHARS)
    .reverse()
}
