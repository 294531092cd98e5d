import { sha256 } from '../../schemas/canonical.ts'
import type { ManifestCommand, ManifestHeader, ManifestSkill } from '../../schemas/shapes/manifest.ts'
import type { Resolution } from '../resolve/resolved.ts'
import { callableRemote, type ResolvedSkill, type SkillDefinition, type Skills } from '../skills/definition.ts'
import { originAt } from '../source-file.ts'

type Agents = Resolution['agents']

/** The manifest's skills and commands: every one that exists, by name; of remote ones what a run needs to have their text. */
export function skillEntries(all: Skills, agents: Agents): Pick<ManifestHeader, 'skills' | 'commands' | 'remoteSkills'> {
  const { skills, commands } = all
  const callable = [...all.remote.keys()].flatMap((slug) => callableRemote(slug, all) ?? [])
  const remote = callable.map(({ slug, description, digest, address, file, at }) => {
    return [slug, { description, digest, address, origin: originAt(file, at) }] as const
  })
  const entries = <T>(all: ReadonlyMap<string, ResolvedSkill>, entry: (skill: SkillDefinition) => T): Record<string, T> =>
    Object.fromEntries([...all].map(([name, { definition }]) => [name, entry(definition)]))
  return {
    skills: entries(skills, (skill): ManifestSkill => ({ description: skill.description, ...promptEntry(skill, agents) })),
    commands: entries(commands, (command): ManifestCommand => {
      return { ...(command.description !== '' && { description: command.description }), ...promptEntry(command, agents) }
    }),
    ...(remote.length > 0 && { remoteSkills: Object.fromEntries(remote) }),
  }
}

/** Everything but the description. Members that say nothing are left out. */
function promptEntry(skill: SkillDefinition, agents: Agents): Omit<ManifestSkill, 'description'> {
  const { file, content, model, context, allowedTools, disallowedTools } = skill
  return {
    content,
    hash: file.hash ?? sha256(file.text),
    origin: { ...file.origin },
    ...plainValues(skill),
    ...(allowedTools.length > 0 && { allowedTools }),
    ...(disallowedTools.length > 0 && { disallowedTools }),
    ...(model && { model: model.value.id, ...(model.value.contextWindow && { contextWindow: model.value.contextWindow }) }),
    ...(context?.value === 'fork' && { context: 'fork' as const }),
    ...agentOf(skill, agents),
  }
}

/** The fields whose values stand in the manifest as they are. */
const PLAIN = [
  'whenToUse',
  'argumentHint',
  'arguments',
  'disableModelInvocation',
  'userInvocable',
  'effort',
  'background',
  'paths',
  'shell',
  'hooks',
] as const

type PlainValues = { [K in (typeof PLAIN)[number]]?: NonNullable<SkillDefinition[K]>['value'] }

function plainValues(skill: SkillDefinition): PlainValues {
  const written = PLAIN.flatMap((key) => (skill[key] === undefined ? [] : [[key, skill[key].value] as const]))
  return Object.fromEntries(written) as PlainValues
}

/** A bare name in a plugin means the plugin's own agent first. */
function agentOf({ agent, file }: SkillDefinition, agents: Agents): { agent?: string } {
  if (!agent) return {}
  const own = `${file.origin.plugin}:${agent.value}`
  return { agent: file.origin.plugin !== undefined && agents.has(own) ? own : agent.value }
}
