import xterm from '@xterm/headless'

/** What a terminal shows after some output. */
export interface Screen {
  /** The rows that are in view, without blanks at their ends; empty ones at the end of the screen are left out. */
  rows: string[]
  /** Rows that have gone out of view above. */
  scrolled: number
}

/** Gives output to a real emulator of a terminal. A line feed alone goes to the beginning of the next line too, as the system does it. */
export async function screenOf(output: string, columns: number, rows = 24): Promise<Screen> {
  const terminal = new xterm.Terminal({ cols: columns, rows, convertEol: true, allowProposedApi: true, scrollback: 10_000 })
  await new Promise<void>((resolve) => terminal.write(output, resolve))
  const { active } = terminal.buffer
  const lines = Array.from({ length: rows }, (_, at) => active.getLine(active.baseY + at)?.translateToString(true) ?? '')
  while (lines.at(-1) === '') lines.pop()
  terminal.dispose()
  return { rows: lines, scrolled: active.baseY }
}
