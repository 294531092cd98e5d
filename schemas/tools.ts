import inputs from './generated/tool-inputs.json' with { type: 'json' }
import type { Origin } from './source.ts'

/**
 * What a tool is to the rules. The deny sets of M7 are these traits, not lists of names elsewhere.
 * - `readOnly`: may run beside other read-only calls
 * - `subAgents`: a sub-agent may have it; `nested` only above the depth limit, `plan` only in plan mode
 * - `customAgents`: an agent that is not built in may have it
 * - `background`: an agent in the background may have it
 * - `polling`: the same call again and again is how it is used, and no sign of a loop
 * - `interactive`: only where a person sits in front of it
 * - `withoutBash`: only where Bash is not; `needsBash`: only where Bash is
 */
export interface Traits {
  readOnly: boolean
  subAgents: boolean | 'nested' | 'plan'
  customAgents: boolean
  background: boolean
  polling?: true
  interactive?: true
  withoutBash?: true
  needsBash?: true
}

export interface Tool {
  name: string
  aliases: readonly string[]
  description: string
  inputSchema: Record<string, unknown>
  traits: Traits
  /** For a tool that the project wrote: the hash of its code, and the file it is written in. */
  code?: { hash: string; origin: Origin }
}

const READ = { readOnly: true, subAgents: true, customAgents: true, background: true }
const WRITE = { ...READ, readOnly: false }
const MAIN_ONLY = { readOnly: false, subAgents: false, customAgents: false, background: false }

type ToolName = keyof typeof inputs

function tool(name: ToolName, traits: Traits, description: string, aliases: string[] = []): Tool {
  return { name, aliases, description, inputSchema: inputs[name] as Record<string, unknown>, traits }
}

/** Every tool that agentc runs, in the order in which a model is offered them. */
export const TOOLS: readonly Tool[] = [
  tool('Agent', { ...READ, subAgents: 'nested', background: false }, 'Starts another agent on a task of its own and returns its report.', [
    'Task',
  ]),
  tool('AskUserQuestion', MAIN_ONLY, 'Asks the person a question and waits for the answer.'),
  tool('Bash', WRITE, 'Runs a command in bash and returns its output.'),
  tool('Edit', WRITE, 'Replaces text in a file that was read before.'),
  tool('EnterPlanMode', MAIN_ONLY, 'Switches to plan mode, in which nothing is changed.'),
  tool(
    'ExitPlanMode',
    { ...MAIN_ONLY, subAgents: 'plan', customAgents: true, background: true },
    'Presents the plan for approval and leaves plan mode.',
  ),
  tool('Glob', READ, 'Finds files by a glob and returns their paths.'),
  tool('Grep', READ, 'Searches the contents of files with a regular expression.'),
  tool('ListMcpResources', { ...READ, background: false }, 'Lists the resources that MCP servers offer.', ['ListMcpResourcesTool']),
  tool('NotebookEdit', WRITE, 'Replaces, inserts or deletes a cell of a Jupyter notebook.'),
  tool('Read', READ, 'Reads a file and returns its lines with numbers.'),
  tool('ReadMcpResource', { ...READ, background: false }, 'Reads one resource of an MCP server.', ['ReadMcpResourceTool']),
  tool('SendMessage', WRITE, 'Sends a message to an agent that was started before.'),
  tool('Skill', WRITE, 'Runs a skill by its name.'),
  tool('TaskOutput', { ...MAIN_ONLY, readOnly: true, polling: true }, 'Returns what a background task has printed so far.'),
  tool('TaskStop', MAIN_ONLY, 'Ends a background task.', ['KillShell']),
  tool('TodoWrite', WRITE, 'Replaces the list of things to do.'),
  tool('WebFetch', READ, 'Fetches a page and returns it as Markdown.'),
  tool('WebSearch', READ, 'Searches the web.'),
  tool('Write', WRITE, 'Writes a file, replacing what it held.'),
]

/** Names that stand in old files for tools that are gone, with what does their work today (claude-code-agents.md 4.1). */
export const RETIRED: Readonly<Record<string, string>> = {
  LS: 'Glob',
  MultiEdit: 'Edit',
  NotebookRead: 'Read',
  BashOutput: 'Read',
  KillBash: 'TaskStop',
  AgentOutput: 'TaskOutput',
  AgentOutputTool: 'TaskOutput',
  TodoRead: 'TodoWrite',
  MCPSearch: 'ToolSearch',
  SlashCommand: 'Skill',
  FileEdit: 'Edit',
  FileWrite: 'Write',
  FileRead: 'Read',
}

/** Tools of Claude Code that agentc knows by name and does not run (claude-code-agents.md 4.1). */
export const HOST_ONLY: readonly string[] = [
  'Artifact',
  'ArtifactCheck',
  'ArtifactComments',
  'ArtifactData',
  'CronCreate',
  'CronDelete',
  'CronList',
  'EndConversation',
  'EnterWorktree',
  'ExitWorktree',
  'ListAgents',
  'LSP',
  'Monitor',
  'PowerShell',
  'PushNotification',
  'ReadMcpResourceDir',
  'RefreshMcpTools',
  'RemoteTrigger',
  'REPL',
  'ReportFindings',
  'ScheduleWakeup',
  'SendFeedback',
  'SendUserFile',
  'ShareOnboardingGuide',
  'SubagentHandback',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskUpdate',
  'TeamCreate',
  'TeamDelete',
  'ToolSearch',
  'WaitForMcpServers',
  'Workflow',
]
