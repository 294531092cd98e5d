import { z } from 'zod/v3'
import { COLORS, EFFORTS, ROLES } from '../values.ts'
import { SOURCES } from '../source.ts'

const position = z.object({ line: z.number().int().min(1), column: z.number().int().min(1) }).strict()
const range = z.object({ start: position, end: position }).strict()

export const diagnosticShape = z
  .object({
    code: z.string(),
    severity: z.enum(['error', 'warning', 'info']),
    message: z.string(),
    help: z.string().optional(),
    file: z.string(),
    range,
    related: z.array(z.object({ message: z.string(), file: z.string(), range }).strict()).optional(),
    fix: z
      .object({ title: z.string(), edits: z.array(z.object({ range, text: z.string() }).strict()) })
      .strict()
      .optional(),
  })
  .strict()

export const buildReportShape = z
  .object({
    diagnostics: z.array(diagnosticShape),
    summary: z.object({ agents: z.number(), errors: z.number(), warnings: z.number(), infos: z.number() }).strict(),
  })
  .strict()

const tools = z.array(z.string())

export const listEntryShape = z
  .object({
    name: z.string(),
    source: z.enum(SOURCES),
    path: z.string(),
    description: z.string(),
    color: z.enum(COLORS).optional(),
    model: z.string().optional(),
    effort: z.union([z.enum(EFFORTS), z.number().int()]).optional(),
    tools: z.object({ main: tools, sub: tools, leaf: tools, background: tools }).strict(),
    overrides: z.number().int(),
    status: z.enum(['active', 'dropped']),
    code: z.string().optional(),
  })
  .strict()

export const listShape = z.array(listEntryShape)

/** What a difference is about: the agent as a whole, one of its members, or a member of the header, which concerns every agent. */
const CHANGE_KINDS = [
  'agent',
  'origin',
  'overrides',
  'source',
  'tools',
  'planTools',
  'limits',
  'deny',
  'spawns',
  'permissionMode',
  'background',
  'isolation',
  'memory',
  'maxTurns',
  'model',
  'effort',
  'color',
  'hooks',
  'servers',
  'requiredServers',
  'mcpTools',
  'skills',
  'prompt',
  'description',
  'initialPrompt',
  'reminder',
  'omitClaudeMd',
  'guidance',
  'cacheTtl',
  'autoCompactWindow',
  'allowRules',
  'askRules',
  'denyRules',
  'defaultMode',
  'bypassDisabled',
  'additionalDirectories',
  'env',
  'mainAgent',
  'profile',
  'models',
  'runLimits',
  'sandbox',
  'features',
  'toolCatalogue',
  'skillFiles',
  'commands',
  'remoteSkills',
  'memoryText',
  'guidanceText',
  'instructions',
  'header',
] as const

export const changeShape = z
  .object({
    kind: z.enum(CHANGE_KINDS),
    change: z.enum(['added', 'removed', 'changed']),
    /** The change widens what an agent can do. */
    gain: z.boolean(),
    /** Absent: it is about the header, and so about every agent. */
    agent: z.string().optional(),
    /** The change in words, without the agent's name. */
    message: z.string(),
    /** Of tools: in which roles. */
    roles: z.array(z.enum(ROLES)).optional(),
    /** What was added, removed or changed, one by one. */
    items: z.array(z.string()).optional(),
    before: z.string().optional(),
    after: z.string().optional(),
    /** Of a text: how many lines came and went. */
    lines: z.object({ added: z.number().int(), removed: z.number().int() }).strict().optional(),
    /** Where the new value is written. */
    file: z.string().optional(),
    line: z.number().int().min(1).optional(),
  })
  .strict()

export const diffShape = z
  .object({
    old: z.string(),
    new: z.string(),
    /** Gains first. */
    changes: z.array(changeShape),
    /** Agents that could not be compared, because their files have errors. */
    leftOut: z.object({ old: z.array(z.string()), new: z.array(z.string()) }).strict(),
    summary: z.object({ gains: z.number().int(), others: z.number().int() }).strict(),
  })
  .strict()

export type ChangeKind = (typeof CHANGE_KINDS)[number]
export type Change = z.infer<typeof changeShape>
export type DiffReport = z.infer<typeof diffShape>
export type JsonDiagnostic = z.infer<typeof diagnosticShape>
export type BuildReport = z.infer<typeof buildReportShape>
export type ListEntry = z.infer<typeof listEntryShape>
