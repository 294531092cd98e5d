import type { PermissionDenial } from '../events.ts'
import { isToolUse, type Reply, textOf } from '../message.ts'
import { type UsageByModel, withPaid, withUsage } from '../usage.ts'
import type { ToolEndLine } from './line.ts'
import { readTranscript } from './read.ts'

/** What an agent has used up, and what was denied to it. */
export interface Used {
  usage: UsageByModel
  turns: number
  /** How often it was gone on with after its end: each time counts as one more agent. */
  wakes: number
  /** Characters of text that it has written. */
  outputChars: number
  denials: readonly PermissionDenial[]
  /** One of them because nobody could be asked. */
  unanswered: boolean
}

export const NOTHING_USED: Used = { usage: {}, turns: 0, wakes: 0, outputChars: 0, denials: [], unanswered: false }

/**
 * What an agent has used, its hooks included, by its transcript alone: how far it came means nothing. One that was killed before its first
 * line has used nothing. `ttlOf`: how long an agent keeps its cache, by its name. Throws `DamagedTranscript`.
 */
export function usedIn(transcript: string, ttlOf: (agent: string) => '5m' | '1h'): Used {
  if (!transcript.includes('\n')) return NOTHING_USED
  const { start, lines } = readTranscript(transcript)
  const ttl = ttlOf(start.agent)
  const used = { ...NOTHING_USED, denials: [] as PermissionDenial[] }
  let asked = ''
  let last: Reply | undefined
  let compacts = false
  for (const line of lines) {
    if (line.kind === 'request') asked = line.prefix?.model ?? asked
    else if (line.kind === 'hook_reply') used.usage = withPaid(used.usage, line)
    else if (line.kind === 'resume') used.wakes += 1
    else if (line.kind === 'assistant') {
      last = line.reply
      used.usage = withUsage(used.usage, last, asked, ttl)
      if (!compacts) used.turns += 1
      if (!compacts) used.outputChars += textOf(last.content).length
    } else if (line.kind === 'tool_end' && line.denied) {
      used.denials.push(...denial(line, last, start.agent))
      used.unanswered ||= line.unanswered === true
    }
    if (ANSWERS.has(line.kind)) compacts = line.kind === 'compact'
  }
  return used
}

/** What a request for a summary is answered with, and what forgets it: the reply to one is no turn of the conversation. */
const ANSWERS = new Set(['compact', 'assistant', 'fault', 'resume'])

function denial({ call, name, text }: ToolEndLine, reply: Reply | undefined, agent: string): PermissionDenial[] {
  const asked = reply?.content.filter(isToolUse)[call]
  return asked ? [{ tool_name: name, tool_use_id: asked.id, tool_input: asked.input, reason: text, agent }] : []
}
