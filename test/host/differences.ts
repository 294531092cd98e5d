/** One thing that was observed on Claude Code and comes out differently under `--target claude-code`. */
export interface Difference {
  tree: string
  agent: string
  field: 'active' | 'tools' | 'model' | 'effort' | 'description'
  agentc: string
  claudeCode: string
}

/** A deliberate difference: its cause, and which observations it covers. Each observation must fit exactly one row. */
export interface Row {
  cause: string
  covers: (difference: Difference) => boolean
}

const BUILT_IN = new Set(['Explore', 'claude', 'claude-code-guide'])

export const ROWS: readonly Row[] = [
  {
    cause: 'The built-in agents are agentc’s own: Explore runs on a fast model, `claude` is not there, the guide is always there.',
    covers: ({ agent, field }) => BUILT_IN.has(agent) && (field === 'active' || field === 'model'),
  },
  {
    cause: 'A literal `\\n` in a description stays as it is written; Claude Code turns it into a line break in its listing.',
    covers: ({ field, agentc, claudeCode }) => field === 'description' && agentc.replaceAll('\\n', '\n') === claudeCode,
  },
  {
    cause: 'MCP patterns stay in the view: a build does not know which servers a session will have.',
    covers: ({ field, agentc, claudeCode }) => field === 'tools' && withoutMcp(agentc) === withoutMcp(claudeCode),
  },
  {
    cause: 'Models older than the 5 series get four more tools (TaskCreate, TaskGet, TaskList, TaskUpdate); the profile has one pool.',
    covers: ({ field, claudeCode }) => field === 'tools' && claudeCode.includes('TaskCreate'),
  },
  {
    cause: '`---` inside a value does not end the frontmatter; it is the error `yaml/fence-in-value`, which says what Claude Code loses.',
    covers: ({ tree, agent, field }) => tree === 'probes/resolve' && agent === 'p81' && field === 'tools',
  },
]

function withoutMcp(tools: string): string {
  return tools
    .split(', ')
    .filter((name) => !name.startsWith('mcp__'))
    .join(', ')
}
