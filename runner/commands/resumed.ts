import { cannotGoOn, type PastBelow } from '../begun.ts'
import type { Resume } from '../run-options.ts'
import { historyOf } from '../transcript/history.ts'
import { readTranscript } from '../transcript/read.ts'
import { addUsage } from '../usage.ts'
import { NOTHING_USED, usedIn } from '../transcript/account.ts'
import { type KeptRun, sideTranscripts } from './kept.ts'
import { UsageFault } from './run-arguments.ts'

/** What a resumed run is asked for. */
export interface AskedResume {
  prompt?: string | undefined
  maxTurns?: number | undefined
  maxBudgetUsd?: number | undefined
}

/** Takes a run up where its transcript ends. With `talks` a person is there to say what is next. Throws `UsageFault` if it cannot go on as asked, and `DamagedTranscript`. */
export function resumed(kept: KeptRun, asked: AskedResume, talks = false): Resume {
  const { id, transcript, manifest } = kept
  const read = readTranscript(transcript)
  const past = { history: historyOf(read, manifest), ...asked }
  const reason = cannotGoOn(talks ? { ...past, prompt: asked.prompt ?? '' } : past, id)
  if (reason !== undefined) throw new UsageFault(reason)
  const { environment, offered } = read.start
  return {
    ...past,
    below: usedBelow(sideTranscripts(kept), manifest),
    id,
    environment,
    offered,
    closure: manifest.header.hash,
    whole: read.whole,
  }
}

/** What the agents have used that the run had started. */
function usedBelow(sides: readonly string[], { agents }: KeptRun['manifest']): PastBelow {
  const ttlOf = (agent: string): '5m' | '1h' => agents.get(agent)?.cacheTtl ?? '5m'
  const all = sides.map((side) => usedIn(side, ttlOf))
  const used = all.reduce(
    (sum, each) => ({
      usage: addUsage(sum.usage, each.usage),
      turns: sum.turns + each.turns,
      wakes: sum.wakes + each.wakes,
      outputChars: sum.outputChars + each.outputChars,
      denials: [...sum.denials, ...each.denials],
      unanswered: sum.unanswered || each.unanswered,
    }),
    NOTHING_USED,
  )
  return { ...used, agents: sides.length }
}
