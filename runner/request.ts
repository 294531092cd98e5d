import { familyOf } from '../schemas/model-families.ts'
import { frozen } from '../schemas/manifest.ts'
import type { ManifestAgent } from '../schemas/shapes/manifest.ts'
import { reminder, type RunContext, type Start } from './context.ts'
import { deniedTo } from './denied-to.ts'
import { withListing } from './delegation/spawns.ts'
import { type Environment, environmentBlock } from './environment.ts'
import { instructionsFor } from './instructions.ts'
import { memorySection } from './memory/section.ts'
import { knownIn } from './skills/catalogue.ts'
import { skillFrame } from './skills/frame.ts'
import { listSkills, withSkills } from './skills/listing.ts'
import { schemaInstruction } from './output/instruction.ts'
import type { CacheControl, Message, ModelRequest, RequestPrefix, RequestTool, TextBlock, UserBlock } from './message.ts'

/** The most tokens of one reply. Replies are streamed, so that a long one does not time out. */
export const MAX_TOKENS = 16_384

/**
 * The part of every request that never changes: model, system, tools, effort. Computed once and frozen.
 * `system` is the agent's prompt, for some with guidance for the model's family, then what memory adds to it. Nothing else: paths and other things that differ between folders
 * would cost every run in another folder its prompt cache. The prompt has a mark of its own, so that new notes do not cost it either.
 * An `effort` that is an integer has no member in the API and is left out (a notice says so).
 */
export function requestPrefix(start: Start, offered: readonly string[]): Readonly<RequestPrefix> {
  const { agent, header } = start
  const effort = typeof agent.effort === 'string' ? agent.effort : undefined
  const tools = offered.map((name): RequestTool => {
    const { description, input_schema } = header.tools[name]!
    return { name, description: described(name, description, start), input_schema }
  })
  const system = systemOf(start)
  return frozen({
    model: modelOf(start),
    max_tokens: MAX_TOKENS,
    ...(system.length > 0 ? { system } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(effort === undefined ? {} : { output_config: { effort } }),
  })
}

function systemOf(start: Start): TextBlock[] {
  const { agent, header, memory } = start
  const notes = memorySection(header, agent, memory)
  const prompt = [agent.prompt, guidanceOf(start)].filter((text) => text.trim() !== '').join('\n\n')
  const texts = [...(prompt === '' ? [] : [prompt]), ...(notes === undefined ? [] : [notes])]
  return texts.map((text, at) => marked({ type: 'text', text: at === 0 ? text : `\n\n${text}` }, cacheControl(agent)))
}

/** What the manifest says in addition to models of this family, for prompts that ask for it. */
function guidanceOf(start: Start): string {
  const { guidance = {} } = start.header
  const family = start.agent.guidance ? familyOf(modelOf(start)) : undefined
  return family !== undefined && Object.hasOwn(guidance, family) ? guidance[family]! : ''
}

/** The tools that start something say what there is to be started. */
function described(name: string, description: string, start: Start): string {
  const { agents } = start
  if (name === 'Skill') return withSkills(description, listSkills(knownIn(start), deniedTo(start)))
  return name === 'Agent' && agents ? withListing(description, agents) : description
}

/** The model asked for, else the agent's; a main agent that inherits runs on the manifest's default. */
export function modelOf(start: Start): string {
  if (start.model !== undefined) return modelNamed(start.header, start.model)
  return start.agent.model === 'inherit' ? modelNamed(start.header, 'default') : start.agent.model
}

/** The full id behind a name that may be an alias of the manifest. */
export function modelNamed(header: Start['header'], name: string): string {
  return Object.hasOwn(header.models, name) ? header.models[name]! : name
}

/** The full id of the model that is asked when the first one fails. */
export function fallbackOf(start: Start): string | undefined {
  return start.fallbackModel === undefined ? undefined : modelNamed(start.header, start.fallbackModel)
}

/** The first message, in this order: environment, instructions of people, the agent's skills, its `initialPrompt`, the prompt, what hooks say, the agent's reminder. */
export function firstMessage(start: Start, environment: Environment): Message {
  const schema = start.outputSchema && schemaInstruction(start.outputSchema)
  const own = start.initialPrompt ?? start.agent.initialPrompt
  const texts = [
    environmentBlock(environment),
    instructionsFor(start),
    ...(start.preloaded ?? []).map(skillFrame),
    own,
    start.prompt,
    start.hookContext,
    schema,
  ]
  const blocks = texts.flatMap((text): UserBlock[] => (text === undefined || text === '' ? [] : [{ type: 'text', text }]))
  return { role: 'user', content: [...blocks, ...reminder(start.agent)] }
}

/**
 * The request of the next turn. Cache marks (the API takes four): the end of each part of `system`, the end of the newest message
 * of the user's side, and the end of the one before, where the last request left its entry. A mark looks back 20 blocks only,
 * and a reply with many calls adds more than that.
 */
export function requestOf(context: RunContext): ModelRequest {
  const last = context.messages.map((message) => message.role).lastIndexOf('user')
  const before =
    last < 1
      ? -1
      : context.messages
          .slice(0, last)
          .map((message) => message.role)
          .lastIndexOf('user')
  const control = cacheControl(context.agent)
  const messages = context.messages.map((message, at): Message => {
    if (message.role !== 'user' || (at !== last && at !== before)) return message
    // What a fork shares with its siblings ends before its own task: a mark behind that would be written by each of them alone.
    const block = Math.max(0, message.content.length - (at === context.sharedAt ? 2 : 1))
    return { role: 'user', content: message.content.with(block, marked(message.content[block]!, control)) }
  })
  return { ...context.prefix, messages }
}

function marked<T extends UserBlock>(block: T, cache_control: CacheControl): T {
  return { ...block, cache_control }
}

function cacheControl(agent: Readonly<ManifestAgent>): CacheControl {
  return agent.cacheTtl === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
}
