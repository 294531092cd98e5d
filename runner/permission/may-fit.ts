/**
 * Whether some text that `holes` may turn into fits the pattern: a star in the pattern and a hole in the text both stand for anything.
 * The longest ways are walked once each, so that it takes at most the product of both lengths.
 */
export function mayFit(pattern: string, holes: string, hole: string): boolean {
  if (!startsAlike(pattern, holes, hole)) return false
  let before = row(holes, hole, true)
  for (const sign of pattern) {
    const next = Array.from<boolean>({ length: holes.length + 1 }).fill(false)
    next[0] = sign === '*' && before[0]!
    for (let at = 1; at <= holes.length; at++) {
      const here = holes[at - 1]!
      if (sign === '*') next[at] = before[at]! || next[at - 1]!
      else if (here === hole) next[at] = before[at]! || before[at - 1]! || next[at - 1]!
      else next[at] = here === sign && before[at - 1]!
    }
    before = next
  }
  return before[holes.length]!
}

/** Most pairs differ in what stands before the first star or hole. */
function startsAlike(pattern: string, holes: string, hole: string): boolean {
  const lead = pattern.split('*', 1)[0]!
  const head = holes.split(hole, 1)[0]!
  const length = Math.min(lead.length, head.length)
  return lead.slice(0, length) === head.slice(0, length)
}

/** Nothing of the pattern is used up: only holes may stand in the text so far. */
function row(holes: string, hole: string, start: boolean): boolean[] {
  const first = [start]
  for (let at = 1; at <= holes.length; at++) first.push(first[at - 1]! && holes[at - 1] === hole)
  return first
}
