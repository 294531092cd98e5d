import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { peerBins } from './peers.mjs'

/**
 * Who runs in a round. A contender is `{ id, kind: 'floor' | 'peer' | 'agentc', cwd, command, before?, expect? }`; `before` is not timed.
 * Contenders that write get a copy of the project of their own.
 */

const FLOOR = fileURLToPath(new URL('floor.mjs', import.meta.url))
const PATTERNS = fileURLToPath(new URL('../../compiler/secret/patterns.ts', import.meta.url))
const node = process.execPath

/** In: the project, `peers` (or undefined) and whether peers run at this size. Out: the contenders, floors first. */
export function contenders(project, { bin, home, absent, peers, withPeers }) {
  return [
    ...floors(project, peers),
    ...(peers && withPeers ? rivals(project, peerBins(peers)) : []),
    ...agentc(project, { bin, home, absent }),
  ]
}

function floors(cwd, peers) {
  const floor = (id, ...args) => ({ id, kind: 'floor', cwd, command: [node, ...args], expect: [0] })
  return [
    floor('node -e 0', '-e', '0'),
    floor('read all', FLOOR, cwd, 'read'),
    ...(peers ? [floor('node + js-yaml', FLOOR, cwd, 'yaml', peers), least(cwd, peers)] : []),
  ]
}

function least(cwd, peers) {
  const [out, patterns] = [join(`${cwd}-least`, 'manifest'), join(`${cwd}-least`, 'patterns.mjs')]
  buildSync({ entryPoints: [PATTERNS], outfile: patterns, format: 'esm' })
  const command = [node, FLOOR, cwd, 'write', peers, out, patterns]
  return { id: 'the least', kind: 'floor', cwd, command, before: () => rmSync(out, { force: true }), expect: [0] }
}

/** claudelint ends with 1 because it finds faults in valid agents (peers.md 0.4); its cached form is the peer of an unchanged build. */
function rivals(project, { cclint, claudelint }) {
  const cwd = copyOf(project, 'peers')
  const peer = (id, command) => ({ id, kind: 'peer', cwd, command, expect: [0, 1] })
  return [
    peer('cclint agents', [...cclint, 'agents', '--root', cwd]),
    peer('claudelint validate-agents', [...claudelint, 'validate-agents']),
    peer('claudelint check-all (cache)', [...claudelint, 'check-all']),
  ]
}

function agentc(project, { bin, home, absent }) {
  const [cold, built] = [copyOf(project, 'cold'), copyOf(project, 'built')]
  const run = (id, cwd, args, before) => ({
    id: `agentc ${id}`,
    kind: 'agentc',
    cwd,
    command: [node, bin, ...args, '--project', cwd, '--home', home, '--managed-dir', absent],
    before,
    expect: [0],
  })
  const forget = () => (rmSync(join(cold, '.agentc'), { recursive: true, force: true }), emptied(home))
  return [
    run('build (cold)', cold, ['build'], forget),
    run('build (unchanged)', built, ['build']),
    run('build --check', built, ['build', '--check']),
    run('list', built, ['list']),
    run('explain', built, ['explain', agentOf(project)]),
  ]
}

function copyOf(project, what) {
  const to = `${project}-${what}`
  if (!existsSync(to)) cpSync(project, to, { recursive: true })
  return to
}

/** A cache in the home folder would make a cold build warm. */
function emptied(dir) {
  for (const entry of readdirSync(dir)) rmSync(join(dir, entry), { recursive: true, force: true })
}

/** Out: the name of an agent in the middle; in both kinds of corpus a file is called as its agent. */
function agentOf(project) {
  const files = readdirSync(join(project, '.claude/agents')).sort()
  return files[files.length >> 1].replace(/\.md$/, '')
}
