import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type BuildOptions } from 'esbuild'
import { ended, type Ran as Output } from '../support/bin.ts'
import { ROOT, temporary } from '../support/tree.ts'

/** Bundles the driver; gives the file to start with node. */
export async function bundledDriver(): Promise<string> {
  const folder = temporary()
  await bundle(folder, { entryPoints: { driver: join(ROOT, 'test/run/driver.ts') }, minify: true })
  return join(folder, 'driver.mjs')
}

/** Bundles a program as agentc ships, as `.mjs` in a folder that holds nothing else of the project but what is installed. */
export async function bundle(folder: string, what: Pick<BuildOptions, 'entryPoints' | 'stdin' | 'minify'>): Promise<void> {
  await mkdir(folder, { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await build({
    ...what,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['@vscode/ripgrep'],
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'error',
  })
}

export interface Ran extends Output {
  signal: NodeJS.Signals | null
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
  const over = ended(child).then((output): Ran => ({ ...output, signal: child.signalCode }))
  return { child, ended: over, tmp }
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
