import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Profile } from '../../schemas/profile.ts'
import { deadAllow } from '../findings/permission.ts'
import * as say from '../findings/settings.ts'
import { includes } from '../permission/reach.ts'
import type { FileSettings } from './file.ts'
import { ruleCounts } from './merge.ts'
import { hooksSwitch, type Settings, type Switch, type Written } from './settings.ts'

/** Findings that need more than one file: what is switched off, and what a stronger rule makes dead. */
export function checkSettings(files: readonly FileSettings[], settings: Settings, profile: Profile): Diagnostic[] {
  return [
    ...files.flatMap((file) => [...rulesOff(file, settings, profile), ...hooksOff(file, settings), ...modeOff(file, settings)]),
    ...dead(settings),
  ]
}

function by(key: string, { file, range }: Written<unknown>): Switch {
  return { key, file, range }
}

function rulesOff({ file, permissions }: FileSettings, settings: Settings, profile: Profile): Diagnostic[] {
  const off = settings.switches.allowManagedPermissionRulesOnly
  if (!off) return []
  return [...(permissions?.lists ?? [])]
    .filter(([list]) => !ruleCounts({ list, file }, settings, profile))
    .map(([list, entry]) => say.switchedOff(file, entry.keyRange, `The \`${list}\` rules`, by('allowManagedPermissionRulesOnly', off)))
}

function hooksOff({ file, hooks, keys }: FileSettings, settings: Settings): Diagnostic[] {
  const reason = hooks && hooksSwitch(file.origin.source, settings)
  return reason ? [say.switchedOff(file, keys.get('hooks')!.keyRange, 'The `hooks`', reason)] : []
}

function modeOff({ file, permissions }: FileSettings, { switches }: Settings): Diagnostic[] {
  const mode = permissions?.defaultMode
  const off = switches.disableBypassPermissionsMode
  return mode?.value === 'bypassPermissions' && off?.value
    ? [say.modeDisabled(file, mode.range, by('disableBypassPermissionsMode', off))]
    : []
}

/** Allow rules whose every call is denied by one rule of any file (claude-code-agents.md 5.2). */
function dead({ rules }: Settings): Diagnostic[] {
  const deny = rules.filter(({ list }) => list === 'deny')
  return rules
    .filter(({ list }) => list === 'allow')
    .flatMap((allow) => {
      const stronger = deny.find(({ rule }) => includes(rule, allow.rule))
      return stronger ? [deadAllow(allow, stronger)] : []
    })
}
