import type { StructuredPatchHunk } from 'diff'
import { decodeText } from './text-file.ts'

/** Up to this part of the lines a change is shown as a diff, whole up to the first and cut up to the second (M18). */
const SMALL = 0.1
const LARGE = 0.5
const DIFF_LINES = 60
const DIFF_CHARS = 20_000
/** Added and removed lines up to which a diff is looked for; beyond, the time for it grows with the square. */
const MOST_EDITS = 4000

/** What a write has done, for the model and the person: a diff of a small change, numbers of a large one. */
export async function describeChange(shown: string, before: Buffer | undefined, after: Buffer): Promise<string> {
  const [old, now] = [before ? textOf(before) : '', textOf(after)]
  if (!before) return `Made ${shown} (${lines(countOf(now))}).`
  const { structuredPatch } = await import('diff')
  const patch = structuredPatch('', '', old, now, '', '', { context: 3, maxEditLength: MOST_EDITS })
  const all = `${lines(countOf(now))} now`
  if (!patch) return `Changed ${shown}: more than ${MOST_EDITS} lines differ; ${all}.`
  const marks = patch.hunks.flatMap((hunk) => hunk.lines.map((line) => line[0]))
  const [added, removed] = ['+', '-'].map((mark) => marks.filter((found) => found === mark).length) as [number, number]
  const head = `Changed ${shown}: ${lines(added)} added, ${removed} removed; ${all}.`
  const share = (added + removed) / Math.max(1, countOf(old) + countOf(now))
  if (share > LARGE) return head
  return `${head}\n${unified(patch.hunks, share < SMALL ? Infinity : DIFF_LINES)}`
}

function unified(hunks: readonly StructuredPatchHunk[], most: number): string {
  const all = hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.map((line) => line.replace(/\r$/, '')),
  ])
  let room = DIFF_CHARS
  const kept = all.slice(0, most).filter((line) => (room -= line.length + 1) >= 0)
  return kept.length === all.length ? all.join('\n') : `${kept.join('\n')}\n[${all.length - kept.length} more lines of the diff left out]`
}

function textOf(bytes: Buffer): string {
  return decodeText(bytes)?.text ?? bytes.toString('latin1')
}

function countOf(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

function lines(count: number): string {
  return `${count} ${count === 1 ? 'line' : 'lines'}`
}
