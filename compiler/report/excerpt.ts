import type { Diagnostic, Place } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'

/**
 * A finding with only the lines it points at, so that it can be kept without the files: every report of it is the same to the byte. In front
 * of them stand as many empty lines as there were, so that lines are counted as before.
 */
export function excerptOf(item: Diagnostic): Diagnostic {
  const { at, related, fix } = item
  const edits = fix?.edits.map(({ range }) => range) ?? []
  const { place, moved } = excerpt(at, edits)
  return {
    ...item,
    at: place,
    ...(related && { related: related.map((other) => ({ ...other, at: excerpt(other.at, []).place })) }),
    ...(fix && { fix: { ...fix, edits: fix.edits.map((edit) => ({ ...edit, range: moved(edit.range) })) } }),
  }
}

function excerpt({ origin, text, range }: Place, others: readonly Range[]): { place: Place; moved: (range: Range) => Range } {
  if (text === '') return { place: { origin, text, range }, moved: (same) => same }
  const ranges = [range, ...others]
  const from = text.lastIndexOf('\n', Math.min(...ranges.map(([start]) => start)) - 1) + 1
  const feed = text.indexOf('\n', Math.max(...ranges.map(([, end]) => end)))
  const before = feedsIn(text, from)
  const moved = ([start, end]: Range): Range => [start - from + before, end - from + before]
  return { place: { origin, text: '\n'.repeat(before) + text.slice(from, feed < 0 ? undefined : feed), range: moved(range) }, moved }
}

function feedsIn(text: string, end: number): number {
  let count = 0
  for (let feed = text.indexOf('\n'); feed >= 0 && feed < end; feed = text.indexOf('\n', feed + 1)) count += 1
  return count
}
