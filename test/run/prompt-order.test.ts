import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { framed, INTRO } from '../../compiler/instructions/frame.ts'
import { memorySections } from '../../compiler/memory/section.ts'
import { environmentBlock } from '../../runner/environment.ts'
import { begin } from '../../runner/endings.ts'
import { withReply, withResults } from '../../runner/context.ts'
import type { Start } from '../../runner/index.ts'
import { type RequestTool, toolResult } from '../../runner/message.ts'
import { requestOf } from '../../runner/request.ts'
import { NO_USAGE } from '../../runner/usage.ts'
import { FAMILY_GUIDANCE } from '../../schemas/model-families.ts'
import type { Source } from '../../schemas/source.ts'
import type { InstructionLevel } from '../../schemas/values.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { ROOT } from '../support/tree.ts'
import { type AgentParts, type HeaderParts, startOf } from './manifest-fixture.ts'
import { stillClock } from './stage.ts'

/** Goldens are written anew with `npx vitest run test/run/prompt-order.test.ts -u`; a person reads the difference. */

const ENVIRONMENT = { cwd: '/work', platform: 'linux', git: true }
const PROMPT = 'What is in the notes?'

const SKILLS = {
  tone: {
    description: 'How to write',
    content: 'Be plain.',
    hash: `sha256:${'0'.repeat(64)}`,
    origin: { source: 'project' as const, path: '.claude/skills/tone/SKILL.md' },
  },
}

/** Every tool is there, so that every tool of an agent is in its request. */
function contextOf(start: Start) {
  const tools = () => ({ run: () => Promise.resolve({ text: '', isError: false }) })
  return begin(start, { tools, clock: stillClock(), ids: { session: () => 's' }, environment: ENVIRONMENT }).context
}

test('the parts of the first and of the next request stand in the documented order', async () => {
  const parts = { effort: 'high', initialPrompt: 'First, be kind.', reminder: 'Stay calm.', tools: ['Read'] } as const
  const start = startOf({ ...parts, tools: ['Read', 'Skill'] }, PROMPT, { skills: SKILLS })
  const first = contextOf({ ...start, preloaded: [{ name: 'tone', text: 'Be plain.' }] })
  const content = [{ type: 'tool_use' as const, id: 'toolu_1', name: 'Read', input: { file_path: 'notes.md' } }]
  const replied = withReply(first, { type: 'reply', id: 'm', model: 'm', content, stop_reason: 'tool_use', usage: NO_USAGE, broken: {} })
  const results = { blocks: [toolResult('toolu_1', '1\tone', false)], messages: ['<skill name="x">\nOf a call.\n</skill>'] }
  const next = withResults(replied, { ...results, denials: [], unanswered: false })
  const text = [requestOf(first), requestOf(next)].map((request) => JSON.stringify(request, null, 1)).join('\n')
  await expect(`${text}\n`).toMatchFileSnapshot('golden/requests.json.txt')
})

test('the notes of an agent stand behind its prompt, in a part of their own', async () => {
  const header = { memory: memorySections(['project']) }
  const shown = { folder: '.claude/agent-memory/worker', content: '- the build needs make' }
  const start = { ...startOf({ tools: ['Read'], memory: 'project' }, PROMPT, header), memory: shown }
  await expect(`${JSON.stringify(requestOf(contextOf(start)), null, 1)}\n`).toMatchFileSnapshot('golden/request-memory.json.txt')
})

/** A person, an organisation and a project that have something to say. */
function instructions(): HeaderParts['instructions'] {
  const file = (level: InstructionLevel, source: Source, path: string, text: string) => {
    const origin = { source, path }
    return { level, origin, hash: `sha256:${'0'.repeat(64)}`, text: framed(level, origin, text) }
  }
  const files = [
    file('policy', 'policy', 'CLAUDE.md', 'Never push to main.'),
    file('user', 'user', 'CLAUDE.md', 'Answer in English.'),
    file('project', 'project', 'CLAUDE.md', 'Build with `make`.'),
    file('local', 'project', 'CLAUDE.local.md', 'My sandbox is number 7.'),
  ]
  return { intro: INTRO, files }
}

test('guidance stands in the prompt before the notes, instructions between the environment and what the agent is to do', async () => {
  const header = { memory: memorySections(['project']), guidance: { ...FAMILY_GUIDANCE }, instructions: instructions() }
  const memory = { folder: '.claude/agent-memory/worker', content: '- the build needs make' }
  const parts = { tools: [], memory: 'project', guidance: true, initialPrompt: 'First, be kind.', reminder: 'Stay calm.' } as const
  const start = { ...startOf({ ...parts, tools: [] }, PROMPT, header), memory, preloaded: [{ name: 'notes', text: 'A skill.' }] }
  await expect(`${JSON.stringify(requestOf(contextOf(start)), null, 1)}\n`).toMatchFileSnapshot('golden/request-instructions.json.txt')
})

test('who omits CLAUDE.md gets that of the organisation, and its own agents do not', () => {
  const header = { instructions: instructions() }
  const shown = (agent: AgentParts): string[] => {
    const [, second] = requestOf(contextOf(startOf(agent, PROMPT, header))).messages[0]!.content
    return ['Never push', 'English', 'make', 'number 7'].filter((words) => second?.type === 'text' && second.text.includes(words))
  }
  const origin = { source: 'policy', path: 'x', hash: `sha256:${'0'.repeat(64)}` } as const
  expect(shown({})).toEqual(['Never push', 'English', 'make', 'number 7'])
  expect(shown({ omitClaudeMd: false })).toEqual(shown({}))
  expect(shown({ omitClaudeMd: true })).toEqual(['Never push'])
  expect(shown({ omitClaudeMd: true, origin })).toEqual([])
  expect(shown({ origin })).toEqual(shown({}))
})

/** The fixed words of the API and of the frame around a reminder. */
const PROTOCOL = new Set(['user', 'text', 'ephemeral', '1h'])

/** Every text in a value, without those of the tools' schemas, which are compared whole. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** The texts and numbers of a request that are neither of the manifest, nor the prompt, nor the environment block, nor fixed words. */
function foreign(start: Start): unknown[] {
  const { agent, header } = start
  const { tools = [], model, max_tokens, output_config, ...rest } = requestOf(contextOf(start))
  const known = new Set([promptOf(start), agent.initialPrompt, environmentBlock(ENVIRONMENT), PROMPT, instructionsOf(start)])
  if (agent.reminder) known.add(`<system-reminder>\n${agent.reminder}\n</system-reminder>`)
  const expected = agent.model === 'inherit' ? header.models['default'] : agent.model
  return [
    ...textsIn(rest).filter((text) => !known.has(text) && !PROTOCOL.has(text)),
    ...tools.filter((tool) => !asDescribed(tool, header)),
    ...(model === expected ? [] : [model]),
    ...(max_tokens === 16_384 ? [] : [max_tokens]),
    ...(output_config === undefined || output_config.effort === agent.effort ? [] : [output_config]),
    ...Object.keys(rest).filter((key) => key !== 'system' && key !== 'messages'),
  ]
}

/** Of the manifest: the prompt, for some agents with the text for the family whose name is a word of the model's id. */
function promptOf({ agent, header }: Start): string {
  const words = (agent.model === 'inherit' ? header.models['default']! : agent.model).split('-')
  const guidance = Object.entries(header.guidance ?? {}).find(([family]) => agent.guidance && words.includes(family))
  return guidance ? `${agent.prompt}\n\n${guidance[1]}` : agent.prompt
}

function instructionsOf({ agent, header: { instructions } }: Start): string | undefined {
  const files = instructions?.files.filter(({ level }) => !agent.omitClaudeMd || (level === 'policy' && agent.origin.source !== 'policy'))
  return files?.length ? [instructions!.intro, ...files.map(({ text }) => text)].join('\n\n') : undefined
}

function described({ description, input_schema }: Start['header']['tools'][string]): object {
  return { description, input_schema }
}

/** The tool Skill lists the skills of the manifest behind its own description, each with its own words. */
function asDescribed({ name, ...tool }: RequestTool, { tools, skills, commands }: Start['header']): boolean {
  if (name !== 'Skill') return JSON.stringify(tool) === JSON.stringify(described(tools[name]!))
  const [own, blank, heading, ...lines] = tool.description.split('\n')
  const all = Object.entries({ ...commands, ...skills })
  const known = new Set(all.map(([each, { description = '' }]) => `- ${each}: ${description.replace(/\s+/g, ' ')}`))
  if (own !== tools[name]!.description || JSON.stringify(tool.input_schema) !== JSON.stringify(tools[name]!.input_schema)) return false
  return blank === undefined || (blank === '' && heading === 'Skills that can be called:' && lines.every((line) => known.has(line)))
}

test('the first request of every agent of every compiled case holds nothing that is not from the manifest, the prompt or the environment', () => {
  const cases = join(ROOT, 'test/compile')
  let agents = 0
  for (const name of readdirSync(cases)) {
    const file = join(cases, name, 'out/manifest.json')
    const open = read(file)
    for (const [agent, entry] of open?.agents ?? []) {
      const start: Start = { header: open!.header, name: agent, agent: entry, prompt: PROMPT }
      expect(foreign(start), `${name}: ${agent}`).toEqual([])
      agents += 1
    }
  }
  expect(agents).toBeGreaterThan(50)
})

function read(file: string) {
  try {
    return readManifest(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
