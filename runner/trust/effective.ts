import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { ManifestAgent, ManifestHeader } from '../../schemas/shapes/manifest.ts'
import { withoutCommands } from '../skills/expand.ts'
import { isProject, LOOSER } from './powers.ts'

/** A header without the powers of a project that is not trusted. What restricts stays. */
export function withoutPowers(header: ManifestHeader): ManifestHeader {
  const { settings, permissions } = header
  const { defaultMode, ...others } = settings
  const keep = defaultMode && !(isProject(defaultMode.origin) && LOOSER.has(defaultMode.value))
  const { 'memory-snapshots': _, ...features } = header.features
  return {
    ...header,
    features,
    permissions: { ...permissions, allow: permissions.allow.filter(({ origin }) => !isProject(origin)) },
    hooks: hooksWithout(header.hooks),
    mcpServers: kept(header.mcpServers, ({ origin }) => !isProject(origin)),
    tools: kept(header.tools, ({ code }) => !code || !isProject(code.origin)),
    skills: mapped(header.skills, promptWithout),
    commands: mapped(header.commands, promptWithout),
    ...(header.remoteSkills && { remoteSkills: kept(header.remoteSkills, ({ origin }) => !isProject(origin)) }),
    settings: {
      ...others,
      ...(keep && { defaultMode }),
      additionalDirectories: settings.additionalDirectories.filter(({ origin }) => !isProject(origin)),
      env: kept(settings.env, ({ origin }) => !isProject(origin)),
    },
  }
}

/** An agent of a project that is not trusted, without what it brings along. */
export function agentWithoutPowers(agent: ManifestAgent): ManifestAgent {
  if (!isProject(agent.origin)) return agent
  const { hooks: _, permissionMode, memory, ...rest } = agent
  const mode = permissionMode !== undefined && !LOOSER.has(permissionMode) ? { permissionMode } : {}
  const notes = memory !== undefined && memory !== 'user' ? { memory } : {}
  return { ...rest, ...mode, ...notes, servers: agent.servers.filter((use) => !('config' in use)) }
}

/** Its text stays; command lines in it are put there as they are written, and not run. */
function promptWithout<P extends ManifestHeader['skills'][string] | ManifestHeader['commands'][string]>(prompt: P): P {
  if (!isProject(prompt.origin)) return prompt
  const { allowedTools: _, hooks: _hooks, ...rest } = prompt
  return { ...rest, content: withoutCommands(prompt.content) } as P
}

function hooksWithout(hooks: Hooks): Hooks {
  const left = Object.entries(hooks).map(([event, groups]) => [event, groups.filter(({ origin }) => !isProject(origin))] as const)
  return Object.fromEntries(left.filter(([, groups]) => groups.length > 0)) as Hooks
}

function kept<T>(record: Readonly<Record<string, T>>, stays: (value: T) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => stays(value)))
}

function mapped<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
