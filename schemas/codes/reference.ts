import type { CodeDoc } from './code-doc.ts'
import { agent, file, PATH } from './example.ts'

const TESTER = file('name: tester\ndescription: Runs the tests and reports what fails.\n')

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
} as const satisfies Record<string, CodeDoc>
