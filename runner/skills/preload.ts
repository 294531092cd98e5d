import type { Clock, Ids } from '../clock.ts'
import type { RunContext, Start } from '../context.ts'
import { deniedTo } from '../denied-to.ts'
import { begin } from '../endings.ts'
import type { Environment } from '../environment.ts'
import type { NoticeEvent } from '../events.ts'
import { callAside, type ExecuteSeams } from '../execute.ts'
import { notice } from '../notice-queue.ts'
import { findSkill, knownIn } from './catalogue.ts'
import { whileAtWork } from './change.ts'
import type { FramedSkill } from './frame.ts'
import { hides } from './listing.ts'
import { written } from '../permission/written.ts'
import { readySkill } from './ready.ts'
import type { Answered } from './text.ts'

interface PreloadSeams extends ExecuteSeams {
  clock: Clock
  ids: Ids
  environment: Environment
  /** Of the whole run. */
  extensions?: { session: { id: string } } | undefined
}

/** An agent with the texts of its `skills`, and what is to be said of those that cannot be put before its task. */
export interface Preloaded {
  start: Start
  notices: readonly NoticeEvent[]
}

/**
 * Makes the texts of an agent's `skills` ready (measured.md, Prompt: a message before the task). Only the text counts: what a skill allows
 * holds for the commands in its own text and no longer. A fork has its parent's conversation, and a run that goes on what it began with.
 */
export async function preload(start: Start, seams: PreloadSeams): Promise<Preloaded> {
  const { skills } = start.agent
  if (skills.length === 0 || start.preloaded || start.fork) return { start, notices: [] }
  const { context } = begin(start, seams)
  const preloaded: FramedSkill[] = []
  const notices: NoticeEvent[] = []
  for (const name of skills) {
    const ready = await textOf(name, context, seams)
    if ('refused' in ready)
      notices.push(notice('skills', `the skill ${name} is not put before the task of ${start.name}: ${ready.refused}`))
    else preloaded.push(ready)
  }
  return { start: preloaded.length > 0 ? { ...start, preloaded } : start, notices }
}

async function textOf(name: string, context: RunContext, seams: PreloadSeams): Promise<FramedSkill | { refused: string }> {
  const found = findSkill(name, knownIn(context))
  if (!found) return { refused: 'the manifest does not hold it' }
  if (found.skill.disableModelInvocation === true) return { refused: 'it is for people only (disable-model-invocation)' }
  const rule = deniedTo(context).find((deny) => hides(deny, name))
  if (rule) return { refused: `denied by the rule ${written(rule)}` }
  const session = seams.extensions?.session.id ?? context.sessionId
  const shell = (command: string): Promise<Answered> => callAside('Bash', { command }, whileAtWork(context, found), seams)
  return readySkill(found, '', { ...seams, session, shell })
}
