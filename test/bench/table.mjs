/** The printed form of what was measured. */

const time = (ms) => (ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`)
const times = (ratio) => (ratio === undefined ? '' : `${ratio.toFixed(2)}x`)

/** In: the results at one size. Out: a table with the ratio of each row to each floor, and how many times slower each peer is. */
export function sizeTable({ corpus, size, bytes, results }) {
  const floors = results.filter(({ kind }) => kind === 'floor')
  const peers = results.filter(({ kind }) => kind === 'peer')
  const head = ['', 'wall', 'best', 'cpu', 'peak MiB', ...floors.map(({ id }) => `/ ${id}`), ...peers.map(({ id }) => `${short(id)} /`)]
  const rows = results.map((row) => [
    row.strangeExit === undefined ? row.id : `${row.id} (ended with ${row.strangeExit}!)`,
    time(row.wall),
    time(row.best),
    time(row.cpu),
    row.rss.toFixed(0),
    ...floors.map((floor) => times(row.wall / floor.wall)),
    ...peers.map((peer) => (row.kind === 'agentc' ? times(peer.wall / row.wall) : '')),
  ])
  return `\n${size} agents, ${corpus}, ${(bytes / 1e6).toFixed(2)} MB\n${aligned([head, ...rows])}`
}

function short(id) {
  return id
    .replace('claudelint validate-agents', 'claudelint')
    .replace('claudelint check-all (cache)', 'claudelint cached')
    .replace(' agents', '')
}

/** In: rows of cells. Out: lines in which the cells stand below each other. */
export function aligned(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)))
  const pad = (cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}
