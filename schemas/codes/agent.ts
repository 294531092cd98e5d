import type { CodeDoc } from './code-doc.ts'
import { agent, file, PATH } from './example.ts'

const EXPLORE = 'description: Looks around in the code and reports what it found.\n'

export const AGENT_CODES = {
  'agent/duplicate-name': {
    severity: 'error',
    what: 'Two files below one agents folder have the same name.',
    why: 'Only one of them counts. Which one depends on the order in which files are read, and differs between versions of Claude Code.',
    todo: 'Rename one of the two, or delete it.',
    bad: { [PATH]: agent(), '.claude/agents/copy.md': agent() },
    good: { [PATH]: agent(), '.claude/agents/copy.md': file('name: copy\ndescription: Copies changes to another branch.\n') },
  },
  'agent/overrides-builtin': {
    severity: 'info',
    what: 'The agent has the name of a built-in one and replaces it.',
    why: 'Whoever starts that agent gets this prompt and these tools, also where the built-in one is expected.',
    todo: 'If that is not meant, choose another name.',
    bad: file(`name: Explore\n${EXPLORE}`),
    good: file(`name: code-explorer\n${EXPLORE}`),
  },
} as const satisfies Record<string, CodeDoc>
