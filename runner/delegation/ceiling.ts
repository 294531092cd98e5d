import { join, relative } from 'node:path'
import type { Rule } from '../../schemas/shapes/permission.ts'
import type { Decide, Decision, Rights } from '../permission/decide.ts'
import type { PermissionMode } from '../../schemas/values.ts'
import { isInside, type Workspace } from '../workspace.ts'

/** What one agent above holds all below it to: its mode when it started them, its caps and all that is denied to it, as counted from its folder. */
export interface Ceiling {
  mode: PermissionMode
  limits: readonly Rule[]
  deny: readonly Rule[]
  workspace: Workspace
}

const RANK = { allow: 0, ask: 1, deny: 2 } as const

/**
 * Decides as the agent's own rights say, and as those of every agent above would: the strictest decision counts. So no call runs that any
 * of them would be denied, at whatever depth, and forks are held to narrower rights although they see the tools of their parent (M28).
 */
export function belowCeilings(decide: Decide, ceilings: readonly Ceiling[]): Decide {
  return (asked, rights) => {
    const all = ceilings.map(({ mode, limits, deny, workspace }): Decision => {
      const above: Rights = { ...rights, mode, limits, deny, workspace, uncapped: undefined }
      return decide(asked, above)
    })
    return all.reduce(strictest, decide(asked, rights))
  }
}

function strictest(a: Decision, b: Decision): Decision {
  return RANK[b.outcome] > RANK[a.outcome] ? b : a
}

/** Refuses tools that are offered for the sake of the prompt cache alone. */
export function onlyTools(decide: Decide, tools: ReadonlySet<string>, who: string): Decide {
  return (asked, rights) => {
    if (tools.has(asked.tool)) return decide(asked, rights)
    return { outcome: 'deny', allow: false, reason: `${who} may not use ${asked.tool}` }
  }
}

/** The same workspace in another checkout: rules that count from a folder count from the folder of that name there. */
export function movedTo(workspace: Workspace, from: string, to: string): Workspace {
  const moved = (path: string): string => (isInside(from, path) ? join(to, relative(from, path)) : path)
  return { ...workspace, root: moved(workspace.root), cwd: moved(workspace.cwd), told: moved(workspace.told) }
}
