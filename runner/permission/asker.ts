import type { AskPerson } from '../tools/tool.ts'
import type { Ask, Asked } from './decide.ts'
import { HOLE } from './shell/word.ts'
import type { Terminal } from './terminal.ts'
import { ruleText } from '../../schemas/rule-text.ts'

/**
 * Asks the person at the terminal about a call: once, or with the rule that allows it for the rest of the run, where there is one narrow
 * enough. Anything but a clear yes is a no.
 */
export function terminalAsk(terminal: Terminal): Ask {
  return async (asked, reason, signal, { would, agents = [] } = {}) => {
    if (asked.tool === 'ExitPlanMode') return aboutPlan(terminal, asked, signal)
    const lines = [
      ...called(asked, agents),
      `  ${visible(reason)}.`,
      '  y  allow it this once',
      ...(would ? [`  a  allow it from now on in this run, by the rule ${visible(ruleText(would))}`] : []),
      '  n  do not allow it',
    ]
    const answer = (await terminal.ask(`${lines.join('\n')}\n> `, signal))?.trim().toLowerCase()
    if (answer === undefined) return { allow: false, reason: `${reason}, and nobody answered`, nobody: true }
    if (would && (answer === 'a' || answer === 'always')) return { allow: true, rule: would }
    return answer === 'y' || answer === 'yes' ? { allow: true } : { allow: false, reason: `${reason}, and the person did not allow it` }
  }
}

/** A plan is shown as it is, and only a yes to it leaves plan mode. */
async function aboutPlan(terminal: Terminal, { input }: Asked, signal: AbortSignal): ReturnType<Ask> {
  const head = ['The agent presents this plan:', '', plain(String(input.plan ?? '')), '', 'Is it to be carried out?']
  const answer = (await terminal.ask(`${[...head, '  y  carry it out', '  n  keep planning'].join('\n')}\n> `, signal))
    ?.trim()
    .toLowerCase()
  if (answer === 'y' || answer === 'yes') return { allow: true }
  const nobody = answer === undefined && { nobody: true as const }
  return {
    allow: false,
    reason: nobody ? 'nobody answered whether to carry the plan out' : 'the person wants it to be planned further',
    ...nobody,
  }
}

/** Asks the person at the terminal any question. With options a number chooses one; something else is no answer. */
export function terminalPerson(terminal: Terminal): AskPerson {
  return async ({ text, options }, signal) => {
    const list = (options ?? []).map((option, at) => `  ${at + 1}  ${visible(option)}`)
    const answer = (await terminal.ask(`${[plain(text), ...list].join('\n')}\n> `, signal))?.trim()
    if (answer === undefined) return { nobody: true }
    if (!options) return { answer }
    const chosen = options[Number(answer) - 1] ?? options.find((option) => option === answer)
    return chosen === undefined ? { nobody: true } : { answer: chosen }
  }
}

/** The one member of an input that says what a call is about. */
const SUBJECTS = ['command', 'file_path', 'notebook_path', 'url', 'skill', 'pattern']
/** Signs of any other member that are shown. */
const SHOWN = 600

/** What is called, by whom if not by the agent of the run, and with what: the subject whole, everything else up to a length. */
function called({ tool, input }: Asked, agents: readonly string[]): string[] {
  const subject = SUBJECTS.find((name) => typeof input[name] === 'string')
  const others = Object.entries(input).filter(([name]) => name !== subject && name !== 'description')
  const by = agents.length === 0 ? '' : `  (the agent ${agents.map(visible).join(' of ')})`
  return [
    `${visible(tool)}${subject === undefined ? '' : ` ${visible(String(input[subject]))}`}${by}`,
    ...others.map(
      ([name, value]) => `  ${visible(name)}: ${visible(shortened(typeof value === 'string' ? value : JSON.stringify(value)))}`,
    ),
  ]
}

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length - SHOWN} more characters)` : text
}

/** Nothing that a model or a file wrote may move the cursor or hide a part of the question. */
function visible(text: string): string {
  return text.replaceAll(HOLE, '…').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => (sign === '\n' ? '\n  ' : '·'))
}

/** The same for a text of several lines. */
function plain(text: string): string {
  return text.split('\n').map(visible).join('\n')
}
