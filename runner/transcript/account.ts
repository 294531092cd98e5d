import { type UsageByModel, withPaid, withUsage } from '../usage.ts'
import { readTranscript } from './read.ts'

/**
 * What an agent has used, its hooks included, by its transcript alone: how far it came means nothing. One that was killed before its first
 * line has used nothing. `ttlOf`: how long an agent keeps its cache, by its name. Throws `DamagedTranscript`.
 */
export function usageIn(transcript: string, ttlOf: (agent: string) => '5m' | '1h'): UsageByModel {
  if (!transcript.includes('\n')) return {}
  const { start, lines } = readTranscript(transcript)
  let usage: UsageByModel = {}
  let asked = ''
  for (const line of lines) {
    if (line.kind === 'request') asked = line.prefix?.model ?? asked
    else if (line.kind === 'assistant') usage = withUsage(usage, line.reply, asked, ttlOf(start.agent))
    else if (line.kind === 'hook_reply') usage = withPaid(usage, line)
  }
  return usage
}
