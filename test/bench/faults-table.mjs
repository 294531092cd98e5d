import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { LEGAL, READ, RICH } from './faults-read.mjs'
import { tools } from './faults-run.mjs'
import { baselineOf, loudness, verdict } from './faults-verdict.mjs'
import { installPeers, peerBins } from './peers.mjs'
import { cleanEnvironment, copyPackage, workspace } from './workspace.mjs'

/**
 * Prints the table fault x tool as Markdown: `node test/bench/faults-table.mjs [--why] [--out FILE]`; `--why` adds what decided each cell.
 *
 * How a verdict is made. Each folder of test/faults is copied to a temporary place and given to each tool with its default settings. What a
 * tool says of the valid agents (the two controls and a valid agent with every field) is struck out everywhere, and so is what it says of
 * other files than the faulty one. If something is left, the fault is named: P at the line of INDEX.md, else D. Where reading the output
 * shows that what is left is not about the fault, faults-read.mjs holds the letter and the reason.
 */
const { values: flags } = parseArgs({ options: { why: { type: 'boolean' }, out: { type: 'string' } } })
const FAULTS = fileURLToPath(new URL('../faults/', import.meta.url))
const space = workspace()
try {
  const peers = installPeers(space.dir)
  if (peers !== undefined) await main(peers)
} finally {
  space.end()
}

async function main(peers) {
  const ran = []
  for (const [name, tool] of tools(copyPackage(space.dir), peerBins(peers))) ran.push(await runTool(name, tool))
  const text = tables(ran)
  if (flags.out === undefined) console.log(text)
  else writeFileSync(flags.out, `${text}\n`)
  if (flags.why) console.log(`\n${ran.flatMap(why).join('\n')}`)
}

/** Out: the rows of INDEX.md; the controls have no line and are told apart by their id. */
function faults() {
  const rows = readFileSync(join(FAULTS, 'INDEX.md'), 'utf8').matchAll(/^\| (\d\dp?) \| (\S+) \| (.*) \| (\d+|-) \| (.*) \|$/gm)
  return [...rows].map(([, id, folder, fault, line, files]) => ({
    id,
    folder,
    fault,
    line: Number(line) || undefined,
    files: files.split(', '),
  }))
}

/** Out: `{ name, alarms, cells }`: what the tool says of valid agents at warning or above, and id → `{ letter, said }`. */
async function runTool(name, tool) {
  const context = { ...space, env: cleanEnvironment(space) }
  const results = new Map()
  for (const row of faults()) results.set(row, await tool(copied(row.folder), context))
  const rich = await tool(richControl(), context)
  const controls = [...[...results].filter(([row]) => isControl(row)).map(([, result]) => result), rich]
  const known = baselineOf(controls)
  const cells = new Map([...results].filter(([row]) => !isControl(row)).map(([row, result]) => [row.id, cell(name, row, result, known)]))
  return { name, alarms: controls.map(alarmsOf), cells }
}

function cell(name, row, result, known) {
  const read = READ.find(([id, tool]) => id === row.id && tool === name)
  const decided = LEGAL.includes(row.id) ? loudness(row, result, known) : verdict(row, result, known)
  return read ? { letter: read[2], said: decided.said, read: read[3] } : decided
}

function isControl({ id }) {
  return id.startsWith('00')
}

/** Files of agents only: CLAUDE.md, settings and skills are another matter. */
function alarmsOf({ findings }) {
  return findings.filter(
    ({ severity, file }) => severity !== 'info' && /^(?:control|control-plugin|companion|rich-control)\.md$/.test(file ?? ''),
  )
}

function copied(folder) {
  const to = join(space.dir, 'faults', folder)
  rmSync(to, { recursive: true, force: true })
  cpSync(join(FAULTS, folder), to, { recursive: true })
  return to
}

function richControl() {
  const to = join(space.dir, 'faults', 'rich-control')
  cpSync(join(FAULTS, '00-control'), to, { recursive: true })
  rmSync(join(to, '.claude/agents'), { recursive: true })
  mkdirSync(join(to, '.claude/agents'))
  writeFileSync(join(to, '.claude/agents/rich-control.md'), RICH)
  return to
}

function tables(ran) {
  const [legal, faulty] = [
    faults().filter(({ id }) => LEGAL.includes(id)),
    faults().filter((row) => !isControl(row) && !LEGAL.includes(row.id)),
  ]
  const head = (title) => [`| # | ${title} | ${ran.map(({ name }) => name).join(' | ')} |`, `|---|---|${ran.map(() => '---|').join('')}`]
  const line = ({ id, fault, line }) =>
    `| ${id} | ${fault}${line ? ` (line ${line})` : ''} | ${ran.map(({ cells }) => cells.get(id).letter).join(' | ')} |`
  const count = (title, letters, rows) =>
    `| | **${title}** | ${ran.map(({ cells }) => rows.filter(({ id }) => letters.includes(cells.get(id).letter)).length).join(' | ')} |`
  const alarms = (title, i) => `| | ${title} | ${ran.map(({ alarms }) => alarms[i].length).join(' | ')} |`
  return [
    ...head('fault'),
    ...faulty.map(line),
    count(`named at the right line, of ${faulty.length}`, ['P'], faulty),
    count('named at all', ['P', 'D'], faulty),
    '',
    ...head('legal: an info at most'),
    ...legal.map(line),
    count(`too loud, or not read, of ${legal.length}`, ['error', 'warning', 'k'], legal),
    alarms('errors and warnings on two valid agents of a project', 0),
    alarms('on two valid agents of a plugin', 1),
    alarms('on a valid agent with every field', 2),
    '',
    'P named at the right line, D named without or at a wrong line, x the whole check ended without naming a file, k the file was skipped in silence, `.` missed.',
    `Read by hand: ${READ.map(([id, tool, letter, why]) => `${id} ${tool} \`${letter}\` (${why})`).join('; ')}.`,
  ].join('\n')
}

function why({ name, alarms, cells }) {
  const texts = (said) =>
    said.map(({ severity, file, line, message }) => `${severity} ${file ?? '-'}:${line ?? '-'} ${message.split('\n')[0]}`)
  const lines = [...cells].map(([id, { letter, said, read }]) =>
    [`${name} ${id} ${letter}${read ? ` (read by hand: ${read})` : ''}`, ...texts(said)].join('\n    '),
  )
  return [...lines, [`${name} valid agents`, ...texts(alarms.flat())].join('\n    ')]
}
