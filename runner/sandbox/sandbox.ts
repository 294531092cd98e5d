import { bubblewrap, probe, type Walls } from './bubblewrap.ts'

export const SANDBOX_MODES = ['required', 'auto', 'off'] as const
export type SandboxMode = (typeof SANDBOX_MODES)[number]

/** How commands run. `kind` is recorded with each call; `notice` is said once at the start of a run. */
export interface Sandbox {
  kind: 'bubblewrap' | 'none'
  notice?: string
  /** Puts a command line into the sandbox. */
  wrap(argv: readonly string[]): readonly string[]
}

/**
 * Opens the sandbox for the commands of a run (issue 7, item 4). It is never left out in silence; `required` gives a fault instead,
 * with which the run must not begin.
 */
export async function openSandbox(
  mode: SandboxMode,
  walls: Walls,
  env: Readonly<Record<string, string | undefined>>,
  tried: typeof probe = probe,
): Promise<Sandbox | { fault: string }> {
  if (mode === 'off') return without('Commands run without a sandbox, because of --sandbox off.')
  const found = await tried(walls.cwd, env)
  if (found.works) return { kind: 'bubblewrap', wrap: (argv) => [...bubblewrap(walls), ...argv] }
  if (mode === 'required') return { fault: `There is no sandbox: ${found.why}, and --sandbox required was given.` }
  return without(`Commands run without a sandbox: ${found.why}.`)
}

function without(notice: string): Sandbox {
  return { kind: 'none', notice, wrap: (argv) => argv }
}
