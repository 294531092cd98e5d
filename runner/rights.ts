import { isIP } from 'node:net'
import type { Rule } from '../schemas/shapes/permission.ts'
import type { RunContext } from './context.ts'
import { deniedNow } from './denied-to.ts'
import { hostOf, plainHost } from './permission/covers.ts'
import type { Asked, AskedFile, Rights } from './permission/decide.ts'
import type { Grants } from './permission/grants.ts'
import { isInside, type Workspace } from './workspace.ts'

/** The rules in force for an agent: those of the manifest, its own, and what a person has allowed for the rest of the run. */
export function rightsOf(
  context: RunContext,
  { workspace, grants, above }: { workspace: Workspace; grants?: Grants | undefined; above?: readonly Rule[] | undefined },
): Rights {
  const { header, agent, atWork = [], skills = [], preloaded = [], permissionMode: mode, looksAround } = context
  const { ask } = header.permissions
  const deny = deniedNow(context)
  // As long as a skill is at work, its rules stand behind those of the settings and of the person.
  const allow = [...header.permissions.allow, ...(grants?.rules ?? []), ...atWork.flatMap((skill) => skill.allow ?? [])]
  const own = workspace.memory && [workspace.memory.folder]
  const readable = [...preloaded, ...skills].flatMap(({ opens }) => opens ?? [])
  return { limits: agent.limits, deny, ask, above, allow, mode, workspace, looksAround, own, uncapped: own, readable }
}

/** The yes of a person or a hook to this very call is a rule that allows it, wherever its files lie. Rules that deny and ask are stronger. */
export function withYes({ tool, input }: Asked, rights: Rights): Rights {
  const anywhere: Rule = { tool, match: { path: '/', anchor: 'root' } }
  const host = (tool === 'WebFetch' && hostOf(input.url)) || ''
  // A name can lead anywhere; only of an address it was seen where it leads.
  const address = host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0
  return { ...rights, allow: [...(rights.allow ?? []), { tool }, anywhere, ...(address ? [{ tool, match: { domain: host } }] : [])] }
}

/** The workspace of one call: with the files elsewhere that it was allowed to open, as they were found when that was decided. */
export function reaching(workspace: Workspace, files: readonly AskedFile[]): Workspace {
  const beyond = files.map(({ real }) => real).filter((real) => !isInside(workspace.root, real))
  return beyond.length === 0 ? workspace : { ...workspace, beyond }
}

/** A private host must be named itself: neither a rule for all of WebFetch nor one with a star means this machine's networks. */
export function namesHost({ tool, match }: Rule, host: string): boolean {
  return tool === 'WebFetch' && match !== undefined && 'domain' in match && match.domain.toLowerCase() === plainHost(host)
}
