import { median } from './measure.mjs'
import { AGENT_SDK, agentcAt, SDK } from './run-contenders.mjs'
import { aligned } from './table.mjs'

/** The speed targets of runs (issue 6) against what was measured. Numbers are said, never asserted. */

const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`

/** In: the results of `inRounds`. Out: the table of runs. */
export function runTable(results) {
  const floor = results.find(({ id }) => id === SDK)
  const head = [
    '',
    'to first request',
    'best',
    'a turn',
    'whole',
    'cpu',
    'peak MiB',
    'first request',
    `first / ${SDK}`,
    'turn /',
    'memory /',
  ]
  const rows = results.map((row) => [
    row.strangeExit === undefined ? row.id : `${row.id} (ended with ${row.strangeExit}!)`,
    ms(middle(row, 'first')),
    ms(Math.min(...row.samples.map(({ first }) => first))),
    ms(middle(row, 'turn')),
    ms(row.wall),
    ms(row.cpu),
    row.rss.toFixed(0),
    `${(middle(row, 'bytes') / 1000).toFixed(1)} KB`,
    ...['first', 'turn', 'rss'].map((key) => `${(middle(row, key) / middle(floor, key)).toFixed(2)}x`),
  ])
  return aligned([head, ...rows])
}

/** Out: one line for each target that can be judged. */
export function runVerdicts(results, [few, many]) {
  const at = (id) => results.find((row) => row.id === id)
  const [floor, small, large] = [at(SDK), at(agentcAt(few)), at(agentcAt(many))]
  const ratio = (row, key) => middle(row, key) / middle(floor, key)
  const judge = (what, value, most, unit = `times ${SDK}`) =>
    `${value <= most ? 'met   ' : 'missed'}: ${what}: ${value.toFixed(unit === 'ms' ? 0 : 2)} ${unit} (at most ${most})`
  const more = middle(large, 'first') - middle(small, 'first')
  const peer = at(AGENT_SDK)
  return [
    judge(`${small.id}: process start to first request`, ratio(small, 'first'), 1.15),
    judge(`${large.id}: process start to first request, more than at ${few}`, more, 60, 'ms'),
    ...[small, large].flatMap((row) => [
      judge(`${row.id}: a tool turn`, ratio(row, 'turn'), 1.3),
      judge(`${row.id}: peak memory`, ratio(row, 'rss'), 1.3),
    ]),
    ...(peer ? [small, large].map((row) => against(row, peer)) : [`not judged: ${AGENT_SDK} was not measured`]),
  ]
}

function against(row, peer) {
  const [first, turn, rss] = ['first', 'turn', 'rss'].map((key) => (middle(peer, key) / middle(row, key)).toFixed(1))
  return `${row.id}: ${AGENT_SDK} takes ${first} times as long to its first request, ${turn} times as long a turn, ${rss} times the memory`
}

function middle({ samples }, key) {
  return median(samples.map((sample) => sample[key]))
}
