import type { Todo } from '../context-patch.ts'
import { fine, type Tool } from './tool.ts'

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const

/** Replaces the agent's list of things to do. It is a part of the run's state, and is given back as it now is. */
export const todoWriteTool: Tool = {
  run(input) {
    const todos = input.todos as readonly Todo[]
    const list = todos.map(({ status, content, activeForm }) => `${MARKS[status]} ${status === 'in_progress' ? activeForm : content}`)
    const text = todos.length === 0 ? 'The list is empty now.' : `The list is now:\n${list.join('\n')}`
    return Promise.resolve({ ...fine(text), patch: { todos } })
  },
}
