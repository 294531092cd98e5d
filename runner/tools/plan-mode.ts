import { failed, fine, type Tool } from './tool.ts'

/** From the next reply on nothing may be changed. The mode before is remembered, so that leaving plan mode never makes a run looser than it was. */
export const enterPlanModeTool: Tool = {
  run(_, { mode }) {
    if (mode === 'plan') return Promise.resolve(failed('The run is in plan mode already.'))
    const text = 'Plan mode is on: look around and plan, and change nothing. ExitPlanMode presents the plan to a person.'
    return Promise.resolve({ ...fine(text), patch: { permissionMode: 'plan', modeBefore: mode } })
  },
}

/**
 * Leaves plan mode; a run that began in it goes on in the default mode. `decide` never allows this call by itself: that it runs means that
 * a person has seen the plan and said yes.
 */
export const exitPlanModeTool: Tool = {
  run(_, { mode, modeBefore }) {
    if (mode !== 'plan') return Promise.resolve(failed('The run is not in plan mode.'))
    const patch = { permissionMode: modeBefore ?? 'default', modeBefore: null } as const
    return Promise.resolve({ ...fine('The person approves the plan. Plan mode is off: carry it out.'), patch })
  },
}
