import { withName } from './colours.ts'
import type { Output } from './face.ts'
import type { Page, Surface, Tone } from './page.ts'
import { cut, oneLine, subject } from './shown.ts'
import type { Status } from './status.ts'
import { createSteps } from './steps.ts'

/** Steps that are shown; what came before them is summed up in a line. */
const MOST_STEPS = 5

/** For a terminal that can go back in its lines: the model's text as it arrives, the last steps, and below them a status line. */
export function livingPage(surface: Surface, status: Status): Page {
  const { paint } = surface
  let steps = createSteps()
  /** The model's text has not come to the end of its line. */
  let inText = false
  /** Lines that will be written over; the cursor stands at the end of the last one. */
  let drawn: readonly string[] = []
  let below = ''

  const toned = (text: string, tone: Tone): string => (tone === 'plain' ? text : paint[tone](text))
  const stepLines = (): string[] =>
    steps.lines(Math.max(1, Math.min(MOST_STEPS, surface.rows - 4))).map(({ text, bad, agent }) => {
      const line = cut(`  ${text}`, surface.columns - 1)
      const rest = bad ? paint.bad : paint.quiet
      return agent === undefined ? rest(line) : withName(line, agent, surface.paintOf(agent), rest)
    })
  const draw = (): Output[] => {
    if (inText) return []
    const lines = [...stepLines(), ...(below === '' ? [] : [paint.quiet(below)])]
    if (lines.join('\n') === drawn.join('\n')) return []
    const text = `${erased(drawn.length)}${lines.join('\n')}`
    drawn = lines
    return [{ to: 'stderr', text }]
  }
  /** The steps stay as they are, and what comes next stands below them. */
  const settled = (): Output[] => {
    const lines = stepLines()
    const text = `${erased(drawn.length)}${lines.map((line) => `${line}\n`).join('')}`
    drawn = []
    below = ''
    steps = createSteps()
    return text === '' ? [] : [{ to: 'stderr', text }]
  }
  const endText = (): Output[] => {
    if (!inText) return []
    inText = false
    return [{ to: 'stdout', text: '\n' }]
  }
  const rest = (): Output[] => [...endText(), ...settled()]
  const line = (text: string, tone: Tone = 'quiet'): Output[] => [...rest(), { to: 'stderr', text: `${toned(text, tone)}\n` }]
  const changed = (change: () => void): Output[] => {
    const before = endText()
    change()
    return [...before, ...draw()]
  }
  return {
    endText,
    rest,
    text(piece) {
      if (piece === '') return []
      const before = settled()
      inText = !piece.endsWith('\n')
      return [...before, { to: 'stdout', text: piece }]
    },
    line,
    agentLine({ type, description }, what) {
      const name = oneLine(type)
      const text = cut(`  ${name}: ${oneLine(description)}: ${what}`, surface.columns - 1)
      return line(withName(text, name, surface.paintOf(type), paint.quiet), 'plain')
    },
    started: ({ id, name, input }) =>
      changed(() => {
        steps.started(id, name, input)
        below = status.line(`${name} ${subject(input)}`.trimEnd(), 'work', surface.columns)
      }),
    ended: ({ id }, outcome) => changed(() => steps.ended(id, outcome)),
    agent: (call, agent) => changed(() => steps.agent(call, agent)),
    agentUsed: (call, uses, tokens) => changed(() => steps.agentUsed(call, uses, tokens)),
    status(what, of = 'work') {
      below = status.line(what, of, surface.columns)
      return draw()
    },
    draft(text) {
      below = status.drafted(text, surface.columns)
      return draw()
    },
  }
}

/** Back to the first of so many lines, with nothing behind it. */
function erased(lines: number): string {
  if (lines === 0) return ''
  return `\r${lines > 1 ? `\u001B[${lines - 1}A` : ''}\u001B[J`
}
