import type { NoticeEvent, RunEvent, InitEvent } from '../events.ts'

/** A piece of output: a face says where it goes, the command writes it. */
export interface Output {
  to: 'stdout' | 'stderr'
  text: string
}

/** Turns the events of one run, in their order, into what people or programs see of it. */
export interface Face {
  (event: RunEvent): readonly Output[]
  /** Ends the line and takes away what would be written over, before something else is written to the terminal. */
  pause?(): readonly Output[]
  /** Shows what the person is typing meanwhile, where that can be written over; without a text what `pause` has taken away. */
  draft?(text: string): readonly Output[]
}

/** What every face says on standard error: that something the agent asks for is not done. */
export function lacking(event: InitEvent | NoticeEvent): readonly Output[] {
  if (event.subtype === 'notice') return [{ to: 'stderr', text: `agentc: ${event.message}\n` }]
  if (event.unavailable_tools.length === 0) return []
  const names = event.unavailable_tools.map((tool) => tool.name).join(', ')
  return [{ to: 'stderr', text: `agentc: not available in this version, and not offered to the model: ${names}\n` }]
}
