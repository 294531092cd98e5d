/** Compares what agentc says about the corpus with what the real program does. Pure: rows and findings in, counts and lists out. */

/** Two files of one name are expected: the corpus holds translations and plugin copies side by side. */
const EXCEPTED = 'agent/duplicate-name'

/** In: rows with their `findings` ([{ code, severity, message, line }]) and `active`. Out: the whole score. */
export function score(rows) {
  const loud = rows.flatMap((row) => row.findings.filter(isLoud).map((finding) => ({ row, ...finding })))
  const lost = rows.filter(({ fate }) => fate === 'harmed' || fate === 'skipped')
  const loads = rows.filter(({ fate }) => fate === 'loads' || fate === 'harmed')
  return {
    files: rows.length,
    loads: loads.length,
    active: rows.filter((row) => row.active).length,
    inactive: loads.filter((row) => !row.active),
    extra: rows.filter((row) => row.active && !loads.includes(row)),
    clean: rows.filter(({ fate }) => fate === 'loads').length,
    falseAlarms: loud.filter(({ row }) => row.fate === 'loads'),
    lost: lost.length,
    misses: lost.filter(({ findings }) => findings.every(({ code }) => code === EXCEPTED)),
    quiet: lost.filter(({ findings }) => findings.some(({ code }) => code !== EXCEPTED) && !findings.some(isLoud)),
    codes: codes(rows),
  }
}

function isLoud({ code, severity }) {
  return code !== EXCEPTED && (severity === 'error' || severity === 'warning')
}

/** Out: per code its severities, count, how many files of each fate it was said of, precision (share of its files that lose something), examples. */
function codes(rows) {
  const table = new Map()
  for (const row of rows) {
    for (const { code, severity, message, line } of row.findings) {
      const entry = table.get(code) ?? { code, severities: new Set(), count: 0, files: new Map(), examples: [] }
      entry.severities.add(severity)
      entry.count++
      entry.files.set(row, row.fate)
      if (entry.examples.length < 3 && entry.files.size > entry.examples.length) entry.examples.push({ row, line, message })
      table.set(code, entry)
    }
  }
  return [...table.values()].map(counted).sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
}

function counted({ code, severities, count, files, examples }) {
  const fates = { loads: 0, harmed: 0, skipped: 0, document: 0 }
  for (const fate of files.values()) fates[fate]++
  const lost = fates.harmed + fates.skipped
  const precision = lost + fates.loads === 0 ? undefined : lost / (lost + fates.loads)
  return { code, severities: [...severities].sort(), count, fates, precision, examples }
}

/** In: a score. Out: [precision, recall] over files: of the files flagged at warning or above, those that lose something; of those, the flagged. */
export function precisionAndRecall({ falseAlarms, lost, misses, quiet }) {
  const alarmed = new Set(falseAlarms.map(({ row }) => row)).size
  const found = lost - misses.length - quiet.length
  return { precision: found / (found + alarmed || 1), recall: found / (lost || 1), named: (lost - misses.length) / (lost || 1) }
}
