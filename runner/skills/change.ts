import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { ContextPatch, Effort, SkillAtWork } from '../context-patch.ts'
import { patched, type RunContext } from '../context.ts'
import type { Caller } from '../delegation/caller.ts'
import { restOf } from '../limits/budget.ts'
import { unpriced } from '../usage.ts'
import { ruleText } from '../../schemas/rule-text.ts'
import type { NamedSkill, PromptFile } from './catalogue.ts'
import type { FramedSkill } from './frame.ts'

/** What a skill that is called changes in the run, and what of its wishes does not count here, a sentence each. */
export interface SkillChange {
  patch: ContextPatch
  notes: readonly string[]
}

type Subject = Pick<RunContext, 'agent' | 'header' | 'maxBudgetUsd'>

/** The agent that calls, with what is left in US dollars to it and all above it, if anybody has a limit. */
export function spending({ context, budget }: Caller): RunContext {
  const left = budget && restOf(budget, budget.startedAt).usd
  return left === undefined ? context : { ...context, maxBudgetUsd: left }
}

/** The patch of a skill: its text for after a compaction, and what holds while it is at work. */
export function changeBy(skill: PromptFile, framed: FramedSkill, subject: Subject): SkillChange {
  const model = modelOf(skill, subject)
  const effort = effortOf(skill)
  const atWork = atWorkOf(framed.name, skill)
  const window = skill.contextWindow === undefined ? [] : [`a context window of ${skill.contextWindow} is not asked for`]
  return {
    patch: {
      skill: framed,
      ...(atWork && { atWork }),
      ...(model.is !== undefined && { model: model.is }),
      ...(effort.is !== undefined && { effort: effort.is }),
    },
    notes: [...model.notes, ...effort.notes, ...window],
  }
}

/** What holds while a skill is at work, if anything does. */
export function atWorkOf(name: string, { allowedTools, disallowedTools, hooks, origin }: PromptFile): SkillAtWork | undefined {
  if (!allowedTools && !disallowedTools && !hooks) return undefined
  return {
    name,
    ...(allowedTools && { allow: allowedTools }),
    ...(disallowedTools && { deny: disallowedTools }),
    ...(hooks && { hooks: hooksFrom(origin, hooks) }),
  }
}

/** The run as it is for what a skill does itself: under its rules, and watched by its hooks. */
export function whileAtWork(context: RunContext, { name, skill }: NamedSkill): RunContext {
  const atWork = atWorkOf(name, skill)
  return atWork ? patched(context, { atWork }) : context
}

/** The hooks of a skill are those of its file: of a plugin's, they know the plugin's folder. */
function hooksFrom(origin: PromptFile['origin'], hooks: Hooks): Hooks {
  const placed = Object.entries(hooks).map(([event, groups]) => {
    return [event, groups.map((group) => ({ ...group, origin: group.origin ?? { ...origin, line: 1, column: 1 } }))] as const
  })
  return Object.fromEntries(placed)
}

interface Wish<T> {
  is?: T
  notes: readonly string[]
}

/** A model that policy has written for the agent stays, and so does one whose price is known where there is a limit in US dollars. */
function modelOf({ model }: PromptFile, { agent, header, maxBudgetUsd }: Subject): Wish<string> {
  if (model === undefined || model === 'inherit') return { notes: [] }
  const full = Object.hasOwn(header.models, model) ? header.models[model]! : model
  if (agent.model !== 'inherit' && agent.provenance.model?.source === 'policy') {
    return { notes: [`its model ${full} does not count: policy has set that of the agent`] }
  }
  if (maxBudgetUsd !== undefined && unpriced([full]).length > 0) {
    return { notes: [`its model ${full} does not count: its price is not known, and the run has a limit in US dollars`] }
  }
  return { is: full, notes: [] }
}

function effortOf({ effort }: PromptFile): Wish<Effort> {
  if (typeof effort !== 'number') return { ...(effort !== undefined && { is: effort }), notes: [] }
  return { notes: [`its effort ${effort} is not sent: the API knows levels, not numbers`] }
}

/** What a skill would do beyond its text, for the person who is asked: the end of a sentence. */
export function broughtBy({ allowedTools = [], hooks = {} }: PromptFile): string | undefined {
  const rules = allowedTools.length > 0 ? [`while it is at work it may do unasked: ${allowedTools.map(ruleText).join(', ')}`] : []
  const events = Object.keys(hooks)
  const watching = events.length > 0 ? [`it brings hooks for ${events.join(', ')}`] : []
  const all = [...rules, ...watching]
  return all.length > 0 ? all.join(', and ') : undefined
}
