import type { CodeDoc } from './code-doc.ts'
import { agent, file, PATH } from './example.ts'
import { skill } from './skill.ts'

const TESTER = file('name: tester\ndescription: Runs the tests and reports what fails.\n')

const SKILL = '.claude/skills/release-notes/SKILL.md'

export const REFERENCE_CODES = {
  'reference/unknown-agent': {
    severity: 'warning',
    what: 'The brackets of `Agent(…)` name an agent that does not exist.',
    why: 'The agent may start only those that are named there, and this one cannot be started.',
    todo: 'Correct the name, or create the agent.',
    bad: agent('tools: Read, Agent(tester)'),
    good: { [PATH]: agent('tools: Read, Agent(tester)'), '.claude/agents/tester.md': TESTER },
  },
  'reference/unknown-plugin-agent': {
    severity: 'info',
    what: 'The brackets of `Agent(…)` name an agent of a plugin that was not given to this build.',
    why: 'It can be started only where that plugin is installed.',
    todo: 'Give --plugin-dir the folder of the plugin, or remove the name.',
    bad: agent('tools: Read, Agent(kit:tester)'),
    good: { [PATH]: agent('tools: Read, Agent(kit:tester)'), 'plugins/kit/agents/tester.md': TESTER },
  },
  'reference/shadowed-agent': {
    severity: 'info',
    what: 'The brackets of `Agent(…)` name an agent of the same folder that a higher layer has replaced.',
    why: 'The agent of the higher layer is started, with its own prompt and tools.',
    todo: 'Give the agent another name if the one in the same folder is meant.',
    bad: {
      'home/.claude/agents/example.md': agent('tools: Read, Agent(tester)'),
      'home/.claude/agents/tester.md': TESTER,
      '.claude/agents/tester.md': TESTER,
    },
    good: {
      'home/.claude/agents/example.md': agent('tools: Read, Agent(tester)'),
      'home/.claude/agents/tester.md': TESTER,
    },
  },
  'reference/unknown-skill': {
    severity: 'warning',
    what: 'An agent lists a skill that does not exist or cannot be read, and skills are kept where it belongs.',
    why: 'The text of the skill is not put before the task, and the agent works without it.',
    todo: 'Correct the name, or create the skill.',
    bad: { [PATH]: agent('skills:', '  - release-note'), [SKILL]: skill() },
    good: { [PATH]: agent('skills:', '  - release-notes'), [SKILL]: skill() },
  },
  'reference/unlisted-skill': {
    severity: 'info',
    what: 'An agent lists a skill that is not here: the project keeps no skills, or its plugin was not given to this build.',
    why: 'It is put before the task only where it is installed.',
    todo: 'Give --plugin-dir the folder of the plugin, create the skill, or remove the name.',
    bad: agent('skills: kit:release-notes'),
    good: { [PATH]: agent('skills: kit:release-notes'), 'plugins/kit/skills/release-notes/SKILL.md': skill() },
  },
  'reference/disabled-skill': {
    severity: 'warning',
    what: 'An agent lists a skill that says `disable-model-invocation`.',
    why: 'Such a skill is started by people only, so its text is not put before the task.',
    todo: 'Remove the name from the agent, or the key from the skill.',
    bad: { [PATH]: agent('skills: release-notes'), [SKILL]: skill('disable-model-invocation: true') },
    good: { [PATH]: agent('skills: release-notes'), [SKILL]: skill() },
  },
  'reference/unknown-server': {
    severity: 'info',
    what: 'An agent names an MCP server that is set up nowhere.',
    why: 'Where the session that runs the agent has no server of that name, the agent lacks its tools, and nobody says so.',
    todo: 'Add the server to .mcp.json or to the agent itself, or correct the name.',
    bad: agent('tools: Read, mcp__tickets__list'),
    good: {
      [PATH]: agent('tools: Read, mcp__tickets__list'),
      '.mcp.json': '{ "mcpServers": { "tickets": { "command": "ticket-server" } } }\n',
    },
  },
} as const satisfies Record<string, CodeDoc>
