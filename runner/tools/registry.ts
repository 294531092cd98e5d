import type inputs from '../../schemas/generated/tool-inputs.json'
import { globTool } from './glob.ts'
import { grepTool } from './grep.ts'
import { readTool } from './read.ts'
import type { Absent, Tool } from './tool.ts'

const LATER: Absent = { absent: 'this version of agentc does not run it yet' }

/** Every tool of the catalogue, complete by its type: one that is added there must be decided on here. */
const CATALOGUE: Readonly<Record<keyof typeof inputs, Tool | Absent>> = {
  Agent: { absent: 'this version of agentc does not start sub-agents yet' },
  AskUserQuestion: { absent: 'nobody can be asked in this version of agentc' },
  Bash: LATER,
  Edit: LATER,
  EnterPlanMode: LATER,
  ExitPlanMode: LATER,
  Glob: globTool,
  Grep: grepTool,
  ListMcpResources: { absent: 'this version of agentc does not start MCP servers yet' },
  NotebookEdit: LATER,
  Read: readTool,
  ReadMcpResource: { absent: 'this version of agentc does not start MCP servers yet' },
  SendMessage: { absent: 'this version of agentc does not start sub-agents yet' },
  Skill: LATER,
  TaskOutput: LATER,
  TaskStop: LATER,
  TodoWrite: LATER,
  WebFetch: LATER,
  WebSearch: LATER,
  Write: LATER,
}

/** The seam to the tools. */
export type ToolSet = (name: string) => Tool | Absent

export const builtInTools: ToolSet = (name) =>
  Object.hasOwn(CATALOGUE, name) ? CATALOGUE[name as keyof typeof CATALOGUE] : { absent: 'this version of agentc does not know it' }

export function isPresent(tool: Tool | Absent): tool is Tool {
  return !('absent' in tool)
}
