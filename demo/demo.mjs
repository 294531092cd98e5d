// The whole way without a key: a small project is built, explained, and one of its agents is run on a recorded conversation.
// Everything happens in a temporary folder, which is removed at the end.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const bin = join(here, '../dist/agentc.cjs')
const work = mkdtempSync(join(tmpdir(), 'agentc-demo-'))

const STEPS = [
  ['Three agents, and two of one name: what does the compiler say?', ['build']],
  ['Which agents are there now, and what may they use?', ['list']],
  ['Explore stands in three layers. Which one won, and what did it get?', ['explain', 'Explore']],
  ['Why has it no Bash?', ['explain', 'Explore', 'Bash']],
  [
    'Run the reviewer, on a recorded conversation.',
    ['run', 'reviewer', 'Review src/duration.js.', '--replay', join(here, 'reviewer.jsonl')],
  ],
]

/** Runs one command of agentc in the demo project, with the person's folder beside it. Returns its exit code. */
function step(title, args) {
  const shown = args.map((arg) => (arg.startsWith(here) ? 'reviewer.jsonl' : /\s/.test(arg) ? JSON.stringify(arg) : arg)).join(' ')
  console.log(`\n# ${title}\n$ agentc ${shown}\n`)
  const where = ['--home', join(work, 'home'), '--managed-dir', join(work, 'managed')]
  return spawnSync(process.execPath, [bin, ...args, ...where], { cwd: join(work, 'project'), stdio: 'inherit' }).status
}

try {
  cpSync(join(here, 'project'), join(work, 'project'), { recursive: true })
  cpSync(join(here, 'home'), join(work, 'home'), { recursive: true })
  const codes = STEPS.map(([title, args]) => step(title, args))
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1
} finally {
  rmSync(work, { recursive: true, force: true })
}
