import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { SourceFile } from '../source-file.ts'
import { topEntries } from './entries.ts'
import { type ConfigLimits, limitsFrom } from './limits.ts'
import { sandboxFrom } from './sandbox.ts'
import { type RemoteSkill, remoteSkillsFrom } from './remote-skills.ts'

/** What `agentc.config.json` of the project and of policy say, with everything that is wrong in them. */
export interface ConfigReading {
  limits: ConfigLimits
  sandbox?: ManifestHeader['sandbox']
  /** Skills that are kept elsewhere, by slug, in order. */
  remoteSkills: ReadonlyMap<string, RemoteSkill>
  diagnostics: Diagnostic[]
}

const KEYS = ['limits', 'sandbox', 'skills']

export function readConfig(files: readonly SourceFile[]): ConfigReading {
  const diagnostics: Diagnostic[] = []
  const [project, policy] = (['project', 'policy'] as const).map((source) => {
    const file = files.find(({ origin }) => origin.source === source)
    const entries = file && topEntries(file, KEYS, diagnostics)
    return (key: string) => (file && entries!.has(key) ? { file, entry: entries!.get(key)! } : undefined)
  })
  const sandbox = sandboxFrom(project!('sandbox'), policy!('sandbox'), diagnostics)
  return {
    ...(sandbox && { sandbox }),
    limits: limitsFrom(project!('limits'), policy!('limits'), diagnostics),
    remoteSkills: remoteSkillsFrom(project!('skills'), policy!('skills'), diagnostics),
    diagnostics,
  }
}
