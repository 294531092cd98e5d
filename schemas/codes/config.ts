import type { CodeDoc } from './code-doc.ts'

const FILE = 'agentc.config.json'
const config = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const GOOD = { [FILE]: config({ limits: { turns: 50, usd: 2.5, compact: { tokens: 120000 } } }) }

/** Remote skills with nothing wrong in them. */
export const REMOTE = {
  address: 'https://skills.example.com/',
  remote: {
    'release-notes': { description: 'Writes release notes. Use it when a version is tagged.', digest: `sha256:${'5e'.repeat(32)}` },
  },
}

export const CONFIG_CODES = {
  'config/invalid-json': {
    severity: 'error',
    what: 'agentc.config.json is not a JSON object.',
    why: 'None of its limits would hold, so no agent is run.',
    todo: 'Write strict JSON: names in quotes, no comments, no comma after the last entry.',
    bad: { [FILE]: '{ "limits": { "usd": 5, } }\n' },
    good: GOOD,
  },
  'config/invalid-limit': {
    severity: 'error',
    what: 'A limit has a value that is no such number.',
    why: 'The limit would not hold, and a run could spend what nobody wanted to.',
    todo: 'Write a number above 0; a whole one for everything but `usd`, `seconds` and `idleSeconds`.',
    bad: { [FILE]: config({ limits: { usd: '5 dollars' } }) },
    good: GOOD,
  },
  'config/invalid-sandbox': {
    severity: 'error',
    what: '`sandbox` of agentc.config.json is neither `required` nor `auto`.',
    why: 'Commands of agents could run without walls although somebody wanted them. A file cannot leave the walls out, a command can.',
    todo: 'Write `"sandbox": "required"`, or remove the key.',
    bad: { [FILE]: config({ sandbox: 'off' }) },
    good: { [FILE]: config({ sandbox: 'required' }) },
  },
  'config/unknown-key': {
    severity: 'error',
    what: 'agentc.config.json has a key that is none.',
    why: 'What stands there does nothing.',
    todo: 'Write the key as it is documented: `limits` with turns, tokens, usd, seconds, idleSeconds, outputChars, agents, spawnDepth, compact; `sandbox`; `skills` with address and remote. `agentc schema config` prints them all.',
    bad: { [FILE]: config({ limits: { maxUsd: 5 } }) },
    good: GOOD,
  },
  'config/invalid-skill': {
    severity: 'error',
    what: 'A skill that is kept elsewhere is not described as it has to be.',
    why: 'The skill would be missing where agents count on it.',
    todo: 'Give `skills` an `address` that begins with https://, and each entry of `remote` a `description` and a `digest`.',
    bad: { [FILE]: config({ skills: { address: 'http://skills.example.com/', remote: {} } }) },
    good: { [FILE]: config({ skills: REMOTE }) },
  },
  'config/above-policy': {
    severity: 'warning',
    what: 'A project gives its runs more than policy allows.',
    why: 'The lower limit counts.',
    todo: 'Write a limit within that of policy.',
    bad: { [FILE]: config({ limits: { usd: 50 } }), [`managed/${FILE}`]: config({ limits: { usd: 10 } }) },
    good: { [FILE]: config({ limits: { usd: 5 } }), [`managed/${FILE}`]: config({ limits: { usd: 10 } }) },
  },
} as const satisfies Record<string, CodeDoc>
