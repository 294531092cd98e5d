/** The candidate within two edits of the word (one for short words), or the same but for case, blanks, `-` and `_`. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = word.length <= 4 ? 2 : 3
  for (const candidate of candidates) {
    if (folded(candidate) === folded(word)) return candidate
    const edits = distance(word.toLowerCase(), candidate.toLowerCase())
    if (edits < least) {
      best = candidate
      least = edits
    }
  }
  return best
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '')
}

function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
