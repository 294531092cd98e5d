import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { didYouMean } from '../../schemas/near.ts'
import type { AgentDefinition } from '../define/definition.ts'
import type { RemoteSkill } from '../config/remote-skills.ts'
import * as sayRemote from '../findings/remote-skill.ts'
import * as say from '../findings/skill.ts'
import type { Resolution } from '../resolve/resolved.ts'
import type { SkillDefinition, Skills } from '../skills/definition.ts'
import { skillLinks, type SkillLink } from '../skills/link.ts'

/** Where skills name agents, and each other. */
export function checkSkills(resolution: Resolution, skills: Skills): Diagnostic[] {
  const winners = [...skills.skills.values(), ...skills.commands.values()].map(({ definition }) => definition)
  return [
    ...winners.flatMap((skill) => agentOf(skill, resolution)),
    ...[...skills.remote.values()].flatMap((remote) => hidden(remote, skills)),
  ]
}

/** Where an agent names skills. */
export function checkLinks(agent: AgentDefinition, skills: Skills): Diagnostic[] {
  return skillLinks(agent, skills).flatMap((link) => linkFinding(agent, link, skills))
}

function hidden(remote: RemoteSkill, { skills, commands, lost }: Skills): Diagnostic[] {
  const skill = skills.get(remote.slug)?.definition.file ?? lost.get(remote.slug)
  if (skill) return [sayRemote.hidesRemote(remote, skill, 'skill')]
  const command = commands.get(remote.slug)?.definition.file
  return command ? [sayRemote.hidesRemote(remote, command, 'command')] : []
}

function linkFinding({ file }: AgentDefinition, { written, name, skill, remote }: SkillLink, skills: Skills): Diagnostic[] {
  const lost = skills.lost.get(name)
  if (lost) return [say.lostSkill(file, written.range, written.value, lost)]
  if (remote) return []
  if (!skill) {
    const meant = didYouMean(name, [...skills.skills.keys(), ...skills.remote.keys()])
    return [say.unknownSkill(file, written.range, written.value, meant, isListed(name, file, skills))]
  }
  const disabled = skill.definition.disableModelInvocation
  return disabled?.value ? [say.disabledSkill(file, written.range, written.value, skill.definition.file, disabled.range)] : []
}

/**
 * Whether the skill should have been found: a plugin's where that plugin was given and has skills, any other where the project
 * or the agent's own layer has some (what-to-report.md).
 */
function isListed(name: string, { origin }: AgentDefinition['file'], { skills }: Skills): boolean {
  const plugin = /^([^:]+):/.exec(name)?.[1]
  const origins = [...skills.values()].map(({ definition }) => definition.file.origin)
  if (plugin !== undefined) return origins.some((other) => other.plugin === plugin)
  return origins.some(({ source, plugin: own }) => source === 'project' || (source === origin.source && own === origin.plugin))
}

/** The agent that a skill is run in; a bare name in a plugin may be the plugin's own. */
function agentOf({ file, agent }: SkillDefinition, { agents, dropped }: Resolution): Diagnostic[] {
  if (!agent || dropped.has(agent.value)) return []
  const { plugin } = file.origin
  if (agents.has(agent.value) || (plugin !== undefined && agents.has(`${plugin}:${agent.value}`))) return []
  return [say.unknownAgent(file, agent.range, agent.value, didYouMean(agent.value, agents.keys()))]
}
