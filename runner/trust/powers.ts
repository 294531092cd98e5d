import { canonicalJson as canonical, hashOf } from '../../schemas/canonical.ts'
import { snapshotFolder } from '../../schemas/memory-folder.ts'
import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { ManifestAgent, ManifestCommand, ManifestHeader, ManifestSkill } from '../../schemas/shapes/manifest.ts'
import { commandsIn } from '../skills/expand.ts'
import { ruleText } from '../../schemas/rule-text.ts'

/** One thing that a project would be able to do beyond what a person is asked about. */
export interface Power {
  kind: 'allow' | 'hook' | 'server' | 'tool' | 'directory' | 'env' | 'mode' | 'skill' | 'command line' | 'notes' | 'remote skill'
  /** What exactly, in one line; whatever of it changes, changes the digest. */
  what: string
  /** The file that asks for it. */
  where: string
}

export type Agents = ReadonlyMap<string, ManifestAgent>

/** Modes in which less is asked about than in `default`. */
export const LOOSER: ReadonlySet<string> = new Set(['acceptEdits', 'auto', 'bypassPermissions'])

/** Whether a value comes with the project, from its own files or those of one working copy, so that a stranger may have written it. */
export function isProject(origin: { source: string } | undefined): boolean {
  return origin === undefined || origin.source === 'project'
}

/**
 * Everything that the project's files would let happen unasked (issue 7): the powers that count only for a project that is trusted.
 * Rules that deny or ask are no powers. Sorted, so that the order of files means nothing.
 */
export function powersOf(header: ManifestHeader, agents: Agents): Power[] {
  const powers = [
    ...ofHeader(header),
    ...ofSettings(header),
    ...ofPrompts(header),
    ...ofSnapshots(header, agents),
    ...[...agents].flatMap(([name, agent]) => ofAgent(name, agent)),
  ]
  return powers.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
}

/** Identifies exactly these powers. */
export function digestOf(powers: readonly Power[]): string {
  return hashOf(powers.map(keyOf))
}

function keyOf({ kind, what, where }: Power): string {
  return `${kind}\n${what}\n${where}`
}

function ofHeader(header: ManifestHeader): Power[] {
  const allow = header.permissions.allow.filter(({ origin }) => isProject(origin))
  const servers = Object.entries(header.mcpServers).filter(([, { origin }]) => isProject(origin))
  const remote = Object.entries(header.remoteSkills ?? {}).filter(([, { origin }]) => isProject(origin))
  const tools = Object.entries(header.tools).flatMap(([name, { code }]) => (code && isProject(code.origin) ? [{ name, code }] : []))
  return [
    ...allow.map((rule): Power => ({ kind: 'allow', what: ruleText(rule), where: rule.origin?.path ?? '' })),
    ...hooksOf(header.hooks, undefined),
    ...servers.map(([name, { config, origin }]): Power => ({ kind: 'server', what: `${name}: ${canonical(config)}`, where: origin.path })),
    ...remote.map(([name, { address, digest, origin }]): Power => {
      return { kind: 'remote skill', what: `${name}: ${digest} from ${address}`, where: origin.path }
    }),
    ...tools.map(({ name, code }): Power => ({ kind: 'tool', what: `${name}: ${code.hash}`, where: code.origin.path })),
  ]
}

function ofSettings({ settings }: ManifestHeader): Power[] {
  const { defaultMode, additionalDirectories, env } = settings
  const loose = defaultMode && isProject(defaultMode.origin) && LOOSER.has(defaultMode.value) ? [defaultMode] : []
  const folders = additionalDirectories.filter(({ origin }) => isProject(origin))
  const variables = Object.entries(env).filter(([, { origin }]) => isProject(origin))
  return [
    ...loose.map(({ value, origin }): Power => ({ kind: 'mode', what: value, where: origin.path })),
    ...folders.map(({ value, origin }): Power => ({ kind: 'directory', what: value, where: origin.path })),
    ...variables.map(([name, { value, origin }]): Power => ({ kind: 'env', what: `${name}=${value}`, where: origin.path })),
  ]
}

function ofPrompts({ skills, commands }: ManifestHeader): Power[] {
  const all: [string, ManifestSkill | ManifestCommand][] = [...Object.entries(skills), ...Object.entries(commands)]
  return all
    .filter(([, { origin }]) => isProject(origin))
    .flatMap(([name, { allowedTools = [], content, hooks, origin }]) => [
      ...allowedTools.map((rule): Power => ({ kind: 'skill', what: `${name}: ${ruleText(rule)}`, where: origin.path })),
      ...commandsIn(content).map((line): Power => ({ kind: 'command line', what: `${name}: ${line}`, where: origin.path })),
      ...hooksOf(hooks, origin.path),
    ])
}

/** A snapshot in the project becomes what an agent of the user is told in all other projects. */
function ofSnapshots({ features }: ManifestHeader, agents: Agents): Power[] {
  if (features['memory-snapshots'] !== true) return []
  const all = [...agents].filter(([, { memory }]) => memory === 'user')
  return all.map(([name]) => ({ kind: 'notes', what: `notes of ${name}, taken from and carried into ${snapshotFolder(name)}`, where: '' }))
}

function ofAgent(name: string, agent: ManifestAgent): Power[] {
  if (!isProject(agent.origin)) return []
  const where = agent.origin.path
  const own = agent.servers.flatMap((use) => ('config' in use ? [use] : []))
  const mode = agent.permissionMode !== undefined && LOOSER.has(agent.permissionMode) ? [agent.permissionMode] : []
  return [
    ...own.map((use): Power => ({ kind: 'server', what: `${name}/${use.name}: ${canonical(use.config)}`, where })),
    ...mode.map((value): Power => ({ kind: 'mode', what: `${name}: ${value}`, where })),
    // A stranger's agent of the same name would be told what the user's own has noted, and tell it things in turn.
    ...(agent.memory === 'user' ? [{ kind: 'notes' as const, what: `${name}: those of the user's agent of this name`, where }] : []),
    ...hooksOf(agent.hooks, where),
  ]
}

/** Hooks of settings carry their place, those of an agent or a skill are its file's. */
function hooksOf(hooks: Hooks | undefined, file: string | undefined): Power[] {
  return Object.entries(hooks ?? {}).flatMap(([event, groups]) =>
    groups
      .filter(({ origin }) => file !== undefined || isProject(origin))
      .flatMap(({ matcher, handlers, origin }) =>
        handlers.map((handler): Power => {
          const what = `${event} ${matcher ? canonical(matcher) : ''}: ${canonical(handler)}`
          return { kind: 'hook', what, where: file ?? origin?.path ?? '' }
        }),
      ),
  )
}
