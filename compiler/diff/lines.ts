import { diffArrays } from 'diff'

/** Texts that differ in more lines than this are only counted: an exact answer would take time with the square of the differences. */
const EXACT = 2000

/** How many lines came and went between two texts. In: texts of any size. Out: counts, the same on every machine (no time limit). */
export function lineCounts(old: string, now: string): { added: number; removed: number } {
  const [before, after] = [linesOf(old), linesOf(now)]
  const parts = diffArrays(before, after, { maxEditLength: EXACT })
  if (!parts) return counted(before, after)
  const sum = (which: 'added' | 'removed'): number => parts.reduce((total, part) => total + (part[which] ? part.count : 0), 0)
  return { added: sum('added'), removed: sum('removed') }
}

/** Without the order: each line that one text has more often than the other. */
function counted(before: readonly string[], after: readonly string[]): { added: number; removed: number } {
  const balance = new Map<string, number>()
  for (const line of after) balance.set(line, (balance.get(line) ?? 0) + 1)
  for (const line of before) balance.set(line, (balance.get(line) ?? 0) - 1)
  const sum = (sign: 1 | -1): number => [...balance.values()].reduce((total, count) => total + Math.max(0, count * sign), 0)
  return { added: sum(1), removed: sum(-1) }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}
