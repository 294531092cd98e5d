import type { Color } from '../../schemas/values.ts'

/** How parts of the text face are marked. Without colour every one of them is the identity. */
export interface Paint {
  /** What stands for the agent: its name. */
  agent(text: string): string
  /** What is only about the run. */
  quiet(text: string): string
  bad(text: string): string
}

/** SGR codes of the eight colours of agents, the same that `agentc list` uses: basic terminals have no orange and no pink. */
const CODES: Readonly<Record<Color, string>> = {
  red: '31',
  blue: '34',
  green: '32',
  yellow: '33',
  purple: '35',
  orange: '93',
  pink: '95',
  cyan: '36',
}

/** A line in which the name of an agent is marked as that agent is, and the rest in another way. */
export function withName(line: string, name: string, mark: Paint['agent'], rest: Paint['quiet']): string {
  const at = line.indexOf(name)
  if (at < 0) return rest(line)
  const [before, after] = [line.slice(0, at), line.slice(at + name.length)]
  return `${before === '' ? '' : rest(before)}${mark(name)}${after === '' ? '' : rest(after)}`
}

export const PLAIN: Paint = { agent: (text) => text, quiet: (text) => text, bad: (text) => text }

/** In: the agent's colour. Out: the marks for a terminal that shows colours. */
export function coloured(color: Color): Paint {
  const sgr = (code: string) => (text: string) => `\u001B[${code}m${text}\u001B[0m`
  return { agent: sgr(`1;${CODES[color]}`), quiet: sgr('2'), bad: sgr('31') }
}
