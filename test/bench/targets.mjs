/** The speed targets (issue 5) against what was measured. Numbers are said, never asserted. */

const COLD = 'agentc build (cold)'
const WARM = 'agentc build (unchanged)'
const YAML = 'node + js-yaml'
/** What any program does that makes a manifest: reads, parses, looks for secrets, hashes, writes. */
const LEAST = 'the least'

/** [size, contender, figure, floor, at most this many times] */
const RATIOS = [
  [10, COLD, 'wall', 'node -e 0', 1.5],
  [1000, COLD, 'wall', YAML, 1.6],
  [5000, COLD, 'wall', YAML, 2.2],
  [5000, WARM, 'wall', 'read all', 1.5],
  [5000, COLD, 'rss', YAML, 2],
]

/** Growth is called linear when an agent more costs, at the top, at most this many times what it costs below. */
const LINEAR = 1.2

/** In: measurements `[{ corpus, size, results }]`. Out: one verdict line per target that can be judged. */
export function verdicts(measurements) {
  const corpora = [...new Set(measurements.map(({ corpus }) => corpus))]
  return corpora.flatMap((corpus) => {
    const mine = measurements.filter((measurement) => measurement.corpus === corpus)
    return [...mine.flatMap(ratioLines), ...mine.flatMap(peerLines), ...growthLine(mine)].map((line) => `${line} [${corpus}]`)
  })
}

function ratioLines({ size, results }) {
  return RATIOS.filter(([at]) => at === size).map(([, id, figure, floor, most]) => {
    const [mine, base] = [id, floor].map((wanted) => results.find((row) => row.id === wanted))
    if (!base) return `not judged: ${id} of ${size}: the floor ${floor} was not measured`
    const ratio = mine[figure] / base[figure]
    const note = figure === 'wall' ? `${leastNote(id, results, base)}${cpuNote(mine, base)}` : ''
    return `${word(ratio <= most)}: ${id} of ${size}, ${figure === 'rss' ? 'peak memory' : 'wall'}: ${ratio.toFixed(2)} times ${floor} (at most ${most})${note}`
  })
}

function leastNote(id, results, base) {
  const least = id === COLD ? results.find((row) => row.id === LEAST) : undefined
  return least ? `; ${LEAST} that makes a manifest: ${(least.wall / base.wall).toFixed(2)} times` : ''
}

/** Processor time is what a busy machine spoils least; it is counted in steps of 10 ms. */
function cpuNote(mine, base) {
  return base.cpu < 50 ? '' : `; processor time ${(mine.cpu / base.cpu).toFixed(2)} times`
}

/** A cold build has to beat every peer; where the peer kept a cache, the unchanged build is measured against it. */
function peerLines({ size, results }) {
  const peers = results.filter(({ kind }) => kind === 'peer')
  return peers.map((peer) => {
    const mine = results.find(({ id }) => id === (peer.id.includes('cache') ? WARM : COLD))
    const [speed, memory] = [peer.wall / mine.wall, peer.rss / mine.rss]
    return `${word(speed > 1)}: ${mine.id} of ${size}: ${speed.toFixed(2)} times as fast as ${peer.id}, which takes ${memory.toFixed(2)} times its memory${cpuNote(peer, mine)}`
  })
}

function growthLine(measurements) {
  const points = measurements.map(({ size, results }) => [size, results.find((row) => row.id === COLD).wall]).sort((a, b) => a[0] - b[0])
  const top = points.filter(([size]) => size >= 1000)
  if (points.length < 3 || top.length < 2) return []
  const base = points.find(([size]) => size === (top.length > 2 ? 1000 : 10)) ?? points[0]
  const [below, above] = top.slice(-2)
  const lower = (below[1] - base[1]) / (below[0] - base[0])
  const upper = (above[1] - below[1]) / (above[0] - below[0])
  const said = `an agent more costs ${(upper * 1000).toFixed(0)} µs from ${below[0]} to ${above[0]}, ${(lower * 1000).toFixed(0)} µs from ${base[0]} to ${below[0]}`
  return [`${word(upper / lower <= LINEAR)}: growth linear: ${said} (at most ${LINEAR} times)`]
}

function word(met) {
  return met ? 'met   ' : 'missed'
}
