import { join } from 'node:path'
import { agentHash, type OpenManifest } from '../../schemas/manifest.ts'
import { noPerson } from '../tools/tool.ts'
import { terminalPerson } from '../permission/asker.ts'
import type { Terminal } from '../permission/terminal.ts'
import { agentWithoutPowers, withoutPowers } from '../trust/effective.ts'
import { powersOf } from '../trust/powers.ts'
import { trustStore } from '../trust/store.ts'
import { trustOf } from '../trust/trust.ts'
import { openWorkspace } from '../workspace.ts'
import type { RunIo } from './run-io.ts'

export interface Effective {
  manifest: OpenManifest
  /** What does not count, said once. */
  notice?: string | undefined
}

/**
 * The manifest as it counts here: of a project that is not trusted, nothing that gives powers is left in it (issue 7, item 3), so that
 * nothing behind it can use them, and a run that goes on later finds it so. `--trust`, a terminal, or an earlier answer decide.
 */
export async function effectiveManifest(
  open: OpenManifest,
  cwd: string,
  given: boolean,
  io: RunIo,
  terminal: Terminal | undefined,
): Promise<Effective> {
  const powers = powersOf(open.header, open.agents)
  if (powers.length === 0 || given) return { manifest: open }
  const { root } = await openWorkspace(cwd, io.env.HOME)
  const store = trustStore(io.env.CLAUDE_CONFIG_DIR || join(io.env.HOME ?? root, '.claude'))
  const { trusted, notice } = await trustOf({
    powers,
    root,
    given,
    store,
    ask: terminal ? terminalPerson(terminal) : noPerson,
    signal: io.signal,
  })
  return { manifest: trusted ? open : withoutProject(open), notice }
}

function withoutProject(open: OpenManifest): OpenManifest {
  const agents = [...open.agents].map(([name, agent]) => {
    const left = agentWithoutPowers(agent)
    return [name, left === agent ? agent : { ...left, hash: agentHash(left) }] as const
  })
  return { ...open, header: withoutPowers(open.header), agents: new Map(agents) }
}
