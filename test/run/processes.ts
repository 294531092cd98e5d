import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { ROOT, temporary } from '../support/tree.ts'

/** Bundles the driver; gives the file to start with node. */
export async function bundledDriver(): Promise<string> {
  const folder = temporary()
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await build({
    entryPoints: { driver: join(ROOT, 'test/run/driver.ts') },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    external: ['@vscode/ripgrep'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  })
  return join(folder, 'driver.mjs')
}

export interface Ran {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

/** Starts the driver in `cwd`, in a bare environment; TMPDIR is a folder beside it, so that what is left there can be seen. */
export function startDriver(
  driver: string,
  argv: readonly string[],
  { cwd, url, env = {} }: { cwd: string; url: string; env?: Record<string, string> },
) {
  const tmp = `${cwd}-tmp`
  mkdirSync(tmp, { recursive: true })
  const bare = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    TMPDIR: tmp,
    ANTHROPIC_API_KEY: 'test-key-0123456789',
    ANTHROPIC_BASE_URL: url,
  }
  const child = spawn(process.execPath, [driver, ...argv], { cwd, env: { ...bare, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, ended: endedOf(child), tmp }
}

function endedOf(child: ChildProcess): Promise<Ran> {
  const ran: Ran = { code: null, signal: null, out: '', err: '' }
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (ran.out += text))
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (ran.err += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ ...ran, code, signal }))
  })
}

/** The same numbers for the same seed, evenly between 0 and 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
