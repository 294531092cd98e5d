import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Profile } from '../../schemas/profile.ts'
import * as say from '../findings/settings.ts'
import type { FileSettings } from './file.ts'

/** What a project cannot set in Claude Code without a person's trust, or at all (claude-code-agents.md 3.6, 5.2). */
export function checkProject({ file, permissions, keys, found }: FileSettings, { name, host }: Profile): Diagnostic[] {
  if (name === 'agentc' || file.origin.source !== 'project') return found
  const trusted = ['hooks', 'env'].flatMap((key) => (keys.has(key) ? [say.needsTrust(file, keys.get(key)!.keyRange, host, key)] : []))
  const allow = permissions?.lists.get('allow')
  if (allow && permissions!.rules.some(({ list }) => list === 'allow')) trusted.push(say.needsTrust(file, allow.keyRange, host, 'allow'))
  const folder = permissions?.additionalDirectories[0]
  if (folder) trusted.push(say.needsTrust(file, folder.range, host, 'additionalDirectories'))
  const mode = permissions?.defaultMode
  if (mode && (mode.value === 'auto' || mode.value === 'bypassPermissions'))
    trusted.push(say.ignoresSetting(file, mode.range, host, `the mode \`${mode.value}\` of a project`, 'a project may not choose it'))
  return [...found, ...trusted]
}

/**
 * Whether a host reads a file at all: Claude Code takes the shared settings of a project from the working directory only, those that are
 * not shared also from the root of the repository (anthropics/claude-code#86187). `folder` is relative to the project's root.
 */
export function isRead({ file }: FileSettings, folder: string, { name }: Profile): boolean {
  if (name === 'agentc' || file.origin.source !== 'project') return true
  const path = file.origin.path.slice(0, -file.origin.path.length + file.origin.path.lastIndexOf('.claude/'))
  const holder = path.replace(/\/$/, '')
  return holder === folder || (holder === '' && file.origin.path.endsWith('settings.local.json'))
}

export function notRead({ file }: FileSettings, { host }: Profile): Diagnostic {
  return say.ignoresSetting(file, [0, 0], host, 'this file', 'it reads shared settings of a project from the folder it is started in only')
}
