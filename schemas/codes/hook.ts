import type { CodeDoc } from './code-doc.ts'
import { agent } from './example.ts'

/** The lines of a hook before Bash, down to its handler. */
const BEFORE_BASH = ['hooks:', '  PreToolUse:', '    - matcher: Bash', '      hooks:']
const GOOD = agent(...BEFORE_BASH, '        - type: command', '          command: check-change', '          timeout: 5')

export const HOOK_CODES = {
  'hook/type': {
    severity: 'error',
    what: 'The value of `hooks` is not made of events with hooks below them.',
    why: 'No hook runs, so nothing of what they should check is checked. Claude Code drops the whole agent without a word.',
    todo: 'Write an event such as `PreToolUse:` below `hooks:`, indented by two spaces, and a list below that.',
    bad: agent('hooks: []'),
    good: GOOD,
  },
  'hook/flat': {
    severity: 'warning',
    what: 'The command of a hook stands directly below the event, without a `hooks:` list of its own.',
    why: 'agentc accepts this older form. Claude Code drops the whole agent because of it, without a word.',
    todo: 'Write `hooks:` below the matcher, and below that a list with `type: command` and `command: …`.',
    bad: agent('hooks:', '  PreToolUse:', '    - matcher: Bash', '      command: check-change'),
    good: GOOD,
  },
  'hook/unknown-event': {
    severity: 'warning',
    what: 'A key below `hooks` is not the name of an event.',
    why: 'The hooks below it never run. Claude Code drops the other hooks of the agent as well.',
    todo: 'Use the exact name of an event, such as PreToolUse, PostToolUse, SubagentStart, SubagentStop or Stop.',
    bad: agent('hooks:', '  BeforeToolUse:', '    - matcher: Bash', '      hooks:', '        - command: check-change'),
    good: GOOD,
  },
  'hook/event-not-run': {
    severity: 'info',
    what: 'The hooks are for an event that a run of agentc never has.',
    why: 'They run in Claude Code only. Whoever counts on them in `agentc run` waits in vain.',
    todo: 'Nothing, if they are meant for Claude Code. Else use an event that both have: PreToolUse, PostToolUse, SubagentStop, Stop and others.',
    bad: agent('hooks:', '  Notification:', '    - hooks:', '        - command: ring-a-bell', '          type: command'),
    good: GOOD,
  },
  'hook/timeout-unit': {
    severity: 'warning',
    what: 'The `timeout` of a hook is so large that it was probably meant as milliseconds.',
    why: 'The unit is seconds: 5000 are 83 minutes, during which the agent waits for a hook that hangs.',
    todo: 'Write the time in seconds.',
    bad: agent(...BEFORE_BASH, '        - type: command', '          command: check-change', '          timeout: 5000'),
    good: GOOD,
  },
  'hook/incomplete': {
    severity: 'warning',
    what: 'A hook lacks what it would run, or is not written as a list of `key: value` blocks.',
    why: 'The hook never runs, so what it should check is not checked.',
    todo: 'Give a `command` hook its `command`, a `prompt` or `agent` hook its `prompt`, an `http` hook its `url`.',
    bad: agent(...BEFORE_BASH, '        - type: command', '          timeout: 5'),
    good: GOOD,
  },
  'hook/matcher': {
    severity: 'warning',
    what: 'The `matcher` of a hook is no text, no regular expression, or fits the name of no tool.',
    why: 'The hook runs for everything, or never, and then what it should check is not checked.',
    todo: 'Write names of tools as they are, with a bar between them, or a regular expression; a permission rule belongs under `if`.',
    bad: agent('hooks:', '  PreToolUse:', '    - matcher: Bash(rm *)', '      hooks:', '        - command: check-change'),
    good: agent(
      'hooks:',
      '  PreToolUse:',
      '    - matcher: Bash',
      '      hooks:',
      '        - command: check-change',
      '          if: Bash(rm *)',
    ),
  },
  'hook/condition': {
    severity: 'warning',
    what: 'The `if` of a hook is not written as a permission rule.',
    why: 'The hook runs at every call that its matcher fits, not only at those that are meant.',
    todo: 'Write one rule: `Tool`, `Tool(what it is about)` or `mcp__server__tool`.',
    bad: agent(...BEFORE_BASH, '        - type: command', '          command: check-change', '          if: Bash(git push'),
    good: agent(...BEFORE_BASH, '        - type: command', '          command: check-change', '          if: Bash(git push *)'),
  },
  'hook/script-missing': {
    severity: 'warning',
    what: 'The script that a hook runs is not there.',
    why: 'The hook fails each time. A hook that fails blocks nothing, so what it was to prevent goes on.',
    todo: 'Create the script, or correct its path.',
    bad: agent('tools: Read', ...BEFORE_BASH, '        - type: command', '          command: ./scripts/check.sh'),
    good: GOOD,
  },
  'hook/script-not-executable': {
    severity: 'warning',
    what: 'The script that a hook runs is there and may not be executed.',
    why: 'The hook fails each time. A hook that fails blocks nothing, so what it was to prevent goes on.',
    todo: 'Give it the right with `chmod +x`, or write the program before it, such as `bash ./scripts/check.sh`.',
    bad: {
      '.claude/agents/example.md': agent('tools: Read', ...BEFORE_BASH, '        - type: command', '          command: ./scripts/check.sh'),
      'scripts/check.sh': '#!/bin/sh\nexit 0\n',
    },
    good: {
      '.claude/agents/example.md': agent(
        'tools: Read',
        ...BEFORE_BASH,
        '        - type: command',
        '          command: bash ./scripts/check.sh',
      ),
      'scripts/check.sh': 'exit 0\n',
    },
  },
} as const satisfies Record<string, CodeDoc>
