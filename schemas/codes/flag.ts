import type { CodeDoc } from './code-doc.ts'

const ENTRY = '{ "description": "Reviews changes before they are merged.", "prompt": "Read the change set." }'
const GOOD = { 'flag/agents.json': `{ "example": ${ENTRY} }\n` }

export const FLAG_CODES = {
  'flag/invalid-json': {
    severity: 'error',
    what: 'The value of --agents is not JSON, or is JSON and no object.',
    why: 'None of its agents can be read. Claude Code refuses to start with it.',
    todo: 'Write an object that has one entry for each agent, with its name as the key.',
    bad: { 'flag/agents.json': `{ example: ${ENTRY} }\n` },
    good: GOOD,
  },
  'flag/not-an-agent': {
    severity: 'error',
    what: 'An entry of --agents does not describe an agent.',
    why: 'There is no agent of this name. Claude Code refuses to start because of it, and starts none of the others.',
    todo: 'Give the entry a `description` and a `prompt`, and a name that does not begin with `-` and has no `:`.',
    bad: { 'flag/agents.json': `{ "example": "Read the change set." }\n` },
    good: GOOD,
  },
} as const satisfies Record<string, CodeDoc>
