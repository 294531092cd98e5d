import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The other linters of agent files on npm, and the parser of the floor. Versions are exact: figures stay comparable. */

export const PACKAGES = ['js-yaml@4.1.0', '@carlrannaberg/cclint@0.2.10', 'claude-code-lint@0.5.0']

/**
 * In: the temporary folder. Does: installs the packages there, without running their scripts. Out: the folder with `node_modules`, or
 * undefined when npm cannot be reached, said aloud.
 */
export function installPeers(dir, packages = PACKAGES) {
  const to = join(dir, 'peers')
  const fault = installed(to, packages)
  if (fault === undefined) return to
  console.log(`PEERS NOT MEASURED: npm could not install ${packages.join(', ')}: ${fault}`)
  return undefined
}

/** In: a new folder, packages with their versions. Does: installs them there, without their scripts. Out: in a line, why that failed. */
export function installed(to, packages) {
  mkdirSync(to)
  writeFileSync(join(to, 'package.json'), '{ "private": true }\n')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--save-exact']
  const { status, stderr, error } = npm(['install', ...flags, ...packages], to)
  return status === 0 ? undefined : (error?.message ?? stderr).trim().split('\n')[0]
}

/** In: a command of npm, and where it is run. Out: what came of it. */
export function npm(args, cwd) {
  return spawnSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd, encoding: 'utf8', timeout: 600_000 })
}

/** In: the folder of `installPeers`. Out: how each peer is started (its entry in `node_modules/.bin`, as its users start it). */
export function peerBins(peers) {
  const bin = (name) => [process.execPath, join(peers, 'node_modules/.bin', name)]
  return { cclint: bin('cclint'), claudelint: bin('claudelint') }
}
