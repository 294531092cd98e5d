import type { Match } from '../../schemas/shapes/permission.ts'
import type { SourceFile } from '../source-file.ts'

/**
 * Where `/` of a path rule counts from (claude-code-agents.md 5.4): the folder of the settings, which for local settings, for a value of
 * the command line and for agents given there is the working directory. What is left as `source` the runner finds by the rule's origin.
 */
export function anchored(match: Match, { kind, origin }: SourceFile): Match {
  if (!('anchor' in match) || match.anchor !== 'source') return match
  const onCommandLine = origin.source === 'flag' && (kind === 'agent' || origin.path.startsWith('--'))
  const local = kind === 'settings' && origin.path.endsWith('settings.local.json')
  return onCommandLine || local ? { ...match, anchor: 'cwd' } : match
}
