import { sep } from 'node:path'
import type { Origin } from '../../schemas/source.ts'
import { pathInside } from './path.ts'
import type { Root } from './root.ts'

/** A file, folder or link on the way down from a root: where it is and how it is shown. */
export interface Spot {
  path: string
  /** Relative to the layer's root, with `/`. */
  shown: string
  /** The real path of the layer's root. */
  realBase: string
  /** Its own real path, if a link lies on the way from the layer's root. */
  real?: string
  /** For plugins: what stands before the name of an agent that is found here. */
  namespace?: string
}

export function sameSpot(a: Spot, b: Spot): boolean {
  return a.path === b.path && a.shown === b.shown && a.realBase === b.realBase && a.real === b.real && a.namespace === b.namespace
}

export function spotBelow(folder: Spot, name: string): Spot {
  const spot: Spot = {
    path: folder.path.endsWith(sep) ? folder.path + name : folder.path + sep + name,
    shown: folder.shown === '' ? name : `${folder.shown}/${name}`,
    realBase: folder.realBase,
  }
  if (folder.real !== undefined) spot.real = folder.real + sep + name
  if (folder.namespace !== undefined) spot.namespace = folder.namespace
  return spot
}

/** The origin of what lies at a spot. Where a link leads is never shown as an absolute path of this machine. */
export function spotOrigin(spot: Spot, root: Root): Origin {
  const origin: Origin = { source: root.source, path: spot.shown || '.' }
  if (root.plugin !== undefined) origin.plugin = root.plugin
  if (spot.real !== undefined) origin.link = linkTarget(spot.realBase, spot.real)
  if (root.checkout !== undefined) origin.checkout = root.checkout
  return origin
}

function linkTarget(realBase: string, real: string): string {
  const inside = pathInside(realBase, real)
  return inside === undefined ? '<outside>' : inside || '.'
}
