import type { Paint } from './colours.ts'
import type { Output } from './face.ts'
import type { AgentAtWork } from './steps.ts'

/** How a line about the run is marked. */
export type Tone = keyof Paint | 'plain'

/** What a page is on. */
export interface Surface {
  /** Standard output is a terminal: the model's text appears as it arrives. */
  live: boolean
  columns: number
  rows: number
  paint: Paint
  /** How the name of another agent is marked. */
  paintOf(agent: string): Paint['agent']
}

/** A call, or what has become of one. */
export interface ShownCall {
  id: string
  name: string
  input: unknown
}

/**
 * Where the text of the model and what is said about the run are written: text to standard output, everything else to standard error.
 * What cannot be written over is appended; a terminal that can go back in its lines shows the last steps only, and a status line.
 */
export interface Page {
  /** A piece of the model's text. */
  text(text: string): readonly Output[]
  /** The reply is whole, or has broken off. */
  endText(): readonly Output[]
  /** Something about the run, in a line of its own. */
  line(text: string, tone?: Tone): readonly Output[]
  /** A call is being worked on. */
  started(call: ShownCall): readonly Output[]
  ended(call: Omit<ShownCall, 'input'>, outcome: 'done' | 'failed' | 'denied'): readonly Output[]
  agent(call: string, agent: AgentAtWork): readonly Output[]
  agentUsed(call: string, uses: number, tokens: number): readonly Output[]
  /** Something about an agent that the run has started. */
  agentLine(agent: AgentAtWork, what: string): readonly Output[]
  /** What the run is at: `work` on the last reply, or `wait` for the next. */
  status(what: string, of?: 'work' | 'wait'): readonly Output[]
  /** What the person is typing meanwhile; it brings the status back too. */
  draft(text: string): readonly Output[]
  /** Nothing that would be written over is left. */
  rest(): readonly Output[]
}
