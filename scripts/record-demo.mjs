// Records the conversations of `npm run demo` anew, against the scripted API of the tests: needed after a change of a tool's description
// or of anything else that a request holds. Usage: node scripts/build.mjs && node scripts/record-demo.mjs
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEMOS, lay } from '../demo/demos.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** A fixed place, because the recording holds it. */
const work = join(tmpdir(), 'tempo')
const SERVER = join(root, 'test/fake-api/server.mjs')

rmSync(work, { recursive: true, force: true })
for (const demo of Object.values(DEMOS)) process.exitCode ||= await record(demo)

async function record(demo) {
  const { run, recording, model } = demo
  const script = join(root, 'demo/model', model)
  const server = spawn(process.execPath, [SERVER, '--port', '0', '--script', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const cwd = join(work, 'project')
  try {
    const line = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(String(data).split('\n')[0])))
    lay(demo, join(root, 'demo'), work)
    const where = ['--home', join(work, 'home'), '--managed-dir', join(work, 'managed')]
    const args = ['run', ...run, '--record', join(root, 'demo', recording), ...where]
    const env = { ...process.env, ANTHROPIC_BASE_URL: JSON.parse(line).url, ANTHROPIC_API_KEY: 'recorded' }
    const child = spawn(process.execPath, [join(root, 'dist/agentc.cjs'), ...args], { cwd, env, stdio: 'inherit' })
    return await new Promise((resolve) => child.once('exit', resolve))
  } finally {
    server.kill()
    rmSync(work, { recursive: true, force: true })
  }
}
