import { join } from 'node:path'
import { isSecretName } from '../secret-name.ts'
import { isInside } from '../workspace.ts'
import type { Env } from './probe.ts'

/** The variables that commands do not get: those that are called like secrets, unless they are passed on by name or say only where one is. */
export function secretsIn(env: Env, passed: readonly string[]): string[] {
  const kept = (name: string): boolean => passed.includes(name) || name.startsWith('ANTHROPIC_') || !isSecretName(name)
  const isPlace = (value: string): boolean => value === '' || value.startsWith('/')
  return Object.entries(env)
    .flatMap(([name, value]) => (value === undefined || kept(name) || isPlace(value) ? [] : [name]))
    .sort()
}

/** Caches of programs that fail where they cannot write theirs, each with its usual place below the home folder. */
const CACHES = [
  ['npm_config_cache', '.npm'],
  ['GOCACHE', '.cache/go-build'],
  ['UV_CACHE_DIR', '.cache/uv'],
  ['PIP_CACHE_DIR', '.cache/pip'],
  ['DENO_DIR', '.cache/deno'],
  ['BUN_INSTALL_CACHE_DIR', '.bun/install/cache'],
] as const

/** Where these programs keep their caches in walls: in the run's own temporary folder, unless theirs may be written. */
export function caches(home: string | undefined, writable: readonly string[]): Env {
  const own = CACHES.filter(([, place]) => home === undefined || !writable.some((folder) => isInside(folder, join(home, place))))
  return Object.fromEntries(own.map(([name]) => [name, `/tmp/.cache/${name.toLowerCase()}`]))
}
