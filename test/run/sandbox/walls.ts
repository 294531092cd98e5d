import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Rule } from '../../../schemas/shapes/permission.ts'
import { probe } from '../../../runner/sandbox/probe.ts'
import { openSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import type { ToolContext } from '../../../runner/tools/tool.ts'
import { openWorkspace, type Workspace } from '../../../runner/workspace.ts'
import { temporary } from '../../support/tree.ts'

/** Whether bubblewrap works on this machine; where it does not, it says why. */
export const here = await (async () => {
  const found = await probe(await openWorkspace(temporary()), process.env)
  if ('why' in found) console.warn(`SKIPPED: tests of the sandbox, because ${found.why}`)
  return found
})()
export const works = 'program' in here

export interface Within {
  folders?: readonly string[]
  deny?: readonly Rule[]
  allowed?: readonly string[]
  env?: Readonly<Record<string, string | undefined>>
  home?: string
  passed?: readonly string[]
  said?: string[]
}

/** A real sandbox for a folder. */
export async function sandboxIn(workspace: Workspace, { env = process.env, passed, said = [] }: Within = {}): Promise<Sandbox> {
  const opened = await openSandbox({ mode: 'required', workspace, env, passed })
  const folder = async () => {
    const made = await realpath(await mkdtemp(join(tmpdir(), 'agentc-walls-')))
    onTestFinished(() => rm(made, { recursive: true, force: true }))
    return made
  }
  return opened({ temporary: folder, say: (message) => void said.push(message) })
}

/** What a tool's context holds for commands in walls. */
export async function inWalls(cwd: string, within: Within = {}): Promise<Pick<ToolContext, 'sandbox' | 'workspace'>> {
  const workspace = { ...(await openWorkspace(cwd, within.home)), folders: within.folders }
  const sandbox = await sandboxIn(workspace, within)
  const { deny = [], allowed = [] } = within
  return { workspace, sandbox: (env) => sandbox.start({ workspace, deny, allowed }, env) }
}
