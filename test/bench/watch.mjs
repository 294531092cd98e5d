import { spawn } from 'node:child_process'
import { appendFileSync, closeSync, fsyncSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generate } from './gen-corpus.mjs'
import { median } from './measure.mjs'
import { cleanEnvironment, copyPackage, workspace } from './workspace.mjs'

const HELP = `npm run bench:watch -- [flags]: from a saved file to what agentc watch prints; medians, exit code 0 whatever the figures

  --sizes LIST   numbers of agents (default 1000,10000)
  --edits N      counted edits (default 21)
  --json FILE    every sample
`
/** Issue 5: milliseconds to the printed result. The manifest follows within so many times a plain write and fsync of the same bytes. */
const TARGETS = { 1000: 50, 10000: 75 }
const FOLLOWS = 1.5
/** What the best peer takes at 1,000 agents (peers.md: claudelint watch, measured by hand; it has no machine-readable output to wait for). */
const BEST_PEER = 1280

const OPTIONS = {
  sizes: { type: 'string', default: '1000,10000' },
  edits: { type: 'string', default: '21' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
}

const { values: flags } = parseArgs({ options: OPTIONS })
if (flags.help) console.log(HELP)
else await main()

async function main() {
  const running = new Set()
  const space = workspace(() => running.forEach((child) => child.kill('SIGKILL')))
  try {
    const bin = copyPackage(space.dir)
    console.log(
      `${cpus()[0]?.model.trim()}, ${cpus().length} CPUs, Node ${process.version}, load ${loadavg()[0].toFixed(1)}, ${flags.edits} edits`,
    )
    const measured = []
    for (const size of flags.sizes.split(',').map(Number)) {
      const project = join(space.dir, `watch-${size}`)
      generate(size, project)
      measured.push(await measureSize(size, project, { ...space, bin, running }))
      console.log(verdict(measured.at(-1)))
    }
    if (flags.json !== undefined) writeSync(openSync(flags.json, 'w'), `${JSON.stringify(measured, null, 1)}\n`)
  } finally {
    space.end()
  }
}

/** Edits one file after another, each in its own way of an editor, and waits until the watch is quiet again. */
async function measureSize(size, project, space) {
  const { events, child } = startWatch(project, space)
  await next(events, ({ event }) => event === 'manifest')
  // What was written less than two seconds ago is looked into at every turn: a person's files are older than that.
  await pause(4000)
  const files = readdirSync(join(project, '.claude/agents')).sort()
  const samples = []
  for (let i = 0; i < Number(flags.edits) + 2; i++) {
    const file = join(project, '.claude/agents', files[(i * 7919) % files.length])
    appendFileSync(file, `\nLine ${i}.\n`)
    const saved = performance.now()
    const changed = await next(events, ({ event }) => event === 'changed')
    const written = await next(events, ({ event }) => event === 'manifest')
    samples.push({ printed: changed.at - saved, followed: written.at - changed.at, parsed: changed.parsed, plain: plainWrite(project) })
    await pause(1500)
  }
  child.kill('SIGINT')
  const counted = samples.slice(2)
  const of = (key) => median(counted.map((sample) => sample[key]))
  return {
    size,
    printed: of('printed'),
    followed: of('followed'),
    plain: of('plain'),
    parsed: Math.max(...counted.map(({ parsed }) => parsed)),
    samples: counted,
  }
}

function startWatch(project, { bin, home, absent, running, dir }) {
  const args = [bin, 'watch', '--format', 'json', '--project', project, '--home', home, '--managed-dir', absent]
  const child = spawn(process.execPath, args, { env: cleanEnvironment({ home, dir }), stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  const events = { list: [], wake: () => {} }
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const at = performance.now()
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) events.list.push({ ...JSON.parse(line), at })
    events.wake()
  })
  return { child, events }
}

async function next(events, isIt) {
  for (;;) {
    while (events.list.length > 0) {
      const event = events.list.shift()
      if (isIt(event)) return event
    }
    await new Promise((resolve) => (events.wake = resolve))
  }
}

/** Milliseconds to write the same bytes beside the manifest, with fsync. */
function plainWrite(project) {
  const bytes = readFileSync(join(project, '.agentc/manifest.json'))
  const start = performance.now()
  const file = openSync(join(project, '.agentc/plain.json'), 'w')
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
  fsyncSync(file)
  closeSync(file)
  return performance.now() - start
}

function verdict({ size, printed, followed, plain, parsed }) {
  const word = (met) => (met ? 'met   ' : 'missed')
  const target = TARGETS[size]
  const lines = [
    `${target === undefined ? 'measured' : word(printed <= target)}: ${size} agents: printed ${printed.toFixed(0)} ms after the save${target === undefined ? '' : ` (at most ${target})`}`,
    `${word(parsed === 1)}: ${size} agents: ${parsed} file parsed an edit (exactly 1)`,
    `${word(followed <= plain * FOLLOWS)}: ${size} agents: the manifest follows after ${followed.toFixed(0)} ms, ${(followed / plain).toFixed(2)} times a plain write and fsync (at most ${FOLLOWS})`,
  ]
  if (size === 1000)
    lines.push(
      `${word(printed < BEST_PEER)}: ${size} agents: ${(BEST_PEER / printed).toFixed(0)} times as fast as the best peer (${BEST_PEER} ms, peers.md)`,
    )
  return lines.join('\n')
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
