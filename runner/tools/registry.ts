import type inputs from '../../schemas/generated/tool-inputs.json'
import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import { askUserQuestionTool } from './ask-user-question.ts'
import { bashTool } from './bash.ts'
import { customTool, type ReadCode } from './custom.ts'
import { skillTool } from '../skills/skill-tool.ts'
import { editTool } from './edit.ts'
import { globTool } from './glob.ts'
import { grepTool } from './grep.ts'
import { notebookEditTool } from './notebook-edit.ts'
import { enterPlanModeTool, exitPlanModeTool } from './plan-mode.ts'
import { readTool } from './read.ts'
import { taskOutputTool, taskStopTool } from './tasks.ts'
import { todoWriteTool } from './todo-write.ts'
import type { Absent, Tool } from './tool.ts'
import { webFetch } from './web-fetch.ts'
import { writeTool } from './write.ts'

/** Every tool of the catalogue, complete by its type: one that is added there must be decided on here. */
const CATALOGUE: Readonly<Record<keyof typeof inputs, Tool | Absent>> = {
  Agent: { absent: 'this run was not given any agents to start' },
  AskUserQuestion: askUserQuestionTool,
  Bash: bashTool,
  Edit: editTool,
  EnterPlanMode: enterPlanModeTool,
  ExitPlanMode: exitPlanModeTool,
  Glob: globTool,
  Grep: grepTool,
  ListMcpResources: { absent: 'the agent has no MCP servers' },
  NotebookEdit: notebookEditTool,
  Read: readTool,
  ReadMcpResource: { absent: 'the agent has no MCP servers' },
  SendMessage: { absent: 'this run was not given any agents to start' },
  Skill: skillTool(),
  TaskOutput: taskOutputTool,
  TaskStop: taskStopTool,
  TodoWrite: todoWriteTool,
  WebFetch: webFetch(),
  WebSearch: {
    absent: 'it is a tool of the API, which runs it without asking the rules about each search; this version does not offer it',
  },
  Write: writeTool,
}

/** The seam to the tools. */
export type ToolSet = (name: string) => Tool | Absent

export const builtInTools: ToolSet = (name) =>
  Object.hasOwn(CATALOGUE, name) ? CATALOGUE[name as keyof typeof CATALOGUE] : { absent: 'this version of agentc does not know it' }

/** The built-in tools, and those that the project wrote. */
export function runTools(header: Readonly<ManifestHeader>, readCode: ReadCode | undefined): ToolSet {
  return (name) => customTool(name, header, readCode) ?? builtInTools(name)
}

export function isPresent(tool: Tool | Absent): tool is Tool {
  return !('absent' in tool)
}
