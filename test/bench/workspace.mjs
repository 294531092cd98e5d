import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The temporary folder of a benchmark: everything happens in it, and it goes away at the end, also after Ctrl-C. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PARTS = ['dist', 'agents', 'schemas', 'package.json']

/** In: `beforeEnd`, which stops what still runs. Out: `{ dir, home, absent, end }`; `end` removes the folder, as do the usual signals. */
export function workspace(beforeEnd = () => {}) {
  const dir = mkdtempSync(join(tmpdir(), 'agentc-bench-'))
  const end = () => {
    beforeEnd()
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 })
  }
  const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
  for (const [signal, code] of Object.entries(signals)) process.once(signal, () => (end(), process.exit(code)))
  const home = join(dir, 'home')
  mkdirSync(home)
  return { dir, home, absent: join(dir, 'absent'), end }
}

/** In: the temporary folder. Does: copies the built package there, so that a rebuild beside a running benchmark changes nothing. Out: its bin. */
export function copyPackage(dir) {
  const to = join(dir, 'agentc')
  for (const part of PARTS) cpSync(join(ROOT, part), join(to, part), { recursive: true })
  return join(to, 'dist/agentc.cjs')
}

/** In: the temporary folder. Out: an environment with nothing in it that could steer a tool, nor make it call home. */
export function cleanEnvironment({ home }) {
  const { PATH } = process.env
  return { PATH, HOME: home, NO_COLOR: '1', CI: '1', DO_NOT_TRACK: '1', TMPDIR: tmpdir(), LANG: 'C.UTF-8' }
}
