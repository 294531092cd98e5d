import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withResults } from '../../../runner/context.ts'
import { askUserQuestionTool } from '../../../runner/tools/ask-user-question.ts'
import { enterPlanModeTool, exitPlanModeTool } from '../../../runner/tools/plan-mode.ts'
import { todoWriteTool } from '../../../runner/tools/todo-write.ts'
import type { AskPerson, Question } from '../../../runner/tools/tool.ts'
import { fakeApi, folder, runToEnd, toolResults } from '../stage.ts'
import { startOf } from '../manifest-fixture.ts'
import { use } from './use.ts'

const TODOS = [
  { content: 'Look', status: 'completed', activeForm: 'Looking' },
  { content: 'Write', status: 'in_progress', activeForm: 'Writing' },
  { content: 'Test', status: 'pending', activeForm: 'Testing' },
] as const

function person(answer: string): AskPerson & { asked: Question[] } {
  const asked: Question[] = []
  return Object.assign((question: Question) => (asked.push(question), Promise.resolve({ answer })), { asked })
}

test('TodoWrite gives the list back and makes it a part of the run', async () => {
  const output = await use(todoWriteTool, await folder(), { todos: TODOS })
  expect(output).toEqual({ text: 'The list is now:\n[x] Look\n[>] Writing\n[ ] Test', isError: false, patch: { todos: TODOS } })
  expect((await use(todoWriteTool, await folder(), { todos: [] })).text).toBe('The list is empty now.')
})

test('AskUserQuestion puts the question with its options, and fails at once where nobody is', async () => {
  const asked = person('blue')
  const input = { question: 'Which colour?', options: ['red', 'blue'] }
  expect((await use(askUserQuestionTool, await folder(), input, { askPerson: asked })).text).toBe('The person answers: blue')
  expect(asked.asked).toEqual([{ text: 'Which colour?', options: ['red', 'blue'] }])
  expect(await use(askUserQuestionTool, await folder(), input)).toEqual({
    text: expect.stringMatching(/^Nobody can be asked here/),
    isError: true,
    unanswered: true,
  })
})

test('plan mode is entered once, and left to the mode before', async () => {
  const cwd = await folder()
  expect((await use(enterPlanModeTool, cwd, {}, { mode: 'acceptEdits' })).patch).toEqual({
    permissionMode: 'plan',
    modeBefore: 'acceptEdits',
  })
  expect((await use(enterPlanModeTool, cwd, {}, { mode: 'plan' })).isError).toBe(true)
  const plan = { plan: '1. do it' }
  const left = async (mode: 'plan' | 'default', modeBefore?: 'acceptEdits') => use(exitPlanModeTool, cwd, plan, { mode, modeBefore })
  expect((await left('plan', 'acceptEdits')).patch).toEqual({ permissionMode: 'acceptEdits', modeBefore: null })
  expect((await left('plan')).patch).toEqual({ permissionMode: 'default', modeBefore: null })
  expect(await left('default')).toEqual({ text: 'The run is not in plan mode.', isError: true })
})

test('patches of a reply hold from the next one on, in their order', () => {
  const context = { messages: [], denials: [], agent: {}, permissionMode: 'default', modeBefore: 'auto' } as never
  const results = { blocks: [], denials: [], unanswered: false }
  const after = withResults(context, { ...results, patches: [{ todos: TODOS }, { permissionMode: 'plan', modeBefore: 'default' }] })
  expect([after.permissionMode, after.modeBefore, after.todos]).toEqual(['plan', 'default', TODOS])
  expect(withResults(after, { ...results, patches: [{ modeBefore: null }] }).modeBefore).toBe(undefined)
})

test('a run keeps the patches in its transcript, and sends pictures as pictures', async () => {
  const cwd = await folder({ 'a.gif': 'GIF89a picture' })
  const tools = [
    { name: 'TodoWrite', input: { todos: TODOS } },
    { name: 'EnterPlanMode', input: {} },
    { name: 'Read', input: { file_path: 'a.gif' } },
  ]
  const { url, requests } = await fakeApi({ turns: [{ tools }, { text: 'done' }] })
  const start = startOf({ tools: ['EnterPlanMode', 'Read', 'TodoWrite'] }, 'go')
  const { events, result } = await runToEnd(start, {
    cwd,
    url,
    keep: { text: '{}', hash: 'sha256:0' },
    host: process,
    ids: { session: () => `state-${process.pid}` },
  })
  expect(toolResults(events).map(({ isError }) => isError)).toEqual([false, false, false])
  const [, , picture] = (await requests())[1]!.messages.at(-1)!.content as unknown as { content: unknown }[]
  const source = { type: 'base64', media_type: 'image/gif', data: Buffer.from('GIF89a picture').toString('base64') }
  expect(picture!.content).toEqual([
    { type: 'text', text: '[a.gif: image/gif, 14 bytes]' },
    { type: 'image', source },
  ])
  const lines = readFileSync(join(cwd, result.run_folder!, 'transcript.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const ends = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ kind }) => kind === 'tool_end')
  expect(ends.map(({ patch, images }) => patch ?? images)).toEqual([
    { todos: TODOS },
    { permissionMode: 'plan', modeBefore: 'default' },
    [source],
  ])
})
