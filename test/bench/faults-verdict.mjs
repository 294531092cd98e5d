/** From what a tool said to one letter of the table. Pure. */

/**
 * In: what the tool said of all valid agents (the controls). Out: a test for "it says this of valid agents too", which ignores the names
 * of files and agents.
 */
export function baselineOf(controls) {
  const said = new Set(controls.flatMap(({ findings }) => findings.flatMap(parts)))
  return (finding) => parts(finding).every((part) => said.has(part))
}

/** A list in a message ("Unrecognized fields: memory, hooks") counts by its members: each is one thing said. */
function parts({ message }) {
  const plain = message.replace(/"[^"]*"|`[^`]*`/g, '_')
  const list = /^(Unrecognized) fields?: (.*)$/.exec(message)
  return list ? list[2].split(', ').map((field) => `${list[1]}: ${field}`) : [plain]
}

/**
 * In: a fault `{ id, line, files }`, what a tool gave, and `known` of `baselineOf`. Out: `{ letter, said }`:
 *   P named, at the right line (where the fault has none, at any)    D named, without a line or at a wrong one    x the fault ended the whole check, no file is named
 *   k the file was not read, and nothing says so    . nothing that valid agents do not get too
 * `said` holds the findings that decided.
 */
export function verdict({ line, files }, { findings, checked }, known) {
  const mine = findings.filter((finding) => files.includes(finding.file) && !known(finding))
  const right = mine.filter((finding) => finding.line !== undefined && finding.line === (line ?? finding.line))
  if (right.length > 0) return { letter: 'P', said: right }
  if (mine.length > 0) return { letter: 'D', said: mine }
  const ended = findings.filter((finding) => finding.file === undefined && !known(finding))
  if (ended.length > 0) return { letter: 'x', said: ended }
  if (checked && !files.every((file) => checked.includes(file))) return { letter: 'k', said: [] }
  return { letter: '.', said: [] }
}

/** In: as above, for a legal file. Out: the loudest thing said of it (`error`, `warning`, `info`), `k` when it was not read, or `-`. */
export function loudness({ files }, { findings, checked }, known) {
  const mine = findings.filter((finding) => files.includes(finding.file) && !known(finding))
  const loudest = ['error', 'warning', 'info'].find((level) => mine.some(({ severity }) => severity === level))
  if (loudest) return { letter: loudest, said: mine.filter(({ severity }) => severity === loudest) }
  return { letter: checked && !files.every((file) => checked.includes(file)) ? 'k' : '-', said: [] }
}
