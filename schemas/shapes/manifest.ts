import { z } from 'zod/v3'
import { COLORS, EFFORTS, ISOLATIONS, MEMORY_SCOPES, PERMISSION_MODES } from '../values.ts'
import { hooksShape } from './hook.ts'
import { originShape, placeShape, ruleShape } from './permission.ts'
import { lockedToolShape, serverShape, serverUseShape } from './server.ts'

const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/)

/** Tools of MCP servers, whose names are known only at run time: everything, or these servers' tools (`*`: all of them). */
const mcpShape = z.union([z.literal('all'), z.array(z.object({ server: z.string(), tool: z.string() }).strict())])

/** What an agent may use in one role. `plan` lists the tools that are added while the agent is in plan mode. */
export const viewShape = z
  .object({ tools: z.array(z.string()), mcp: mcpShape, mcpDeny: mcpShape, plan: z.array(z.string()).optional() })
  .strict()

const toolShape = z
  .object({
    description: z.string(),
    input_schema: z.record(z.unknown()),
    traits: z.object({ readOnly: z.boolean() }).strict(),
    aliases: z.array(z.string()).optional(),
    /** A tool of the project, written in TypeScript: the hash under which its code lies beside the manifest. */
    code: z.object({ hash, origin: originShape }).strict().optional(),
  })
  .strict()

const commandShape = z
  .object({
    description: z.string().optional(),
    content: z.string(),
    hash,
    origin: originShape,
    allowedTools: z.array(ruleShape).optional(),
    model: z.string().optional(),
    arguments: z.array(z.string()).optional(),
    argumentHint: z.string().optional(),
  })
  .strict()

/** What the settings say beside rules and hooks; every value with the place it was written at, which decides whether it is trusted. */
const settingsShape = z
  .object({
    defaultMode: z
      .object({ value: z.enum(PERMISSION_MODES), origin: placeShape })
      .strict()
      .optional(),
    bypassDisabled: z.boolean(),
    additionalDirectories: z.array(z.object({ value: z.string(), origin: placeShape }).strict()),
    env: z.record(z.object({ value: z.string(), origin: placeShape }).strict()),
    agent: z.object({ value: z.string(), origin: placeShape }).strict().optional(),
  })
  .strict()

const skillShape = z
  .object({
    description: z.string(),
    /** The text below the frontmatter. */
    content: z.string(),
    hash,
    origin: originShape,
    disableModelInvocation: z.boolean().optional(),
    userInvocable: z.boolean().optional(),
    allowedTools: z.array(ruleShape).optional(),
    model: z.string().optional(),
    effort: z.union([z.enum(EFFORTS), z.number().int()]).optional(),
    context: z.literal('fork').optional(),
    agent: z.string().optional(),
    arguments: z.array(z.string()).optional(),
  })
  .strict()

/** One agent, complete: everything a runner needs to execute it. Its hash is over the RFC 8785 form of all other members. */
export const agentShape = z
  .object({
    hash,
    description: z.string(),
    prompt: z.string(),
    /** A model's full id, or `inherit`. */
    model: z.string(),
    contextWindow: z.literal('1m').optional(),
    effort: z.union([z.enum(EFFORTS), z.number().int()]).optional(),
    maxTurns: z.number().int().positive().optional(),
    permissionMode: z.enum(PERMISSION_MODES).optional(),
    color: z.enum(COLORS),
    background: z.boolean().optional(),
    initialPrompt: z.string().optional(),
    isolation: z.enum(ISOLATIONS).optional(),
    memory: z.enum(MEMORY_SCOPES).optional(),
    omitClaudeMd: z.boolean().optional(),
    reminder: z.string().optional(),
    cacheTtl: z.enum(['5m', '1h']).optional(),
    autoCompactWindow: z.number().int().positive().optional(),
    toolViews: z.object({ main: viewShape, sub: viewShape, leaf: viewShape, background: viewShape }).strict(),
    /** Caps from specifiers in `tools`: a call of the tool must match one of them. They never allow anything by themselves. */
    limits: z.array(ruleShape),
    /** Deny rules from specifiers in `disallowedTools`. */
    deny: z.array(ruleShape),
    spawns: z.union([z.literal('all'), z.array(z.string())]),
    servers: z.array(serverUseShape),
    requiredServers: z.array(z.string()).optional(),
    hooks: hooksShape.optional(),
    skills: z.array(z.string()),
    origin: originShape.extend({ hash }).strict(),
    overrides: z.array(originShape.extend({ hash }).strict()),
    provenance: z.record(placeShape),
  })
  .strict()

export const headerShape = z
  .object({
    agentc: z.literal(1),
    hash,
    profile: z.string(),
    models: z.record(z.string()),
    limits: z
      .object({ spawnDepth: z.number().int().min(0), parallelReads: z.number().int().min(1), resultChars: z.number().int().min(1) })
      .strict(),
    features: z.record(z.boolean()),
    tools: z.record(toolShape),
    skills: z.record(skillShape),
    commands: z.record(commandShape),
    settings: settingsShape,
    /** The text that memory adds to a prompt, by scope; `{{folder}}` and `{{content}}` are filled in at run time. */
    memory: z.record(z.string()),
    mcpServers: z.record(z.object({ config: serverShape, origin: placeShape }).strict()),
    mcpTools: z.record(z.array(lockedToolShape)).optional(),
    permissions: z.object({ allow: z.array(ruleShape), ask: z.array(ruleShape), deny: z.array(ruleShape) }).strict(),
    hooks: hooksShape,
  })
  .strict()

export const manifestShape = headerShape.extend({ agents: z.record(agentShape) }).strict()

export type View = z.infer<typeof viewShape>
export type Mcp = z.infer<typeof mcpShape>
export type ManifestTool = z.infer<typeof toolShape>
export type ManifestAgent = z.infer<typeof agentShape>
export type ManifestHeader = z.infer<typeof headerShape>
export type Manifest = z.infer<typeof manifestShape>
