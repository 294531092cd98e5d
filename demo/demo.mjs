// npm run demo [-- delegation]: what agentc does, without a key, on recorded conversations. Everything happens in a temporary folder, which is
// removed at the end.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEMOS, lay } from './demos.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const bin = join(here, '../dist/agentc.cjs')
const name = process.argv[2] ?? 'review'

/** Runs one command of agentc, or another one, in the demo project, with the person's folder beside it. Returns its exit code. */
function step(work, [title, command, ...args]) {
  const cwd = join(work, 'project')
  const given = args.map((arg) => (arg === 'THE_RUN' ? readdirSync(join(cwd, '.agentc/runs'))[0] : arg))
  const shown = given
    .map((arg) => (arg.startsWith(here) ? arg.slice(here.length + 1) : /[\s']/.test(arg) ? JSON.stringify(arg) : arg))
    .join(' ')
  console.log(`\n# ${title}\n$ ${command} ${shown}\n`)
  if (command !== 'agentc') return spawnSync(command, given, { cwd, stdio: 'inherit' }).status
  const where = given[0] === 'runs' ? [] : ['--home', join(work, 'home'), '--managed-dir', join(work, 'managed')]
  return spawnSync(process.execPath, [bin, ...given, ...where], { cwd, stdio: 'inherit' }).status
}

/** Out: whether all went well; a step that fails is the last one. */
function play(demo) {
  const work = mkdtempSync(join(tmpdir(), 'agentc-demo-'))
  try {
    lay(demo, here, work)
    return demo.steps(here).every((each) => step(work, each) === 0)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (Object.hasOwn(DEMOS, name)) process.exitCode = play(DEMOS[name]) ? 0 : 1
else {
  console.error(`There is no demo "${name}"; there are ${Object.keys(DEMOS).join(' and ')}.`)
  process.exitCode = 2
}
