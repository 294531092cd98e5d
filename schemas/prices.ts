/** What the models of `models.ts` cost, as data. A price that changes is changed here, with the date. */

/** The day on which the prices were read from https://platform.claude.com/docs/en/about-claude/pricing. */
export const PRICES_DATE = '2026-11-30'

/** US dollars for a million tokens of each kind. */
export interface Price {
  input: number
  output: number
  cacheRead: number
  cacheWrite5m: number
  cacheWrite1h: number
}

/** Some models cost more for a request whose prompt, cache included, is longer than `above` tokens; then all of that request does. */
interface ModelPrice extends Price {
  long?: { above: number; price: Price }
}

export const PRICES: Readonly<Record<string, ModelPrice>> = {
  'claude-fable-5-2': { input: 8, output: 40, cacheRead: 0.2, cacheWrite5m: 10, cacheWrite1h: 16 },
  'claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.2, cacheWrite5m: 5, cacheWrite1h: 8 },
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.1, cacheWrite5m: 2.5, cacheWrite1h: 4 },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite5m: 0.125,
    cacheWrite1h: 0.2,
    long: { above: 100_000, price: { input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite5m: 0.625, cacheWrite1h: 1 } },
  },
}

/** Tokens of one reply, as the API counts them. */
export interface Tokens {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
}

/** Whether the price of a model is known. A snapshot (`claude-haiku-5-5-20261007`) costs what its model does. */
export function isPriced(model: string): boolean {
  return priceOf(model) !== undefined
}

/** The US dollars of one reply; `undefined` if the model has no known price. `ttl` is how long what it wrote into the cache stays there. */
export function costOf(model: string, tokens: Tokens, ttl: '5m' | '1h'): number | undefined {
  const listed = priceOf(model)
  if (!listed) return undefined
  const prompt = tokens.input_tokens + tokens.cache_creation_input_tokens + tokens.cache_read_input_tokens
  const price = listed.long && prompt > listed.long.above ? listed.long.price : listed
  const write = ttl === '1h' ? price.cacheWrite1h : price.cacheWrite5m
  const millionths =
    tokens.input_tokens * price.input +
    tokens.output_tokens * price.output +
    tokens.cache_creation_input_tokens * write +
    tokens.cache_read_input_tokens * price.cacheRead
  return millionths / 1_000_000
}

function priceOf(model: string): ModelPrice | undefined {
  const id = model.replace(/-20\d{6}$/, '')
  return Object.hasOwn(PRICES, id) ? PRICES[id] : undefined
}
