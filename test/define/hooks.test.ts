import { expect, test } from 'vitest'
import { HOOK_EVENTS, RUN_EVENTS } from '../../schemas/values.ts'
import { readFields } from './read.ts'

/** `hooks:` with these lines below it. */
const hooks = (...lines: string[]): string => ['hooks:', ...lines.map((line) => `  ${line}`)].join('\n')

/** Where a rule stands. */
const place = expect.objectContaining({ source: 'project', line: 6 }) as unknown
const CHECK = { type: 'command', command: './check.sh' }

test.each<[string, string, unknown, ...string[]]>([
  ['no event at all', 'hooks: {}', {}],
  [
    'the documented form',
    hooks('PreToolUse:', '  - matcher: Bash', '    hooks:', '      - type: command', '        command: ./check.sh', '        timeout: 5'),
    { PreToolUse: [{ matcher: { names: ['Bash'] }, handlers: [{ ...CHECK, timeout: 5 }] }] },
  ],
  ['nothing at all', 'hooks:', undefined, 'field/empty-value at hooks'],
  [
    'a model by its alias',
    hooks('Stop:', '  - hooks: [{ type: prompt, prompt: Done?, model: Haiku }, { type: agent, prompt: x, model: my-own }]'),
    {
      Stop: [
        {
          handlers: [
            { type: 'prompt', prompt: 'Done?', model: 'claude-haiku-5-5' },
            { type: 'agent', prompt: 'x', model: 'my-own' },
          ],
        },
      ],
    },
  ],
  ['no type', hooks('Stop:', '  - hooks:', '      - command: ./check.sh'), { Stop: [{ handlers: [CHECK] }] }],
  ['a prompt', hooks('Stop:', '  - hooks:', '      - prompt: Done?'), { Stop: [{ handlers: [{ type: 'prompt', prompt: 'Done?' }] }] }],
  [
    'several names to match',
    hooks('PreToolUse:', '  - matcher: Edit|Write', '    hooks: [{ command: ./check.sh }]'),
    { PreToolUse: [{ matcher: { names: ['Edit', 'Write'] }, handlers: [CHECK] }] },
  ],
  [
    'a regular expression to match',
    hooks('PreToolUse:', '  - matcher: mcp__.*', '    hooks: [{ command: ./check.sh }]'),
    { PreToolUse: [{ matcher: { regex: 'mcp__.*' }, handlers: [CHECK] }] },
  ],
  ['a star', hooks('PreToolUse:', '  - matcher: "*"', '    hooks: [{ command: ./check.sh }]'), { PreToolUse: [{ handlers: [CHECK] }] }],
  [
    'the flat form',
    hooks('PreToolUse:', '  - matcher: Bash', '    command: ./check.sh', '    timeout: 5000'),
    { PreToolUse: [{ matcher: { names: ['Bash'] }, handlers: [{ ...CHECK, timeout: 5 }] }] },
    'hook/flat at matcher',
    'hook/timeout-unit at 5000',
  ],
  [
    'milliseconds in the documented form stay as they are',
    hooks('Stop:', '  - hooks: [{ command: ./check.sh, timeout: 5000 }]'),
    { Stop: [{ handlers: [{ ...CHECK, timeout: 5000 }] }] },
    'hook/timeout-unit at 5000',
  ],
  [
    'a condition, which becomes a rule with its place',
    hooks('PreToolUse:', '  - hooks: [{ command: ./check.sh, if: Bash(git push *) }, { command: ./check.sh, if: Write(src/**) }]'),
    {
      PreToolUse: [
        {
          handlers: [
            { ...CHECK, if: { tool: 'Bash', match: { prefix: ['git', 'push'] }, origin: place } },
            { ...CHECK, if: { tool: 'Write', match: { path: '**/src/**', anchor: 'cwd' }, origin: place } },
          ],
        },
      ],
    },
  ],
  [
    'a condition that is no rule',
    hooks('PreToolUse:', '  - hooks: [{ command: ./check.sh, if: Bash(git }, { command: ./check.sh, if: 5 }]'),
    { PreToolUse: [{ handlers: [CHECK, CHECK] }] },
    'hook/condition at Bash(git',
    'hook/condition at 5',
  ],
  [
    'a condition where nothing is called',
    hooks('Stop:', '  - hooks: [{ command: ./check.sh, if: Bash }]'),
    { Stop: [{ handlers: [{ ...CHECK, if: { tool: 'Bash', origin: place } }] }] },
    'hook/incomplete at Bash',
  ],
  [
    'a check of what is handed over',
    hooks('SubagentStop:', '  - hooks: [{ type: prompt, prompt: Good?, handover: true }, { type: agent, prompt: Good?, handover: false }]'),
    {
      SubagentStop: [
        {
          handlers: [
            { type: 'prompt', prompt: 'Good?', handover: true },
            { type: 'agent', prompt: 'Good?' },
          ],
        },
      ],
    },
  ],
  [
    'such a check that asks no model, is at another event, or says neither yes nor no',
    hooks(
      'SubagentStop:',
      '  - hooks: [{ command: ./check.sh, handover: true }, { type: prompt, prompt: Good?, handover: maybe }]',
      'PreToolUse:',
      '  - hooks: [{ type: prompt, prompt: Good?, handover: true }]',
    ),
    { SubagentStop: [], PreToolUse: [] },
    'hook/incomplete at handover',
    'hook/incomplete at handover',
    'hook/incomplete at handover',
  ],
  [
    'members of another type of handler, and values that there are not',
    hooks(
      'Stop:',
      '  - hooks: [{ command: ./check.sh, model: sonnet, continueOnBlock: true, shell: zsh, onFailure: stop }]',
      '  - hooks: [{ type: http, url: "http://127.0.0.1/", headers: { X-Number: 5 }, args: [a], onFailure: block }]',
    ),
    {
      Stop: [
        { handlers: [CHECK] },
        { handlers: [{ type: 'http', url: 'http://127.0.0.1/', headers: { 'X-Number': '5' }, onFailure: 'block' }] },
      ],
    },
    'field/invalid-value at zsh',
    'field/invalid-value at stop',
  ],
  [
    'members of a wrong type',
    hooks(
      'Stop:',
      '  - hooks: [{ command: ./check.sh, timeout: "5", args: x, async: "yes" }]',
      '  - hooks: [{ command: ./check.sh, timeout: -1 }]',
    ),
    { Stop: [{ handlers: [CHECK] }, { handlers: [CHECK] }] },
    'field/invalid-value at "5"',
    'field/invalid-value at x',
    'field/invalid-value at "yes"',
    'field/invalid-value at -1',
  ],
  ['an unknown event', hooks('Foo: []'), {}, 'hook/unknown-event at Foo'],
  ['an event without a list', hooks('Stop: ./check.sh'), { Stop: [] }, 'hook/incomplete at ./check.sh'],
  ['an item that is text', hooks('Stop: [./check.sh]'), { Stop: [] }, 'hook/incomplete at ./check.sh'],
  ['a handler that is text', hooks('Stop:', '  - hooks: [./check.sh]'), { Stop: [] }, 'hook/incomplete at ./check.sh'],
  ['handlers that are no list', hooks('Stop:', '  - hooks: ./check.sh'), { Stop: [] }, 'hook/incomplete at ./check.sh'],
  ['no command', hooks('Stop:', '  - hooks: [{ type: command, timeout: 5 }]'), { Stop: [] }, 'hook/incomplete at type'],
  ['an unknown type', hooks('Stop:', '  - hooks: [{ type: shell, command: x }]'), { Stop: [] }, 'hook/incomplete at shell'],
])('hooks with %s', async (_what, lines, value, ...found) => {
  const read = await readFields(lines)
  expect(read.agent?.hooks?.value).toEqual(value)
  expect(read.found).toEqual(found)
})

test.each(HOOK_EVENTS)('hooks of %s are kept, and it is said where a run never fires them', async (event) => {
  const { agent, found } = await readFields(hooks(`${event}:`, '  - hooks: [{ type: command, command: ./check.sh }]'))
  expect(agent?.hooks?.value).toEqual({ [event]: [{ handlers: [CHECK] }] })
  expect(found).toEqual(RUN_EVENTS.some((fired) => fired === event) ? [] : [`hook/event-not-run at ${event}`])
})

test('these events are fired nowhere, because no source says what their hooks read, or because a run has no moment for them', () => {
  const silent = HOOK_EVENTS.filter((event) => !RUN_EVENTS.some((fired) => fired === event))
  expect(silent).toEqual(expect.arrayContaining(['Notification', 'UserPromptExpansion']))
  expect(silent).not.toEqual(expect.arrayContaining(['WorktreeCreate']))
  expect(silent).not.toEqual(expect.arrayContaining(['WorktreeRemove']))
})

/** A hook before calls with this matcher. */
const matching = (matcher: string): string => hooks('PreToolUse:', `  - matcher: ${matcher}`, '    hooks: [{ command: ./check.sh }]')

test.each<[string, unknown, ...string[]]>([
  ['[Bash, Edit]', undefined, 'hook/matcher at [Bash, Edit]'],
  ['5', undefined, 'hook/matcher at 5'],
  ['"(Bash"', { regex: '(Bash' }, 'hook/matcher at "(Bash"'],
  ['Bash(rm *)', { regex: 'Bash(rm *)' }, 'hook/matcher at Bash(rm *)'],
  ['bash', { names: ['bash'] }, 'hook/matcher at bash'],
  ['Edit|write', { names: ['Edit', 'write'] }, 'hook/matcher at Edit|write'],
  ['mcp__memory', { names: ['mcp__memory'] }, 'hook/matcher at mcp__memory'],
  ['', undefined],
  ['mcp__memory__read', { names: ['mcp__memory__read'] }],
  ['Bash(Output)?', { regex: 'Bash(Output)?' }],
  ['Notebook(Edit)', { regex: 'Notebook(Edit)' }],
  ['MultiEdit|Monitor|my_tool', { names: ['MultiEdit', 'Monitor', 'my_tool'] }],
])('a matcher that is none, or that fits no tool, is reported: %s', async (text, matcher, ...found) => {
  const read = await readFields(matching(text))
  expect(read.agent?.hooks?.value).toEqual({ PreToolUse: [{ ...(matcher !== undefined && { matcher }), handlers: [CHECK] }] })
  expect(read.found).toEqual(found)
})

test('a matcher that no engine gets done with does not hold up the build', async () => {
  const text = 'Read(x)|((\\w+)+)+!(y)'
  const read = await readFields(matching(`'${text}'`))
  expect(read.agent?.hooks?.value.PreToolUse?.[0]?.matcher).toEqual({ regex: text })
  expect(read.found).toEqual([])
})

test('a hook that names a tool by another of its names is for that tool', async () => {
  expect((await readFields(matching('Task|Agent|Bash'))).agent?.hooks?.value.PreToolUse).toEqual([
    { matcher: { names: ['Agent', 'Bash'] }, handlers: [CHECK] },
  ])
})

test('where it is not about a tool, the names of a matcher stay as they are', async () => {
  const { agent, found } = await readFields(hooks('SubagentStart:', '  - matcher: Task|bash', '    hooks: [{ command: ./check.sh }]'))
  expect(agent?.hooks?.value.SubagentStart?.[0]?.matcher).toEqual({ names: ['Task', 'bash'] })
  expect(found).toEqual([])
})
