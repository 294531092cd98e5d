import type { CodeDoc } from './code-doc.ts'
import { agent, file, HEAD, PROSE } from './example.ts'

const server = (token: string): string =>
  agent('mcpServers:', '  - tickets:', '      command: ticket-server', '      env:', `        TICKETS_TOKEN: ${token}`)

/** Put together here, so that no key-like text stands in this file. */
const KEY = ['ghp', 'Zk3vQ8mW1xR5tB7nC2pL6sD9fG4hJ0aE7uY1'].join('_')

const hook = (command: string): string =>
  agent('hooks:', '  PreToolUse:', '    - matcher: Bash', '      hooks:', '        - type: command', `          command: ${command}`)

export const SECURITY_CODES = {
  'security/invisible-text': {
    severity: 'warning',
    what: 'The file holds characters that nobody sees: direction overrides, zero-width or tag characters.',
    why: 'The model reads them, and what a person reads may not be what the model is told. What emoji and scripts need is not meant.',
    todo: 'Delete them, and find out how they came into the file.',
    bad: file(HEAD, 'You read the change set and \u202etroper\u202c what you found.\n'),
    good: file(
      HEAD,
      'You read the change set and report what you found. \u2764\ufe0f \u{1f469}\u200d\u{1f4bb} \u0645\u06cc\u200c\u062e\u0648\u0627\u0646\u0645\n',
    ),
  },
  'security/plain-secret': {
    severity: 'warning',
    what: 'A key, token or private key stands in the file as plain text.',
    why: 'Whoever can read the file has it. agentc hides it, so it reaches neither manifest nor model, and what needs it does not work.',
    todo: 'Put it into an environment variable and write `${NAME}` in its place. Replace the key if others have seen the file.',
    bad: server(KEY),
    good: server('${TICKETS_TOKEN}'),
  },
  'security/named-secret': {
    severity: 'warning',
    what: 'A variable or header of a server has the name of a secret, and its value stands there as plain text.',
    why: 'A manifest is copied and committed, so the value is not written into it; a run takes it from its own environment.',
    todo: 'Set the variable where the agents are run, and write `${NAME}` as the value.',
    bad: server('not-for-others'),
    good: server('${TICKETS_TOKEN}'),
  },
  'security/second-frontmatter': {
    severity: 'warning',
    what: 'The prompt begins with another frontmatter.',
    why: 'Only the first one counts. Restrictions in the second are text for the model and nothing else.',
    todo: 'Delete one of the two, or move the second agent into a file of its own.',
    bad: file(HEAD, `---\nname: other\ntools: Read\n---\n\n${PROSE}`),
    good: file(HEAD, `---\n\n${PROSE}`),
  },
  'security/writable-code': {
    severity: 'info',
    what: 'A hook or server of the agent runs a file that the agent itself can change.',
    why: 'A guard that lies where the guarded can write guards nothing: what the agent writes there is run without asking.',
    todo: 'Keep the file below `.claude`, which is protected, or deny writing to it in settings.json.',
    bad: hook('node scripts/check.js'),
    good: hook('check-change'),
  },
} as const satisfies Record<string, CodeDoc>
