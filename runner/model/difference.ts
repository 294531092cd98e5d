export interface Difference {
  /** Such as `messages[2].content[0].text`. */
  path: string
  recorded: string
  now: string
}

/** The first place, in the order of the recorded value, where two JSON values differ. */
export function firstDifference(recorded: unknown, now: unknown, path = ''): Difference | undefined {
  if (Array.isArray(recorded) && Array.isArray(now)) {
    return firstOf(Math.max(recorded.length, now.length), (at) => firstDifference(recorded[at], now[at], `${path}[${at}]`))
  }
  if (isRecord(recorded) && isRecord(now)) {
    const keys = [...new Set([...Object.keys(recorded), ...Object.keys(now)])]
    return firstOf(keys.length, (at) => firstDifference(recorded[keys[at]!], now[keys[at]!], joined(path, keys[at]!)))
  }
  return Object.is(recorded, now) ? undefined : { path: path || 'the whole', ...excerpts(recorded, now) }
}

function firstOf(count: number, difference: (at: number) => Difference | undefined): Difference | undefined {
  for (let at = 0; at < count; at++) {
    const found = difference(at)
    if (found) return found
  }
  return undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function joined(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

/** Both values, cut to the surroundings of the first character that differs. */
function excerpts(recorded: unknown, now: unknown): { recorded: string; now: string } {
  if (typeof recorded !== 'string' || typeof now !== 'string') return { recorded: short(recorded), now: short(now) }
  let same = 0
  while (same < recorded.length && recorded[same] === now[same]) same++
  const from = Math.max(0, same - 20)
  const part = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, from + 60)}${text.length > from + 60 ? '…' : ''}`
  return { recorded: JSON.stringify(part(recorded)), now: JSON.stringify(part(now)) }
}

function short(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
