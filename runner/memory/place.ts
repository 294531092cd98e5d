import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { memoryFolder } from '../../schemas/memory-folder.ts'
import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import { isInside, type OwnMemory, slashed, type Workspace } from '../workspace.ts'
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
  const wanted = join(top, path)
  const root = await settled(top)
  const above = await settled(dirname(dirname(wanted)))
  if (!isInside(root, above))
    return { refused: `the memory of ${name} leads outside ${base === 'config' ? 'the home folder' : 'the project'}` }
  const kind = join(above, basename(dirname(wanted)))
  const folder = join(kind, basename(wanted))
  for (const at of [kind, folder]) {
    const stats = await lstat(at).catch(() => undefined)
    if (stats && !stats.isDirectory())
      return { refused: `the memory of ${name} is not used: ${basename(at)} is ${stats.isSymbolicLink() ? 'a link' : 'not a folder'}` }
  }
  return { folder, told: base === 'config' ? fromHome(wanted, workspace) : slashed(relative(workspace.cwd, folder)) }
}

/** Of an agent in a worktree the notes lie in the checkout that it was made from: memory follows the agent, not the worktree. */
async function baseFolder(
  base: 'project' | 'checkout' | 'config',
  { root, checkout = root, config }: Workspace,
): Promise<string | undefined> {
  if (base === 'config') return config
  return base === 'checkout' ? ((await mainCheckout(checkout)) ?? checkout) : checkout
}

/** A path without links, as far as it is there. */
async function settled(path: string): Promise<string> {
  const whole = resolve(path)
  const real = await realpath(whole).catch(() => undefined)
  if (real !== undefined || dirname(whole) === whole) return real ?? whole
  return join(await settled(dirname(whole)), basename(whole))
}

function fromHome(path: string, { home }: Workspace): string {
  return home !== undefined && isInside(home, path) ? slashed(`~${sep}${relative(home, path)}`) : path
}
