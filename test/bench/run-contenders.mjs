import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { generate } from './gen-corpus.mjs'
import { installed, npm } from './peers.mjs'

/** Who runs an agent of fifty tool turns. All send the same prompt to the same server, with one tool that reads a small file. */

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const node = process.execPath
export const SDK = 'SDK, bundled'
export const FETCH = 'fetch, no SDK'
export const AGENT_SDK = 'claude-agent-sdk'
const AGENT_SDK_PACKAGE = '@anthropic-ai/claude-agent-sdk'

/** Out: the id of `agentc run` at a size. */
export const agentcAt = (size) => `agentc run, ${size} agents`

/** In: the temporary folder, the server, the bin, sizes. Out: the contenders in the order of the table. */
export async function runContenders({ dir, home, absent, bin, api, sizes, withAgentSdk }) {
  const fixture = join(dir, 'fixture')
  mkdirSync(fixture)
  writeFileSync(join(fixture, 'hello.txt'), 'hello\n')
  const bundle = await bundled(dir)
  const entry = withAgentSdk ? agentSdk(dir) : undefined
  const projects = sizes.map((size) => projectOf(size, dir))
  // A build trusts the stats of files that are older than two seconds, and looks into younger ones each time.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  // Programs that write into their home must not make a manifest stale that was built with it.
  const rival = join(dir, 'rival-home')
  mkdirSync(rival)
  const contender = (id, kind, cwd, command) => ({
    id,
    kind,
    cwd,
    command: [node, ...command],
    expect: [0],
    ...watched(id, api, cwd, kind === 'agentc' ? home : rival),
  })
  return [
    contender(FETCH, 'floor', fixture, [here('run-floor-fetch.mjs'), 'go']),
    contender(SDK, 'floor', fixture, [bundle, 'go']),
    ...sizes.map((size, at) => {
      const project = projects[at]
      const where = ['--project', project, '--home', home, '--managed-dir', absent]
      const { status, stderr } = spawnSync(node, [bin, 'build', ...where], { encoding: 'utf8' })
      if (status !== 0) throw new Error(`the manifest of ${size} agents could not be built: ${stderr}`)
      return contender(agentcAt(size), 'agentc', project, [bin, 'run', 'bench', 'go', ...where])
    }),
    ...(entry === undefined ? [] : [contender(AGENT_SDK, 'peer', fixture, [here('run-sdk-agent.mjs'), entry, 'go'])]),
  ]
}

/** What is measured of a run besides the process: start to the first request, time from request to request, size of the first one. */
function watched(id, api, folder, HOME) {
  return {
    env: {
      HOME,
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: 'bench',
      DISABLE_TELEMETRY: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    before: () => api.prepare(folder),
    after: async ({ at, code }) => {
      const requests = await api.arrivals()
      if (requests.length < 51) throw new Error(`${id} ended with ${code} after ${requests.length} requests instead of 51`)
      const [first, last] = [requests[0], requests.at(-1)]
      return { first: first.at - at, turn: (last.at - first.at) / (requests.length - 1), bytes: first.bytes }
    },
  }
}

/** The floor of record is the bare SDK bundled the way agentc is. */
async function bundled(dir) {
  const outfile = join(dir, 'run-floor-sdk.mjs')
  const banner = { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" }
  const options = { bundle: true, minify: true, format: 'esm', platform: 'node', target: 'node20.19', logLevel: 'error' }
  await build({ entryPoints: [here('run-floor-sdk.mjs')], outfile, banner, ...options })
  return outfile
}

/** A project of so many agents, of which one is the measured one. */
function projectOf(size, dir) {
  const project = join(dir, `run-${size}`)
  generate(size - 1, project)
  writeFileSync(join(project, 'hello.txt'), 'hello\n')
  const head = ['---', 'name: bench', 'description: Reads a file.', 'tools: Read', 'model: sonnet', '---']
  writeFileSync(join(project, '.claude/agents/bench.md'), [...head, '', 'You are a test agent.', ''].join('\n'))
  return project
}

/** Out: the entry of the package, installed for this run only; undefined, said aloud, if it cannot be had or cannot start here. */
function agentSdk(dir) {
  const skip = (why) => void console.log(`${AGENT_SDK} NOT MEASURED: ${why.trim().split('\n')[0]}`)
  const seen = npm(['view', AGENT_SDK_PACKAGE, 'version'], dir)
  if (seen.status !== 0) return skip(`npm knows no ${AGENT_SDK_PACKAGE}: ${seen.error?.message ?? seen.stderr}`)
  const to = join(dir, 'agent-sdk')
  const fault = installed(to, [`${AGENT_SDK_PACKAGE}@${seen.stdout.trim()}`])
  if (fault !== undefined) return skip(`npm could not install it: ${fault}`)
  console.log(`${AGENT_SDK} ${seen.stdout.trim()}`)
  return join(to, 'node_modules', AGENT_SDK_PACKAGE, 'sdk.mjs')
}
