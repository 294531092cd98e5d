import { precisionAndRecall } from './score.mjs'

/** The printed form of a score. */

const percent = (share) => (share === undefined ? '-' : `${(share * 100).toFixed(1)} %`)
const place = ({ repo, path }) => `${repo} ${path}`

/** In: a score, and whether every example is wanted. Out: the text of the report. */
export function reportText(result, all) {
  const { precision, recall, named } = precisionAndRecall(result)
  const harmless = result.falseAlarms.map(
    ({ row, line, severity, code, message }) => `${place(row)}:${line}  ${severity} ${code}  ${message}`,
  )
  return [
    `active agents: ${result.active} of ${result.files} files; the real program loads ${result.loads}`,
    ...section('loads in the real program, not active here', result.inactive.map(withFindings)),
    ...section('active here, skipped by the real program', result.extra.map(withFindings)),
    ...section(`false alarms (warning or above on one of ${result.clean} files that load without loss; a name twice excepted)`, harmless),
    ...section(`misses (no finding on one of ${result.lost} files that lose something)`, result.misses.map(withReason)),
    ...section('only an info on a file that loses something', result.quiet.map(withFindings)),
    ...codeTable(result.codes, all),
    `\nprecision ${percent(precision)}, recall ${percent(recall)} (at warning or above); ${percent(named)} of the harmed files are named at all`,
  ].join('\n')
}

function section(title, lines) {
  return [`\n${title}: ${lines.length}`, ...lines.map((line) => `  ${line}`)]
}

function withFindings(row) {
  const said = [...new Set(row.findings.map(({ code, severity }) => `${severity} ${code}`))].join(', ')
  return `${place(row)}  [${said || 'nothing said'}]`
}

function withReason(row) {
  return `${place(row)}  (${row.fate}: ${row.reason === '-' ? row.odd.join('; ') : row.reason})`
}

function codeTable(codes, all) {
  const lines = codes.flatMap(({ code, severities, count, fates, precision, examples }) => {
    const files = `${fates.loads} load, ${fates.harmed} harmed, ${fates.skipped} skipped, ${fates.document} documents`
    const head = `${String(count).padStart(5)}  ${code} (${severities.join(', ')}): ${files}; precision ${percent(precision)}`
    const shown = examples.slice(0, all ? 3 : 1).map(({ row, line, message }) => `         ${place(row)}:${line}  ${message}`)
    return [head, ...shown]
  })
  return ['\nper code:', ...lines.map((line) => `  ${line}`)]
}
