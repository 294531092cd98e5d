/**
 * Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours each cost 1.
 * Gives up (returns `limit + 1`) for pairs that cannot come within `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
    }
    if (Math.min(...row) > limit) return limit + 1
    before = last
    last = row
  }
  return last[b.length]!
}

/** Lower case without spaces, hyphens and underscores: names that differ only by these are the same to a reader. */
export function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
}

/** See `nearTo`, for one word. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  return nearTo(candidates)(word)
}

/**
 * Looks among the candidates for the one that a person most likely meant: equal when folded, else within two edits (one for short words, and
 * where the first letter is another: people rarely get that one wrong). Ties go to the first. To look up thousands of words each of thousands
 * of names is folded once.
 */
export function nearTo(candidates: Iterable<string>): (word: string) => string | undefined {
  const byFolded = new Map<string, string>()
  const names: { name: string; lower: string }[] = []
  for (const name of candidates) {
    const key = folded(name)
    if (!byFolded.has(key)) byFolded.set(key, name)
    names.push({ name, lower: name.toLowerCase() })
  }
  return (word) => byFolded.get(folded(word)) ?? nearest(word.toLowerCase(), names)
}

function nearest(word: string, names: readonly { name: string; lower: string }[]): string | undefined {
  let best: string | undefined
  let limit = word.length <= 4 ? 1 : 2
  for (const { name, lower } of names) {
    const allowed = lower[0] === word[0] ? limit : Math.min(limit, 1)
    const distance = editDistance(word, lower, allowed)
    if (distance > allowed) continue
    best = name
    limit = distance - 1
  }
  return best
}
