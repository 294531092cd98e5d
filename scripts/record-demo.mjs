// Records the conversation of `npm run demo` anew, against the scripted API of the tests: needed after a change of a tool's description
// or of anything else that a request holds. Usage: node scripts/build.mjs && node scripts/record-demo.mjs
import { spawn } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** A fixed place, because the recording holds it. */
const work = join(tmpdir(), 'tempo')
const server = spawn(
  process.execPath,
  [join(root, 'test/fake-api/server.mjs'), '--port', '0', '--script', join(root, 'demo/model/reviewer.json')],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
try {
  const line = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(String(data).split('\n')[0])))
  for (const part of ['project', 'home']) cpSync(join(root, 'demo', part), join(work, part), { recursive: true })
  const args = [
    'run',
    'reviewer',
    'Review src/duration.js.',
    '--record',
    join(root, 'demo/reviewer.jsonl'),
    '--home',
    join(work, 'home'),
    '--managed-dir',
    join(work, 'managed'),
  ]
  const env = { ...process.env, ANTHROPIC_BASE_URL: JSON.parse(line).url, ANTHROPIC_API_KEY: 'recorded' }
  process.exitCode = await new Promise((resolve) =>
    spawn(process.execPath, [join(root, 'dist/agentc.cjs'), ...args], { cwd: join(work, 'project'), env, stdio: 'inherit' }).once(
      'exit',
      resolve,
    ),
  )
} finally {
  server.kill()
  rmSync(work, { recursive: true, force: true })
}
