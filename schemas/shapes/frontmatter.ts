import { z } from 'zod/v3'
import { COLORS, EFFORTS, HOOK_EVENTS, ISOLATIONS, MEMORY_SCOPES, NAME_LIMIT, PERMISSION_MODES } from '../values.ts'
import { handlerShape } from './hook.ts'

/**
 * The frontmatter of an agent file as an editor should complete and check it: the documented spellings.
 * The compiler accepts more (see `compiler/define`) and says so where it does.
 */
const names = (what: string) => z.union([z.string(), z.array(z.string())]).describe(what)

const authoredHandler = z.object({ type: z.string() }).passthrough()

const server = z
  .object({
    type: z.enum(['stdio', 'http', 'sse', 'ws']).optional(),
    command: z.string().optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string()).optional(),
    url: z.string().optional(),
    headers: z.record(z.string()).optional(),
  })
  .passthrough()

const hooks = z.record(
  z.enum(HOOK_EVENTS),
  z.array(z.object({ matcher: z.string().optional(), hooks: z.array(z.union([handlerShape, authoredHandler])) })),
)

const optional = {
  tools: names('The only tools the agent may use; all when left out, none when empty').nullable().optional(),
  disallowedTools: names('Tools the agent may not use; wins over tools').optional(),
  model: z.string().describe('An alias (sonnet, opus, haiku, fable), a full id, or inherit').optional(),
  effort: z
    .union([z.enum(EFFORTS), z.number().int()])
    .describe('How much the model thinks')
    .optional(),
  maxTurns: z.number().int().positive().describe('Model calls after which the agent stops').optional(),
  permissionMode: z.enum([...PERMISSION_MODES, 'manual']).optional(),
  background: z.boolean().describe('Always run in the background').optional(),
  initialPrompt: z.string().describe('Goes before the first prompt when the agent is the main one').optional(),
  isolation: z.enum(ISOLATIONS).describe('Work in a git worktree of its own, or on another machine').optional(),
  memory: z.enum(MEMORY_SCOPES).describe('Keeps notes between runs; grants Read, Write and Edit').optional(),
  mcpServers: z
    .array(z.union([z.string(), z.record(server)]))
    .describe('Servers by name, or defined in place')
    .optional(),
  hooks: hooks.describe('Hooks that live as long as the agent').optional(),
  skills: names('Skills whose text is put before the task').optional(),
  omitClaudeMd: z.boolean().describe('Leave out CLAUDE.md').optional(),
  requiredMcpServers: z.array(z.string()).describe('Servers without which the agent is not started').optional(),
  criticalSystemReminder_EXPERIMENTAL: z.string().describe('Repeated with every user turn').optional(),
  autoCompactWindow: z.number().int().positive().describe('Tokens after which the conversation is compacted').optional(),
}

export const frontmatterShape = z
  .object({
    name: z.string().min(1).max(NAME_LIMIT).describe('The agent is found by this name'),
    description: z.string().min(1).describe('When to use the agent; other agents decide by it'),
    color: z.enum(COLORS).optional(),
    experimental: z
      .object({ cacheTtl: z.enum(['5m', '1h']).optional() })
      .passthrough()
      .optional(),
    ...optional,
  })
  .passthrough()

export const agentsFlagShape = z.record(z.object({ description: z.string().min(1), prompt: z.string(), ...optional }).passthrough())
