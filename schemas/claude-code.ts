import { profile, type Profile } from './profile.ts'
import type { Tool, Traits } from './tools.ts'

const SUB: Traits = { readOnly: false, subAgents: true, customAgents: true, background: true }
const FOREGROUND: Traits = { ...SUB, background: false }
const MAIN_ONLY: Traits = { ...FOREGROUND, subAgents: false, customAgents: false }

function tool(name: string, traits: Traits, aliases: string[] = []): Tool {
  return { name, aliases, description: '', inputSchema: {}, traits }
}

/**
 * The pool of Claude Code 2.1.332, headless, in its order (measured.md "Tools of a sub-agent"; conformance `mainTools` and probe p00).
 * Grep and Glob are there only without Bash, because this build searches through it; Monitor goes with Bash.
 */
const POOL: readonly Tool[] = [
  tool('Agent', { ...SUB, subAgents: 'nested' }, ['Task']),
  tool('AskUserQuestion', { ...MAIN_ONLY, interactive: true }),
  tool('Bash', SUB),
  tool('CronCreate', FOREGROUND),
  tool('CronDelete', FOREGROUND),
  tool('CronList', FOREGROUND),
  tool('Edit', SUB),
  tool('EnterPlanMode', { ...MAIN_ONLY, interactive: true }),
  tool('EnterWorktree', SUB),
  tool('ExitPlanMode', { ...SUB, subAgents: 'plan', interactive: true }),
  tool('ExitWorktree', SUB),
  tool('Glob', { ...SUB, withoutBash: true }),
  tool('Grep', { ...SUB, withoutBash: true }),
  tool('ListAgents', FOREGROUND),
  tool('Monitor', { ...SUB, needsBash: true }),
  tool('NotebookEdit', SUB),
  tool('Read', SUB),
  tool('ReportFindings', FOREGROUND),
  tool('ScheduleWakeup', MAIN_ONLY),
  tool('SendMessage', SUB),
  tool('Skill', SUB),
  tool('TaskOutput', { ...MAIN_ONLY, interactive: true }),
  tool('TaskStop', SUB, ['KillShell']),
  tool('ToolSearch', FOREGROUND),
  tool('WebFetch', SUB),
  tool('WebSearch', SUB),
  tool('Workflow', MAIN_ONLY),
  tool('Write', SUB),
]

/** Claude Code as measured, for people who author for that program. */
export const CLAUDE_CODE: Profile = profile({
  name: 'claude-code',
  host: 'Claude Code 2.1.332',
  tools: POOL,
  spawnDepth: 3,
  subAgentsInBackground: true,
  specifierDeniesTool: true,
  wildcardDenies: false,
  wildcardGrantsMcp: false,
  looseHooksDropAgent: true,
  pluginFilesAreAgents: true,
  defaults: {
    model: 'claude-opus-5-5',
    effort: 'medium',
    unknownModelEffort: 'high',
    withoutEffort: ['claude-3', 'claude-sonnet-4-5', 'claude-sonnet-4-2', 'claude-opus-4-1', 'claude-opus-4-2', 'claude-haiku-4'],
  },
})
