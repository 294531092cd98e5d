import { lstat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { memoryFolder, snapshotFolder } from '../../schemas/memory-folder.ts'
import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import { isInside, type OwnMemory, settled, slashed, type Workspace } from '../workspace.ts'
import { mainCheckout } from './main-checkout.ts'

type Rememberer = Pick<ManifestAgent, 'memory' | 'origin'>

/**
 * A workspace for one agent: with the folder of its notes, which it may use although it may lie outside, and without that of any other.
 * `told` is how the agent was told of it before, in a recording or in a run that goes on.
 */
export async function withMemory(workspace: Workspace, name: string, agent: Rememberer, told?: string): Promise<Workspace> {
  const { memory: _, memoryFault: _fault, ...plain } = workspace
  const found = await memoryPlace(plain, name, agent)
  if (!found) return plain
  return 'refused' in found ? { ...plain, memoryFault: found.refused } : { ...plain, memory: { ...found, told: told ?? found.told } }
}

/** Where the notes of an agent lie; the folder need not be there. A link in its place, or one that leads out of its root, is not followed. */
export async function memoryPlace(
  workspace: Workspace,
  name: string,
  { memory, origin }: Rememberer,
): Promise<OwnMemory | { refused: string } | undefined> {
  if (memory === undefined) return undefined
  const { base, path } = memoryFolder(memory, name, origin)
  const top = await baseFolder(base, workspace)
  if (top === undefined) return { refused: `the memory of ${name} is in the home folder, and there is none` }
  const found = await plainFolder(top, path)
  if ('fault' in found) return { refused: `the memory of ${name} is not used: ${found.fault}` }
  const { folder } = found
  return { folder, told: base === 'config' ? fromHome(join(top, path), workspace) : slashed(relative(workspace.cwd, folder)) }
}

/** Where the notes of an agent are carried into the project; or why they are not, as a clause. */
export async function snapshotPlace(workspace: Workspace, name: string): Promise<{ folder: string } | { fault: string }> {
  return plainFolder((await baseFolder('project', workspace))!, snapshotFolder(name))
}

/** A folder that need not be there. Its last two parts are no links, and none before them leads outside. */
async function plainFolder(top: string, path: string): Promise<{ folder: string } | { fault: string }> {
  const wanted = join(top, path)
  const above = settled(dirname(dirname(wanted)))
  if (!isInside(settled(top), above)) return { fault: `${path.split('/')[0]} leads to another place` }
  const kind = join(above, basename(dirname(wanted)))
  const folder = join(kind, basename(wanted))
  for (const at of [kind, folder]) {
    const stats = await lstat(at).catch(() => undefined)
    if (stats && !stats.isDirectory()) return { fault: `${basename(at)} is ${stats.isSymbolicLink() ? 'a link' : 'not a folder'}` }
  }
  return { folder }
}

/** Of an agent in a worktree the notes lie in the checkout that it was made from: memory follows the agent, not the worktree. */
async function baseFolder(
  base: 'project' | 'checkout' | 'config',
  { root, checkout = root, config }: Workspace,
): Promise<string | undefined> {
  if (base === 'config') return config
  return base === 'checkout' ? ((await mainCheckout(checkout)) ?? checkout) : checkout
}

function fromHome(path: string, { home }: Workspace): string {
  return home !== undefined && isInside(home, path) ? slashed(`~${sep}${relative(home, path)}`) : path
}
