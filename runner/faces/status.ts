import type { Reply } from '../message.ts'
import { promptTokens, replyCost } from '../usage.ts'
import { count, cut, shownText } from './shown.ts'

/** The line at the end of a terminal: how far a run has come, what it has used, what it is at, and what the person is typing. */
export interface Status {
  /** Counts a reply; `asked` is the model that was asked. */
  count(reply: Pick<Reply, 'model' | 'usage'>, asked: string): void
  /** `work`: the reply that was counted last is being worked on; `wait`: the next one is waited for. */
  line(what: string, of: 'work' | 'wait', columns: number): string
  /** The same line with what is typed. */
  drafted(draft: string, columns: number): string
}

/** `ttl` is how long what is written into the cache stays there, for its price. */
export function createStatus(ttl: '5m' | '1h'): Status {
  let turns = 0
  let [input, output] = [0, 0]
  let usd: number | undefined = 0
  let turn = 0
  let doing = ''
  let draft = ''
  const line = (columns: number): string => {
    const cost = usd === undefined || usd === 0 ? '' : ` · $${usd.toFixed(4)}`
    if (draft === '') return cut(`  turn ${turn} · ${short(input)} tokens in, ${short(output)} out${cost} · ${doing}`, columns - 1)
    const head = `  turn ${turn}${cost} › `
    return cut(`${head}${tail(draft, columns - head.length - 2)}`, columns - 1)
  }
  return {
    count(reply, asked) {
      turns += 1
      input += promptTokens(reply.usage)
      output += reply.usage.output_tokens
      const more = replyCost(reply, asked, ttl)
      usd = usd === undefined || more === undefined ? undefined : usd + more
    },
    line(what, of, columns) {
      turn = of === 'work' ? turns : turns + 1
      doing = what
      return line(columns)
    },
    drafted(text, columns) {
      draft = shownText(text.replace(/\n/g, '↵'))
      return line(columns)
    },
  }
}

/** The end of a text, which is where the person is typing. */
function tail(text: string, columns: number): string {
  const signs = [...text]
  return signs.length > columns ? `…${signs.slice(1 - columns).join('')}` : text
}

/** `812`, `34.0k`, `1.2M`: what changes all the time is not read to the last digit. */
function short(tokens: number): string {
  if (tokens < 10_000) return count(tokens, '', '').trim()
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(2)}M`
}
