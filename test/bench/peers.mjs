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
  mkdirSync(to)
  writeFileSync(join(to, 'package.json'), '{ "private": true }\n')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--save-exact']
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status, stderr, error } = spawnSync(npm, ['install', ...flags, ...packages], { cwd: to, encoding: 'utf8', timeout: 300_000 })
  if (status === 0) return to
  console.log(`PEERS NOT MEASURED: npm could not install ${packages.join(', ')}: ${(error?.message ?? stderr).trim().split('\n')[0]}`)
  return undefined
}

/** In: the folder of `installPeers`. Out: how each peer is started (its entry in `node_modules/.bin`, as its users start it). */
export function peerBins(peers) {
  const bin = (name) => [process.execPath, join(peers, 'node_modules/.bin', name)]
  return { cclint: bin('cclint'), claudelint: bin('claudelint') }
}
