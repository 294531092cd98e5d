import { z } from 'zod/v3'
import { COLORS, EFFORTS, INSTRUCTION_LEVELS, ISOLATIONS, MEMORY_SCOPES, PERMISSION_MODES, SANDBOX_DEMANDS } from '../values.ts'
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
    /** `polling`: the same call again is how it is used, and no sign of a loop. */
    traits: z.object({ readOnly: z.boolean(), polling: z.literal(true).optional() }).strict(),
    aliases: z.array(z.string()).optional(),
    /** A tool of the project, written in TypeScript: the hash under which its code lies beside the manifest. */
    code: z.object({ hash, origin: originShape }).strict().optional(),
  })
  .strict()

const count = z.number().int().positive()

/** Limits of a run with all agents that it starts; what is not set has none. `compact`: when the conversation is summarised. */
const runLimitsShape = z
  .object({
    turns: count.optional(),
    tokens: count.optional(),
    usd: z.number().positive().optional(),
    seconds: z.number().positive().optional(),
    /** Without a sign of life of the model or a tool. */
    idleSeconds: z.number().positive().optional(),
    outputChars: count.optional(),
    agents: count.optional(),
    compact: z.object({ tokens: count.optional(), messages: count.optional(), usd: z.number().positive().optional() }).strict().optional(),
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

/**
 * A plugin whose hooks, servers, skills or commands are in the manifest, by its name. No absolute path is in here: `folder` is relative to
 * the folder that a run is given with `--plugin-dir`, and `files` tells the right one (the files those parts were read from, by their hash).
 */
const pluginShape = z.object({ folder: z.string(), files: z.record(hash) }).strict()

/**
 * What people have written down for every agent: CLAUDE.md and what belongs to it, once for all agents, in the order in which a model gets
 * it. `text` is what it gets, with a frame around it; `hash` is that of the file's bytes, or of the value in settings.
 */
const instructionsShape = z
  .object({
    /** Stands before the texts. */
    intro: z.string(),
    files: z.array(
      z
        .object({ level: z.enum(INSTRUCTION_LEVELS), origin: originShape, hash, importedBy: originShape.optional(), text: z.string() })
        .strict(),
    ),
  })
  .strict()

/** What skills and commands have in common: a text that is put into the conversation, and what holds while it is at work. */
const prompt = {
  /** The text below the frontmatter. */
  content: z.string(),
  /** Of the file. */
  hash,
  /** `${CLAUDE_SKILL_DIR}` is the folder of `path`. */
  origin: originShape,
  whenToUse: z.string().optional(),
  argumentHint: z.string().optional(),
  arguments: z.array(z.string()).optional(),
  disableModelInvocation: z.boolean().optional(),
  userInvocable: z.boolean().optional(),
  allowedTools: z.array(ruleShape).optional(),
  disallowedTools: z.array(ruleShape).optional(),
  model: z.string().optional(),
  contextWindow: z.literal('1m').optional(),
  effort: z.union([z.enum(EFFORTS), z.number().int()]).optional(),
  context: z.literal('fork').optional(),
  agent: z.string().optional(),
  background: z.boolean().optional(),
  /** Patterns of the files at whose touch the skill is offered. */
  paths: z.array(z.string()).optional(),
  shell: z.enum(['bash', 'powershell']).optional(),
  hooks: hooksShape.optional(),
}

const skillShape = z.object({ description: z.string(), ...prompt }).strict()
const commandShape = z.object({ description: z.string().optional(), ...prompt }).strict()

/** A skill that is kept elsewhere: a run has its text from a cache, or from the address, and takes no other than that of the digest. */
const remoteSkillShape = z.object({ description: z.string(), digest: hash, address: z.string(), origin: placeShape }).strict()

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
    /** The header's guidance for the model's family stands behind the prompt. */
    guidance: z.literal(true).optional(),
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
    /** Tools of the servers that the agent brings along, if they were locked; those of other servers are in the header. */
    mcpTools: z.record(z.array(lockedToolShape)).optional(),
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
      .object({
        spawnDepth: z.number().int().min(0),
        parallelReads: z.number().int().min(1),
        resultChars: z.number().int().min(1),
        /** What the project's `agentc.config.json` gives a run, never above `most`. */
        run: runLimitsShape.optional(),
        /** What policy gives a run at most, whatever a command asks for. */
        most: runLimitsShape.omit({ compact: true }).optional(),
      })
      .strict(),
    /** What `agentc.config.json` asks of the walls around commands: of the project and policy together, and of policy, which holds at least. */
    sandbox: z
      .object({ mode: z.enum(SANDBOX_DEMANDS), least: z.enum(SANDBOX_DEMANDS).optional() })
      .strict()
      .optional(),
    features: z.record(z.boolean()),
    tools: z.record(toolShape),
    skills: z.record(skillShape),
    commands: z.record(commandShape),
    remoteSkills: z.record(remoteSkillShape).optional(),
    settings: settingsShape,
    /** The text that memory adds to a prompt, by scope; `{{folder}}` and `{{content}}` are filled in at run time. */
    memory: z.record(z.string()),
    /** What a prompt that asks for it gets in addition, by the family of the model that it is sent to. */
    guidance: z.record(z.string()).optional(),
    instructions: instructionsShape.optional(),
    mcpServers: z.record(z.object({ config: serverShape, origin: placeShape }).strict()),
    mcpTools: z.record(z.array(lockedToolShape)).optional(),
    plugins: z.record(pluginShape).optional(),
    permissions: z.object({ allow: z.array(ruleShape), ask: z.array(ruleShape), deny: z.array(ruleShape) }).strict(),
    hooks: hooksShape,
  })
  .strict()

export const manifestShape = headerShape.extend({ agents: z.record(agentShape) }).strict()

export type View = z.infer<typeof viewShape>
export type Mcp = z.infer<typeof mcpShape>
export type ManifestTool = z.infer<typeof toolShape>
export type ManifestSkill = z.infer<typeof skillShape>
export type ManifestPlugin = z.infer<typeof pluginShape>
export type ManifestCommand = z.infer<typeof commandShape>
export type ManifestInstructions = z.infer<typeof instructionsShape>
export type ManifestAgent = z.infer<typeof agentShape>
export type ManifestHeader = z.infer<typeof headerShape>
export type Manifest = z.infer<typeof manifestShape>
