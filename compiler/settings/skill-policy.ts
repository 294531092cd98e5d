import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { agentSwitchedOff } from '../findings/settings.ts'
import type { ResolvedSkill, Skills } from '../skills/definition.ts'
import type { SourceFile } from '../source-file.ts'
import { hooksSwitch, pluginsOnly, type Settings } from './settings.ts'

/** Skill and command files without those of the user and the project where only plugins and managed files may bring some (claude-code-agents.md 3.4). */
export function skillFilesUnderPolicy(
  files: readonly SourceFile[],
  settings: Settings,
): { files: readonly SourceFile[]; diagnostics: Diagnostic[] } {
  if (!settings.switches.strictPluginOnlyCustomization) return { files, diagnostics: [] }
  const off = files.flatMap((file) => {
    const by = pluginsOnly('skills', file.origin.source, settings)
    return by ? [{ file, by }] : []
  })
  const gone = new Set(off.map(({ file }) => file))
  return {
    files: files.filter((file) => !gone.has(file)),
    diagnostics: off.map(({ file, by }) => agentSwitchedOff(file, [0, 0], `${file.origin.path}`, by)),
  }
}

/** Skills and commands without their hooks and the rules that they allow by, where a switch keeps those from counting (claude-code-agents.md 5.2, 7.7). */
export function skillsUnderPolicy<T extends Skills & { diagnostics: Diagnostic[] }>(skills: T, settings: Settings): T {
  const { disableAllHooks, allowManagedHooksOnly, strictPluginOnlyCustomization, allowManagedPermissionRulesOnly } = settings.switches
  if (!disableAllHooks && !allowManagedHooksOnly && !strictPluginOnlyCustomization && !allowManagedPermissionRulesOnly) return skills
  const diagnostics = [...skills.diagnostics]
  const stripped = (all: ReadonlyMap<string, ResolvedSkill>): Map<string, ResolvedSkill> =>
    new Map(
      [...all].map(([name, skill]) => [name, withoutRules(name, withoutHooks(name, skill, settings, diagnostics), settings, diagnostics)]),
    )
  return {
    ...skills,
    skills: stripped(skills.skills),
    commands: stripped(skills.commands),
    remote: remoteUnderPolicy(skills.remote, settings, diagnostics),
    diagnostics,
  }
}

function withoutHooks(name: string, skill: ResolvedSkill, settings: Settings, found: Diagnostic[]): ResolvedSkill {
  const { hooks, ...definition } = skill.definition
  const by = hooks && hooksSwitch(definition.file.origin.source, settings)
  if (!by) return skill
  found.push(agentSwitchedOff(definition.file, hooks.range, `\`hooks\` of \`${name}\``, by))
  return { ...skill, definition }
}

/** Rules of a skill that allow are rules of whoever wrote the skill; those that deny stay. */
function withoutRules(name: string, skill: ResolvedSkill, { switches }: Settings, found: Diagnostic[]): ResolvedSkill {
  const { definition } = skill
  const by = switches.allowManagedPermissionRulesOnly
  if (!by?.value || definition.allowedTools.length === 0 || definition.file.origin.source === 'policy') return skill
  const off = { ...by, key: 'allowManagedPermissionRulesOnly' }
  found.push(agentSwitchedOff(definition.file, definition.at, `\`allowed-tools\` of \`${name}\``, off))
  return { ...skill, definition: { ...definition, allowedTools: [] } }
}

/** The remote skills without those of the project, where only plugins and managed files may bring skills. */
function remoteUnderPolicy(remote: Skills['remote'], settings: Settings, found: Diagnostic[]): Skills['remote'] {
  const kept = [...remote].filter(([slug, { file, at }]) => {
    const by = pluginsOnly('skills', file.origin.source, settings)
    if (by) found.push(agentSwitchedOff(file, at, `The remote skill \`${slug}\``, by))
    return !by
  })
  return new Map(kept)
}
