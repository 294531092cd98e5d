import { failed, fine, type Tool } from './tool.ts'

/** From the next reply on nothing may be changed. The mode before is remembered, so that leaving plan mode never makes a run looser than it was. */
export const enterPlanModeTool: Tool = {
  paths: () => [],
  search: false,
  run(_, { mode }) {
    if (mode === 'plan') return Promise.resolve(failed('The run is in plan mode already.'))
    const text = 'Plan mode is on: look around and plan, and change nothing. ExitPlanMode presents the plan to a person.'
    return Promise.resolve({ ...fine(text), patch: { permissionMode: 'plan', modeBefore: mode } })
  },
}

const APPROVE = 'Yes, go ahead'
const KEEP_PLANNING = 'No, keep planning'

/** Presents the plan. Only a person's yes leaves plan mode; a run that began in it goes on in the default mode. */
export const exitPlanModeTool: Tool = {
  paths: () => [],
  search: false,
  async run(input, { mode, modeBefore, askPerson, signal }) {
    if (mode !== 'plan') return failed('The run is not in plan mode.')
    const text = `The agent presents this plan:\n\n${input.plan as string}\n\nIs it to be carried out?`
    const answer = await askPerson({ text, options: [APPROVE, KEEP_PLANNING] }, signal)
    if ('nobody' in answer) {
      return failed('Plan mode is left only when a person approves the plan, and nobody can be asked here. Give the plan as your answer.')
    }
    if (answer.answer !== APPROVE) return failed(`The person does not approve the plan: ${answer.answer}`)
    const patch = { permissionMode: modeBefore ?? 'default', modeBefore: null } as const
    return { ...fine('The person approves the plan. Plan mode is off: carry it out.'), patch }
  },
}
