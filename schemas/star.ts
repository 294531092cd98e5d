/** Whether a text fits a pattern in which a star stands for anything. No regular expression is made of what a stranger wrote. */
export function starFits(pattern: string, text: string): boolean {
  const [first, ...rest] = pattern.split('*') as [string, ...string[]]
  if (rest.length === 0) return pattern === text
  const last = rest.pop()!
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > text.length - last.length) return false
    at = found + part.length
  }
  return true
}
