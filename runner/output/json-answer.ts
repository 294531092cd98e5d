/**
 * Takes the JSON value out of an answer. The rules, in this order:
 * 1. the whole answer, without the blanks around it, is JSON;
 * 2. it has exactly one fenced block that is JSON (```json or ```, at the start of a line);
 * 3. it has text around one JSON object or array: from the first `{` or `[` to the last `}` or `]`.
 * Nothing is mended: a value that is cut off or has a comma too many is none, and the model is asked again.
 */
export function jsonIn(answer: string): { value: unknown } | { fault: string } {
  const whole = parsed(answer.trim())
  if (whole) return whole
  const fenced = [...answer.matchAll(/^ {0,3}```(?:json)?[ \t]*\n([^]*?)^ {0,3}```[ \t]*$/gm)].flatMap(
    ([, text]) => parsed(text!.trim()) ?? [],
  )
  if (fenced.length === 1) return fenced[0]!
  if (fenced.length > 1) return { fault: `it holds ${fenced.length} blocks of JSON, and only one is wanted` }
  const within = parsed(span(answer))
  return within ?? { fault: 'it holds no JSON value' }
}

function span(answer: string): string {
  const start = answer.search(/[[{]/)
  const end = Math.max(answer.lastIndexOf('}'), answer.lastIndexOf(']'))
  return start < 0 || end < start ? '' : answer.slice(start, end + 1)
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
