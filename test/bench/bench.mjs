import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { contenders } from './contenders.mjs'
import { generate } from './gen-corpus.mjs'
import { memoryBy, stopRunning } from './measure.mjs'
import { installPeers, PACKAGES } from './peers.mjs'
import { layReal } from './real-corpus.mjs'
import { inRounds } from './rounds.mjs'
import { benchRuns } from './run.mjs'
import { sizeTable } from './table.mjs'
import { verdicts } from './targets.mjs'
import { cleanEnvironment, copyPackage, workspace } from './workspace.mjs'

const HELP = `npm run bench -- [flags]: whole processes, interleaved, medians; exit code 0 whatever the figures

  --sizes LIST   numbers of agents (default 10,100,1000,5000)
  --growth       20,000 too (without the peers)
  --corpus       the same on real agent files, copied up to the size
  --rounds N     counted rounds (default 9)
  --no-peers     only agentc and the floors (js-yaml is still installed)
  --only WHAT    builds, or runs (agentc run against its floors: node test/bench/run.mjs --help); both without it
  --no-agent-sdk without @anthropic-ai/claude-agent-sdk in the runs (400 MB are installed for it)
  --json FILE    every sample of the builds
`
const OPTIONS = {
  sizes: { type: 'string', default: '10,100,1000,5000' },
  growth: { type: 'boolean' },
  corpus: { type: 'boolean' },
  rounds: { type: 'string', default: '9' },
  'no-peers': { type: 'boolean' },
  only: { type: 'string' },
  'no-agent-sdk': { type: 'boolean' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
}
/** Peers are not run above this: claudelint alone would take a quarter of a minute a round. */
const PEERS_UP_TO = 5000

const { values: flags } = parseArgs({ options: OPTIONS })
if (flags.help) console.log(HELP)
else {
  if (flags.only !== 'runs') await main()
  if (flags.only !== 'builds') await benchRuns({ rounds: flags.rounds, withAgentSdk: !flags['no-agent-sdk'] })
}

async function main() {
  const space = workspace(stopRunning)
  try {
    const peers = installPeers(space.dir, flags['no-peers'] ? PACKAGES.slice(0, 1) : PACKAGES)
    const bin = copyPackage(space.dir)
    const machine = { node: process.version, cpu: cpus()[0]?.model.trim(), cpus: cpus().length, load: loadavg()[0], memoryBy }
    console.log(
      `${machine.cpu}, ${machine.cpus} CPUs, Node ${machine.node}, load ${machine.load.toFixed(1)}, memory by ${memoryBy}, ${flags.rounds} rounds`,
    )
    const measurements = []
    for (const [corpus, size] of plan()) {
      const measured = await measureSize(corpus, size, { ...space, bin, peers })
      if (measured !== undefined) measurements.push(measured)
    }
    console.log(`\n${verdicts(measurements).join('\n')}`)
    if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify({ machine, packages: PACKAGES, measurements }, null, 1)}\n`)
  } finally {
    space.end()
  }
}

/** Out: [corpus, size] in the order of measuring. */
function plan() {
  const sizes = [...new Set([...flags.sizes.split(',').map(Number), ...(flags.growth ? [20_000] : [])])]
  return (flags.corpus ? ['generated', 'real'] : ['generated']).flatMap((corpus) => sizes.map((size) => [corpus, size]))
}

async function measureSize(corpus, size, space) {
  const project = join(space.dir, `${corpus}-${size}`)
  const bytes = corpus === 'real' ? layReal(size, project) : generate(size, project)
  if (bytes === undefined) return undefined
  const withPeers = !flags['no-peers'] && size <= PEERS_UP_TO
  const field = contenders(project, { ...space, withPeers })
  const results = await inRounds(field, Number(flags.rounds), { env: cleanEnvironment(space), notes: space.dir })
  const measured = { corpus, size, bytes, results }
  console.log(sizeTable(measured))
  return measured
}
