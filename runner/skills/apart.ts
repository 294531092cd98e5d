import { during, type EventQueue } from '../aside.ts'
import { type RunContext, withPrompt } from '../context.ts'
import type { RunEvent } from '../events.ts'
import { besideCall, type PrepareSeams } from '../prepare.ts'
import { failed } from '../tools/tool.ts'
import { findSkill, knownIn } from './catalogue.ts'
import type { RunApart } from './skill-tool.ts'

interface ApartSeams extends PrepareSeams {
  aside?: EventQueue | undefined
  /** Without it no agent can be started. */
  runApart?: RunApart | undefined
}

/**
 * Runs what a person has called and wants an agent of its own (`context: fork`), before the model is asked, and puts the reports into the
 * conversation. The transcript has a line when one has ended: a run that was cut off before runs the skill again.
 */
export async function* runCalled(context: RunContext, seams: ApartSeams): AsyncGenerator<RunEvent, RunContext> {
  let now = context
  for (const task of context.apart ?? []) {
    const skill = findSkill(task.name, knownIn(context))?.skill
    const work = skill && seams.runApart?.({ skill, task }, besideCall(now, seams))
    const output = work ? yield* during(work, seams.aside) : failed('Agents cannot be started here.')
    if (seams.signal.aborted) return now
    const text = `The user has called the skill ${task.name}, which runs in an agent of its own.\n\n${output.text}`
    seams.transcript.put({ kind: 'arrival', text, apart: task.name })
    now = reported(now, text, task.name)
  }
  return now
}

/** The run with the report on one of the skills that a person has called. */
export function reported(context: RunContext, text: string, name: string): RunContext {
  const { apart = [] } = context
  const at = apart.findIndex((task) => task.name === name)
  return { ...withPrompt(context, text), apart: apart.toSpliced(at, 1) }
}
