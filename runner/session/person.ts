import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { Person } from '../person.ts'
import { route } from '../input/route.ts'
import { shownText } from '../faces/shown.ts'
import type { SessionTerminal } from './session-terminal.ts'

export interface PersonOptions {
  header: ManifestHeader
  /** Takes a note; gives what is to be said of it. */
  note(text: string): Promise<string>
  /** Keeps a prompt for other conversations. */
  remember(prompt: string): void
}

/** The person at a terminal. What concerns the conversation alone is done here; everything else is a prompt of the run. */
export function personAt(terminal: SessionTerminal, { header, note, remember }: PersonOptions): Person {
  let greeted = false
  const next = async (signal: AbortSignal): Promise<string | undefined> => {
    if (!greeted) terminal.say(HINT)
    greeted = true
    const text = await terminal.next(signal)
    if (text === undefined) return undefined
    remember(text)
    const word = text.trim()
    if (word === '/exit' || word === '/quit') {
      terminal.leave()
      return undefined
    }
    if (word === '/help') terminal.say(sessionHelp(header))
    else {
      const routed = route(text, header)
      if (routed.kind !== 'note') return text
      terminal.say(shownText(await note(routed.text)))
    }
    return next(signal)
  }
  return { next, begin: () => terminal.begin() }
}

const HINT = '/help says what else can be typed; Ctrl-D ends.'

function sessionHelp({ skills, commands }: ManifestHeader): string {
  const names = Object.entries({ ...skills, ...commands }).flatMap(([name, { userInvocable }]) =>
    userInvocable === false ? [] : [`/${name}`],
  )
  const own = names.sort().join(', ')
  return `  text            a prompt; a backslash at the end of a line, Ctrl-J or Alt-Enter begins a new line, and what is pasted stays whole
  /name args      a skill or command${own === '' ? '; there are none' : `: ${shownText(own)}`}
  !line           a command of the shell, for which the rules count, and its output as the prompt
  #text           a note in the agent's memory
  @path           attaches a file
  /help, /exit    this text, the end
  Up, Down        what was said before
  Ctrl-C          interrupts the agent; at an empty prompt twice, or Ctrl-D, ends
What is entered while the agent is at work is queued, and goes to it when it is done or interrupted.`
}
