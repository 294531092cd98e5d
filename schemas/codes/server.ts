import type { CodeDoc } from './code-doc.ts'
import { agent } from './example.ts'

const GOOD = agent('mcpServers:', '  - tickets:', '      command: ticket-server', '      args: [--read-only]')

const MCP = '.mcp.json'
const LOCK = 'agentc.mcp.lock.json'
const servers = (text: string): string => `{ "mcpServers": ${text} }\n`
const TICKETS = servers('{ "tickets": { "command": "ticket-server" } }')
const EMPTY_LOCK = '{ "agentc": 1, "servers": {} }\n'

/** A whole server in a few lines: it answers whatever it is asked. */
const SERVER = `import { createInterface } from 'node:readline'

const tools = [{ name: 'list', description: 'Lists the open tickets.', inputSchema: { type: 'object' } }]
const answers = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'tickets', version: '1' } },
  'tools/list': { tools },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }))
})
`
const STARTED = servers('{ "tickets": { "command": "node", "args": ["./server.mjs"] } }')
const lockOf = (description: string, hash: string): string =>
  `{ "agentc": 1, "servers": { "tickets": [
  { "name": "list", "description": "${description}", "input_schema": { "type": "object" },
    "hash": "${hash}" }] } }\n`

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
  'server/invalid-file': {
    severity: 'error',
    what: 'A file in which servers are set up is not JSON, or has no object `mcpServers`.',
    why: 'None of its servers is there, so agents lack all their tools.',
    todo: 'Write one JSON object, `{ "mcpServers": { … } }`, without comments and without a comma behind the last entry.',
    bad: { [MCP]: '{ "mcpServers": { "tickets": { "command": "ticket-server", } } }\n' },
    good: { [MCP]: TICKETS },
  },
  'server/ignored-part': {
    severity: 'warning',
    what: 'A part of the settings of a server has a type it cannot have.',
    why: 'The part is ignored, and the server is started without it.',
    todo: 'Write `args` as a list of texts, `env` and `headers` as maps of texts, `timeout` as a number of milliseconds.',
    bad: { [MCP]: servers('{ "tickets": { "command": "ticket-server", "args": "--read-only" } }') },
    good: { [MCP]: servers('{ "tickets": { "command": "ticket-server", "args": ["--read-only"] } }') },
  },
  'server/unknown-type': {
    severity: 'error',
    what: 'The `type` of a server is none of stdio, http, sse and ws.',
    why: 'Nobody knows how to talk to it, so the agents lack its tools.',
    todo: 'Write stdio for a program that is started here, http for an address.',
    bad: { [MCP]: servers('{ "tickets": { "type": "https", "url": "https://tickets.example/mcp" } }') },
    good: { [MCP]: servers('{ "tickets": { "type": "http", "url": "https://tickets.example/mcp" } }') },
  },
  'server/url-without-type': {
    severity: 'warning',
    what: 'A server has a `url` and no `type`.',
    why: 'agentc takes it as http; Claude Code expects a program to start, finds no command, and leaves the server out.',
    todo: 'Add `type: http`, or sse or ws if it is one of these.',
    bad: { [MCP]: servers('{ "tickets": { "url": "https://tickets.example/mcp" } }') },
    good: { [MCP]: servers('{ "tickets": { "type": "http", "url": "https://tickets.example/mcp" } }') },
  },
  'server/reserved-name': {
    severity: 'warning',
    what: 'A server has a name that Claude Code keeps for itself.',
    why: 'agentc starts it; Claude Code leaves it out.',
    todo: 'Give it another name, and use that in the names of its tools.',
    bad: { [MCP]: servers('{ "workspace": { "command": "ticket-server" } }') },
    good: { [MCP]: TICKETS },
  },
  'server/same-prefix': {
    severity: 'warning',
    what: 'The names of two servers become the same in the names of their tools.',
    why: 'A rule or a list that names a tool of one of them means both, and tools of one name replace each other.',
    todo: 'Rename one: all but letters, digits, `_` and `-` becomes `_`.',
    bad: { [MCP]: servers('{ "my tickets": { "command": "ticket-server" }, "my_tickets": { "command": "other-server" } }') },
    good: { [MCP]: servers('{ "my tickets": { "command": "ticket-server" }, "others": { "command": "other-server" } }') },
  },
  'server/policy-only': {
    severity: 'info',
    what: 'The policy sets up servers, and this one is not among them.',
    why: 'Where there is a managed-mcp.json, only its servers are started.',
    todo: 'Ask whoever keeps the policy to add it there.',
    bad: { 'managed/managed-mcp.json': TICKETS, [MCP]: servers('{ "notes": { "command": "note-server" } }') },
    good: { 'managed/managed-mcp.json': TICKETS },
  },
  'server/switched-off': {
    severity: 'info',
    what: 'The settings switch off a server that is set up.',
    why: 'It is not started, so agents lack its tools.',
    todo: 'Remove the server from `disabledMcpjsonServers` if it is wanted.',
    bad: { [MCP]: TICKETS, '.claude/settings.local.json': '{ "disabledMcpjsonServers": ["tickets"] }\n' },
    good: { [MCP]: TICKETS },
  },
  'server/invalid-lock': {
    severity: 'error',
    what: 'The file that MCP tools are locked to cannot be used.',
    why: 'Without it nobody can tell which tools an agent has and whether one of them changed.',
    todo: 'Run `agentc build --lock-mcp` to write it anew.',
    bad: { [LOCK]: '{ "agentc": 1 }\n' },
    good: { [LOCK]: EMPTY_LOCK },
  },
  'server/tool-changed': {
    severity: 'warning',
    what: 'A server describes a tool otherwise than when its tools were locked, or has tools it did not have.',
    why: 'The model does what descriptions say, so whoever changes one can change what agents do; the lock stays as it was.',
    todo: 'Read the new text, and accept it with `agentc build --lock-mcp --accept` if it is what you want.',
    bad: {
      [MCP]: STARTED,
      'server.mjs': SERVER,
      [LOCK]: lockOf('Lists tickets.', 'sha256:50a34252ebdfa6ec101eee2a0d177a73dfb0b1c20abba27892886c5aaa6ce5b8'),
    },
    good: {
      [MCP]: STARTED,
      'server.mjs': SERVER,
      [LOCK]: lockOf('Lists the open tickets.', 'sha256:56e52e902b6977121b34b17e6190e34f065b2ed1613ff8efd226be2f3d98dc26'),
    },
  },
  'server/not-locked': {
    severity: 'error',
    what: 'A server could not be asked for its tools.',
    why: 'Its tools cannot be locked, so `agentc build --lock-mcp` writes nothing.',
    todo: 'Start the server by hand and mend what it says, or remove it; `--keep-going` locks the others.',
    bad: { [MCP]: servers('{ "tickets": { "command": "./no-such-server" } }') },
    good: { [MCP]: STARTED, 'server.mjs': SERVER },
  },
} as const satisfies Record<string, CodeDoc>
