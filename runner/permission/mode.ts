import type { ManifestAgent, ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { PermissionMode, Role } from '../../schemas/values.ts'

/** What decides about the mode of a run: the manifest as it counts (runner/trust), and what the person has chosen for this run. */
interface ModeStart {
  header: Readonly<Pick<ManifestHeader, 'settings'>>
  agent: Readonly<Pick<ManifestAgent, 'permissionMode' | 'provenance'>>
  permissionMode?: PermissionMode | undefined
  role?: Role | undefined
}

/** The mode of the command line, else the agent's, else that of the settings. */
export function modeInForce({ header: { settings }, agent, permissionMode }: ModeStart): PermissionMode {
  const mode = permissionMode ?? agent.permissionMode ?? settings.defaultMode?.value ?? 'default'
  return mode === 'bypassPermissions' && settings.bypassDisabled ? 'default' : mode
}

/** Whether a person has started the run in plan mode. A file cannot, nor an agent by itself: a repository must gain nothing by asking for it. */
export function isPersonsPlan({ agent, permissionMode, role }: ModeStart): boolean {
  return permissionMode === 'plan' && (role ?? 'main') === 'main' && agent.provenance.permissionMode?.source !== 'policy'
}

/** What must be said about a mode before a run; nothing about one that does what its name says. */
export function modeNotice(mode: PermissionMode): string | undefined {
  return mode === 'auto' ? 'permissionMode auto has no classifier here, so it is as default: what no rule allows is asked about' : undefined
}
