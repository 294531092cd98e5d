import type { CodeDoc } from './code-doc.ts'
import { agent } from './example.ts'

const GOOD = agent('mcpServers:', '  - tickets:', '      command: ticket-server', '      args: [--read-only]')

export const SERVER_CODES = {
  'server/map': {
    severity: 'warning',
    what: 'The servers below `mcpServers` are not written as a list.',
    why: 'agentc accepts this. Claude Code expects a list and starts none of the servers.',
    todo: 'Write `- ` before the name of each server, and indent its settings by two more spaces.',
    bad: agent('mcpServers:', '  tickets:', '    command: ticket-server'),
    good: GOOD,
  },
  'server/incomplete': {
    severity: 'error',
    what: 'A server that the agent brings along has neither a `command` nor a `url`.',
    why: 'Nobody knows how to start or reach it, so the agent has none of its tools.',
    todo: 'Give it a `command` (a program on this machine), or `type: http` and a `url`.',
    bad: agent('mcpServers:', '  - tickets:', '      args: [--read-only]'),
    good: GOOD,
  },
  'server/invalid': {
    severity: 'warning',
    what: 'An entry of `mcpServers` is neither the name of a server nor a name with settings below it.',
    why: 'The entry is ignored, so the agent has none of the tools of that server.',
    todo: 'Write `- name` for a server that is set up elsewhere, or `- name:` with its settings below.',
    bad: agent('mcpServers:', '  - tickets: 8080'),
    good: GOOD,
  },
} as const satisfies Record<string, CodeDoc>
