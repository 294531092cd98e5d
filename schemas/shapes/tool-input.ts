import { z } from 'zod/v3'

/**
 * The input of every tool, as the model is told and as calls are checked.
 * `npm run generate` turns this into `generated/tool-inputs.json`, so that nothing loads zod at run time.
 */
const path = (what: string) => z.string().describe(what)

export const toolInputs = {
  Agent: z
    .object({
      description: z.string().describe('What the agent is to do, in three to five words'),
      prompt: z.string().describe('The whole task; the agent sees nothing else of this conversation'),
      subagent_type: z.string().optional().describe('Name of the agent to start; general-purpose when left out'),
      model: z.enum(['sonnet', 'opus', 'haiku', 'fable']).optional().describe('Model for this call; wins over the one in the definition'),
      run_in_background: z.boolean().optional().describe('Go on without waiting; a notification brings the result'),
      name: z.string().optional().describe('A name by which messages can be sent to the agent'),
      team_name: z.string().optional().describe('The team that the agent joins'),
      mode: z.string().optional().describe('A permission mode; it can only be stricter than the one in force'),
      isolation: z.enum(['worktree', 'remote']).optional().describe('Where the agent works: a git worktree of its own, or another machine'),
      cwd: path('Working directory; it must lie inside the present one').optional(),
    })
    .strict(),
  AskUserQuestion: z
    .object({
      question: z.string().describe('One clear question'),
      options: z.array(z.string()).min(2).max(6).optional().describe('Answers to choose from'),
    })
    .strict(),
  Bash: z
    .object({
      command: z.string().describe('The command line for bash; each starts in the working directory, and a cd does not last'),
      description: z.string().optional().describe('What the command does, in five to ten words'),
      timeout: z.number().int().positive().max(600_000).optional().describe('Milliseconds until the command is ended; 120000 by default'),
      run_in_background: z.boolean().optional().describe('Start it and go on; read its output with TaskOutput'),
    })
    .strict(),
  Edit: z
    .object({
      file_path: path('Path of the file to change'),
      old_string: z.string().describe('The text to replace, exactly as it stands in the file'),
      new_string: z.string().describe('The text to put in its place'),
      replace_all: z.boolean().optional().describe('Replace every occurrence, not just the only one'),
    })
    .strict(),
  EnterPlanMode: z.object({}).strict(),
  ExitPlanMode: z.object({ plan: z.string().describe('The plan, in Markdown, for a person to approve') }).strict(),
  Glob: z
    .object({
      pattern: z.string().describe('Glob such as **/*.ts'),
      path: path('Folder to search; the working directory when left out').optional(),
    })
    .strict(),
  Grep: z
    .object({
      pattern: z.string().describe('Regular expression in ripgrep syntax'),
      path: path('File or folder to search; the working directory when left out').optional(),
      glob: z.string().optional().describe('Only files that match this glob'),
      output_mode: z.enum(['content', 'files_with_matches', 'count']).optional().describe('What to return; files_with_matches by default'),
      '-i': z.boolean().optional().describe('Ignore case'),
      '-n': z.boolean().optional().describe('Line numbers in content mode; on by default'),
      '-A': z.number().int().min(0).optional().describe('Lines after each match'),
      '-B': z.number().int().min(0).optional().describe('Lines before each match'),
      '-C': z.number().int().min(0).optional().describe('Lines around each match'),
      head_limit: z.number().int().min(1).optional().describe('Return only the first so many lines'),
      multiline: z.boolean().optional().describe('Let a pattern span lines'),
    })
    .strict(),
  ListMcpResources: z.object({ server: z.string().optional().describe('Only the resources of this server') }).strict(),
  NotebookEdit: z
    .object({
      notebook_path: path('Path of the notebook'),
      cell_id: z.string().optional().describe('Id of the cell; a new cell goes after it'),
      new_source: z.string().describe('The new text of the cell'),
      cell_type: z.enum(['code', 'markdown']).optional().describe('Type of the cell; needed for a new one'),
      edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('What to do; replace by default'),
    })
    .strict(),
  Read: z
    .object({
      file_path: path('Path of the file, absolute or relative to the working directory'),
      offset: z.number().int().min(1).optional().describe('First line to read, counted from 1'),
      limit: z.number().int().min(1).optional().describe('How many lines to read'),
    })
    .strict(),
  ReadMcpResource: z
    .object({ server: z.string().describe('Name of the server'), uri: z.string().describe('Address of the resource') })
    .strict(),
  SendMessage: z.object({ to: z.string().describe('Name or id of an agent'), message: z.string().describe('What to tell it') }).strict(),
  Skill: z.object({ skill: z.string().describe('Name of the skill'), args: z.string().optional().describe('Arguments for it') }).strict(),
  TaskOutput: z
    .object({
      task_id: z.string().describe('Id of the background task'),
      block: z.boolean().optional().describe('Wait until it ends; on by default'),
      timeout: z.number().int().min(0).max(600_000).optional().describe('Milliseconds to wait at most'),
    })
    .strict(),
  TaskStop: z.object({ task_id: z.string().describe('Id of the background task') }).strict(),
  TodoWrite: z
    .object({
      todos: z
        .array(
          z
            .object({
              content: z.string().min(1).describe('What is to be done'),
              status: z.enum(['pending', 'in_progress', 'completed']),
              activeForm: z.string().min(1).describe('The same, as something being done'),
            })
            .strict(),
        )
        .describe('The whole list; it replaces the one before'),
    })
    .strict(),
  WebFetch: z
    .object({
      url: z.string().describe('Address of the page, http or https'),
      prompt: z.string().describe('What to look for on the page'),
    })
    .strict(),
  WebSearch: z
    .object({
      query: z.string().min(2).describe('What to search for'),
      allowed_domains: z.array(z.string()).optional().describe('Only results from these hosts'),
      blocked_domains: z.array(z.string()).optional().describe('No results from these hosts'),
    })
    .strict(),
  Write: z.object({ file_path: path('Path of the file'), content: z.string().describe('The whole new content') }).strict(),
} as const
