/** MCP over the standard streams of a program, as far as it is texts: a message a line. Both sides that start servers have their own limits. */

/** A message, as far as it is looked at here. */
export interface LineMessage {
  jsonrpc: unknown
}

/**
 * Takes what a program writes, in pieces, and gives the messages that are complete with each. Lines that are no messages are skipped: programs
 * greet and log where they should not. `undefined` from a message with more than `limit` characters on: nothing is read any more, and nothing
 * kept, however much still comes.
 */
export function messagesIn(limit: number): (text: string) => LineMessage[] | undefined {
  let parts: string[] | undefined = []
  let length = 0
  return (text) => {
    if (!parts) return undefined
    length += text.length
    if (length > limit) return (parts = undefined)
    parts.push(text)
    if (!text.includes('\n')) return []
    const lines = parts.join('').split('\n')
    const rest = lines.pop()!
    parts = [rest]
    length = rest.length
    return lines.flatMap((line) => messageIn(line) ?? [])
  }
}

function messageIn(line: string): LineMessage | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'jsonrpc' in value ? value : undefined
  } catch {
    return undefined
  }
}

/** Why a program could not be started, as the end of a sentence. */
export function startFault(code: string | undefined): string {
  if (code === 'ENOENT') return 'the program is not there'
  return code === 'EACCES' ? 'the program may not be executed' : `it cannot be started (${code ?? 'unknown reason'})`
}

/** How a program has ended, as the end of a sentence. */
export function endOf(code: number | null, signal: string | null): string {
  return signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`
}
