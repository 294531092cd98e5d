import type { CodeDoc } from './code-doc.ts'
import { agent, file, PATH } from './example.ts'

const EXPLORE = 'description: Looks around in the code and reports what it found.\n'

const TESTER = (tools: string): string => file(`name: tester\ndescription: Runs the tests.\ntools: ${tools}\n`)

export const AGENT_CODES = {
  'agent/duplicate-name': {
    severity: 'error',
    what: 'Two files below one agents folder have the same name.',
    why: 'Only one of them counts. Which one depends on the order in which files are read, and differs between versions of Claude Code.',
    todo: 'Rename one of the two, or delete it.',
    bad: { [PATH]: agent(), '.claude/agents/copy.md': agent() },
    good: { [PATH]: agent(), '.claude/agents/copy.md': file('name: copy\ndescription: Copies changes to another branch.\n') },
  },
  'agent/near-duplicate': {
    severity: 'warning',
    what: 'The names of two agents differ only by letter case, hyphens, underscores or blanks.',
    why: 'agentc looks names up exactly and keeps both. People and models mix them up, and Claude Code may start either.',
    todo: 'Rename one of the two, or give both the same name if one is to replace the other.',
    bad: { [PATH]: agent(), 'home/.claude/agents/example.md': file('name: Ex_Ample\ndescription: Copies changes to another branch.\n') },
    good: { [PATH]: agent(), 'home/.claude/agents/example.md': file('name: copy\ndescription: Copies changes to another branch.\n') },
  },
  'agent/near-builtin': {
    severity: 'info',
    what: 'The name of the agent differs from that of a built-in one only by letter case, hyphens, underscores or blanks.',
    why: 'It does not replace the built-in agent. Both are there, and a model may start either.',
    todo: 'Write the name exactly like the built-in one to replace it, or choose another name.',
    bad: file(`name: explore\n${EXPLORE}`),
    good: file(`name: code-explorer\n${EXPLORE}`),
  },
  'agent/description-budget': {
    severity: 'warning',
    what: 'The descriptions of all agents together are longer than about 15,000 tokens.',
    why: 'They go out with every request: they cost money, and the longer the list, the worse a model chooses from it.',
    todo: 'Shorten the largest descriptions, move examples into the prompts, or remove agents.',
    bad: file(`name: example\ndescription: ${'Reviews changes. '.repeat(3800)}\n`),
    good: agent(),
  },
  'agent/spawn-cycle': {
    severity: 'info',
    what: 'Agents name each other in their lists so that they can start each other in a circle.',
    why: 'Only the depth limit ends it. Until then every level is a conversation of its own, which has to be paid for.',
    todo: 'Remove one of the names from its list, unless the circle is meant.',
    bad: { [PATH]: agent('tools: Read, Agent(tester)'), '.claude/agents/tester.md': TESTER('Read, Agent(example)') },
    good: { [PATH]: agent('tools: Read, Agent(tester)'), '.claude/agents/tester.md': TESTER('Read') },
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
