import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { memoryBy, stopRunning } from './measure.mjs'
import { inRounds } from './rounds.mjs'
import { runContenders } from './run-contenders.mjs'
import { fakeApi } from './run-fake.mjs'
import { runTable, runVerdicts } from './run-targets.mjs'
import { cleanEnvironment, copyPackage, workspace } from './workspace.mjs'

const HELP = `node test/bench/run.mjs [flags]: agentc run against the floors and the Claude Agent SDK, on a server that answers at once

  --rounds N       counted rounds (default 9)
  --no-agent-sdk   without @anthropic-ai/claude-agent-sdk (400 MB are installed for it)
  --dist DIR       a built package other than this one
  --json FILE      every sample
`
const OPTIONS = {
  rounds: { type: 'string', default: '9' },
  'no-agent-sdk': { type: 'boolean' },
  dist: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
}
/** Numbers of agents in the manifest. */
const SIZES = [20, 1000]

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help) console.log(HELP)
  else await benchRuns({ ...values, withAgentSdk: !values['no-agent-sdk'] })
}

/** Measures and prints; out: the results. Everything happens in a temporary folder, which goes away, also after Ctrl-C. */
export async function benchRuns({ rounds, withAgentSdk, dist, json }) {
  let api
  const space = workspace(() => (stopRunning(), api?.stop()))
  try {
    api = await fakeApi(space.dir)
    const bin = dist ?? copyPackage(space.dir)
    const contenders = await runContenders({ ...space, bin, api, sizes: SIZES, withAgentSdk })
    console.log(
      `Runs of fifty tool turns: ${cpus()[0]?.model.trim()}, ${cpus().length} CPUs, Node ${process.version}, load ${loadavg()[0].toFixed(1)}, memory by ${memoryBy}, ${rounds} rounds`,
    )
    const results = await inRounds(contenders, Number(rounds), { env: cleanEnvironment(space), notes: space.dir })
    console.log(`\n${runTable(results)}\n\n${runVerdicts(results, SIZES).join('\n')}`)
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 1)}\n`)
    return results
  } finally {
    space.end()
  }
}
