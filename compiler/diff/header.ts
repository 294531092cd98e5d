import { canonicalJson } from '../../schemas/canonical.ts'
import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { ManifestHeader, ManifestTool } from '../../schemas/shapes/manifest.ts'
import type { Origin } from '../../schemas/source.ts'
import { SANDBOX_DEMANDS } from '../../schemas/values.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import { locationOf } from '../report/location.ts'
import { isLooserMode } from './agent.ts'
import { compareRecords, finding, listed, valueChange, type ChangeKind, type Finding } from './change.ts'
import { hookChanges, lockChanges, serverChanges } from './code.ts'
import { permissionChanges } from './rules.ts'
import { ruleText } from '../../schemas/rule-text.ts'

/** Differences of what is not one agent's: the rules, hooks, servers and settings that hold for all, and the catalogue of tools. */
export function headerFindings(old: ManifestHeader, now: ManifestHeader): Finding[] {
  const configs = ({ mcpServers }: ManifestHeader) =>
    Object.fromEntries(Object.entries(mcpServers).map(([name, { config }]) => [name, config]))
  const found = [
    ...permissionChanges(old.permissions, now.permissions),
    ...settingsChanges(old.settings, now.settings),
    ...hookChanges(old.hooks, now.hooks),
    ...serverChanges(configs(old), configs(now)),
    ...lockChanges(old.mcpTools, now.mcpTools),
    ...catalogueChanges(old.tools, now.tools),
    ...fileChanges('skillFiles', old.skills, now.skills),
    ...fileChanges('commands', old.commands, now.commands),
    ...remoteChanges(old.remoteSkills, now.remoteSkills),
    ...limitsChanges(old.limits, now.limits),
    ...sandboxChanges(old.sandbox, now.sandbox),
    ...featureChanges(old.features, now.features),
    ...recordChanges('models', old.models, now.models),
    ...recordChanges('memoryText', old.memory, now.memory),
    ...recordChanges('guidanceText', old.guidance ?? {}, now.guidance ?? {}),
    ...recordChanges('instructions', instructionsOf(old), instructionsOf(now)),
    ...valueChange('profile', false, old.profile, now.profile),
  ]
  if (found.length > 0 || canonicalJson({ ...old, hash: '' }) === canonicalJson({ ...now, hash: '' })) return found
  return [finding('header', 'changed', false)]
}

/** Words are no power, but everybody who reads a change should see that agents are told something else. */
function instructionsOf({ instructions }: ManifestHeader): Record<string, string> {
  return Object.fromEntries(
    (instructions?.files ?? []).map(({ level, origin, text }) => [`${locationOf(origin as Origin)} (${level})`, text]),
  )
}

type Settings = ManifestHeader['settings']

function settingsChanges(old: Settings, now: Settings): Finding[] {
  const folders = ({ additionalDirectories }: Settings): string[] => additionalDirectories.map(({ value }) => value)
  const env = compareRecords(old.env, now.env, (a, b) => a.value === b.value)
  const [mode, newMode] = [old.defaultMode?.value, now.defaultMode?.value]
  return [
    ...valueChange('defaultMode', isLooserMode(mode, newMode), mode, newMode),
    ...valueChange('bypassDisabled', old.bypassDisabled, String(old.bypassDisabled), String(now.bypassDisabled)),
    ...valueChange('mainAgent', true, old.agent?.value, now.agent?.value),
    ...listed(
      'additionalDirectories',
      'added',
      true,
      folders(now).filter((folder) => !folders(old).includes(folder)),
    ),
    ...listed(
      'additionalDirectories',
      'removed',
      false,
      folders(old).filter((folder) => !folders(now).includes(folder)),
    ),
    ...listed('env', 'added', true, env.added),
    ...listed('env', 'changed', true, env.changed),
    ...listed('env', 'removed', false, env.removed),
  ]
}

function catalogueChanges(old: ManifestHeader['tools'], now: ManifestHeader['tools']): Finding[] {
  const { added, removed, changed } = compareRecords(old, now)
  const isGain = (name: string): boolean => {
    const [before, after] = [old[name], now[name]] as [ManifestTool | undefined, ManifestTool]
    const code = after.code !== undefined && after.code.hash !== before?.code?.hash
    return code || (before !== undefined && after.traits.readOnly && !before.traits.readOnly)
  }
  return [
    ...both('toolCatalogue', 'added', added, isGain),
    ...both('toolCatalogue', 'changed', changed, isGain),
    ...listed('toolCatalogue', 'removed', false, removed),
  ]
}

/** Where it is written means nothing. */
function remoteChanges(old: ManifestHeader['remoteSkills'] = {}, now: ManifestHeader['remoteSkills'] = {}): Finding[] {
  const { added, removed, changed } = compareRecords(old, now, (a, b) => a.digest === b.digest && a.address === b.address)
  return [
    ...listed('remoteSkills', 'added', true, added),
    ...listed('remoteSkills', 'changed', true, changed),
    ...listed('remoteSkills', 'removed', false, removed),
  ]
}

/** What skills and commands have in common, as far as power goes. */
interface TextFile {
  content: string
  allowedTools?: Rule[] | undefined
  disallowedTools?: Rule[] | undefined
  hooks?: Hooks | undefined
  disableModelInvocation?: boolean | undefined
}

function fileChanges(
  kind: 'skillFiles' | 'commands',
  old: Readonly<Record<string, TextFile>>,
  now: Readonly<Record<string, TextFile>>,
): Finding[] {
  const { added, removed, changed } = compareRecords(old, now)
  const isGain = (name: string): boolean => {
    const [before, after] = [old[name], now[name]!]
    const more = (of: (file: TextFile) => string[]): boolean => of(after).some((item) => !before || !of(before).includes(item))
    const fewer = deniedIn(before ?? {}).some((rule) => !deniedIn(after).includes(rule))
    const hooks = hookChanges(before?.hooks, after.hooks).some(({ gain }) => gain)
    return (
      more(allowedIn) ||
      more(shellIn) ||
      fewer ||
      hooks ||
      (before?.disableModelInvocation === true && after.disableModelInvocation !== true)
    )
  }
  return [...both(kind, 'added', added, isGain), ...both(kind, 'changed', changed, isGain), ...listed(kind, 'removed', false, removed)]
}

const allowedIn = ({ allowedTools = [] }: TextFile): string[] => allowedTools.map(ruleText)

const deniedIn = ({ disallowedTools = [] }: Partial<TextFile>): string[] => disallowedTools.map(ruleText)

/** Shell lines in a text, which run when it is used: `!` before a command in backticks, or a block fenced with it, to its end. */
const shellIn = ({ content }: TextFile): string[] => content.match(/!`[^`]+`|^`{3,}!.*$(?:\n(?!`{3}[ \t]*\r?$).*$)*/gm) ?? []

function limitsChanges(old: ManifestHeader['limits'], now: ManifestHeader['limits']): Finding[] {
  const [before, after] = [flat(old), flat(now)]
  const text = (limits: Record<string, number>, name: string): string => `${name} ${limits[name] ?? 'none'}`
  const { added, removed, changed } = compareRecords(before, after, Object.is)
  return [...added, ...changed, ...removed].map((name) => {
    // Of what a run may use up, no limit is the highest one.
    const bounds = /^(?:run|most)\./.test(name) && !name.includes('compact')
    const more = (after[name] ?? Infinity) > (before[name] ?? Infinity)
    const gain = more && (name === 'spawnDepth' || bounds)
    return finding('runLimits', 'changed', gain, { before: text(before, name), after: text(after, name) })
  })
}

function sandboxChanges(old: ManifestHeader['sandbox'], now: ManifestHeader['sandbox']): Finding[] {
  const rank = (mode: string | undefined): number => SANDBOX_DEMANDS.findIndex((known) => known === mode)
  const text = (all: ManifestHeader['sandbox']): string | undefined => all && `${all.mode}${all.least ? `, ${all.least} by policy` : ''}`
  return valueChange('sandbox', rank(old?.mode) > rank(now?.mode) || rank(old?.least) > rank(now?.least), text(old), text(now))
}

/** `{ run: { usd: 5 } }` as `run.usd`. */
function flat(limits: object, prefix = ''): Record<string, number> {
  const pairs = Object.entries(limits).map(([name, value]): Record<string, number> => {
    return typeof value === 'object' ? flat(value as object, `${prefix}${name}.`) : { [prefix + name]: value as number }
  })
  return Object.assign({}, ...pairs) as Record<string, number>
}

function featureChanges(old: Readonly<Record<string, boolean>>, now: Readonly<Record<string, boolean>>): Finding[] {
  const { added, removed, changed } = compareRecords(old, now, Object.is)
  const isOn = (name: string): boolean => now[name] === true
  return [
    ...both('features', 'added', added, isOn),
    ...both('features', 'changed', changed, isOn),
    ...listed('features', 'removed', false, removed),
  ]
}

function recordChanges(kind: ChangeKind, old: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): Finding[] {
  const { added, removed, changed } = compareRecords(old, now, Object.is)
  return [...listed(kind, 'added', false, added), ...listed(kind, 'changed', false, changed), ...listed(kind, 'removed', false, removed)]
}

function both(kind: ChangeKind, change: 'added' | 'changed', names: readonly string[], isGain: (name: string) => boolean): Finding[] {
  return [
    ...listed(kind, change, true, names.filter(isGain)),
    ...listed(
      kind,
      change,
      false,
      names.filter((name) => !isGain(name)),
    ),
  ]
}
