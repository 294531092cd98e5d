import { withName } from './colours.ts'
import type { Output } from './face.ts'
import { createFold } from './fold.ts'
import type { Page, Surface, Tone } from './page.ts'
import { cut, oneLine, subject } from './shown.ts'

/**
 * For files, pipes, plain terminals and screen readers: each call in a line, neighbouring reads and searches folded into one, and nothing is
 * ever written over. Into a file or a pipe goes no text before the answer, because a reply that breaks off and is asked for again cannot be
 * taken back there.
 */
export function appendingPage(surface: Surface): Page {
  const { live, paint } = surface
  const fold = createFold()
  let unended = ''
  const toned = (text: string, tone: Tone): string => (tone === 'plain' ? text : paint[tone](text))
  const about = (text: string, tone: Tone): Output => ({ to: 'stderr', text: `${toned(text, tone)}\n` })
  const folded = (): Output[] => {
    const line = fold.end()
    return line === '' ? [] : [about(cut(`  ${line}`, surface.columns), 'quiet')]
  }
  const endText = (): Output[] => {
    const text = unended
    unended = ''
    return text === '' ? [] : [...folded(), { to: 'stdout', text: `${text}\n` }]
  }
  const rest = (): Output[] => [...endText(), ...folded()]
  const line = (text: string, tone: Tone = 'quiet'): Output[] => [...rest(), about(text, tone)]
  const agentLine: Page['agentLine'] = ({ type, description }, what) => {
    const name = oneLine(type)
    const text = cut(`  ${name}: ${oneLine(description)}: ${what}`, surface.columns)
    return line(withName(text, name, surface.paintOf(type), paint.quiet), 'plain')
  }
  return {
    endText,
    rest,
    line,
    text(piece) {
      if (!live) return []
      unended += piece
      const end = unended.lastIndexOf('\n') + 1
      const whole = unended.slice(0, end)
      unended = unended.slice(end)
      return whole === '' ? [] : [...folded(), { to: 'stdout', text: whole }]
    },
    started({ name, input }) {
      if (fold.take(name, input)) return endText()
      return line(cut(`  ${name} ${subject(input)}`.trimEnd(), surface.columns))
    },
    ended({ name }, outcome) {
      if (outcome === 'done') return []
      if (outcome === 'denied') return line(`  ${name} was denied`, 'bad')
      if (fold.line() === '') return line(`  ${name} failed`, 'bad')
      fold.failed()
      return []
    },
    agent: (_, agent) => agentLine(agent, 'started'),
    agentLine,
    agentUsed: () => [],
    status: () => [],
    draft: () => [],
  }
}
