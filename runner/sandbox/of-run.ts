import type { Start } from '../context.ts'
import type { Workspace } from '../workspace.ts'
import type { Env } from './probe.ts'
import { openSandbox, type ToOpen } from './sandbox.ts'

/** The sandbox of a run that is to begin in this folder. */
export function sandboxOf({ start, env }: { start: Start; env: Env }, workspace: Workspace): Promise<ToOpen> {
  // Who names a variable in the settings wants it to be there.
  const passed = [...(start.passEnv ?? []), ...Object.keys(start.header.settings.env)]
  return openSandbox({ mode: start.sandbox ?? start.header.sandbox?.mode ?? 'auto', workspace, env, passed })
}
