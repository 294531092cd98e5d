import { z } from 'zod/v3'
import { SOURCES } from '../source.ts'

/** A file, and the place in it that something came from. Lines and columns are 1-based, columns in UTF-16 units. */
export const originShape = z
  .object({
    source: z.enum(SOURCES),
    path: z.string(),
    plugin: z.string().optional(),
    link: z.string().optional(),
    checkout: z.literal('main').optional(),
  })
  .strict()

export const placeShape = originShape.extend({ line: z.number().int().min(1), column: z.number().int().min(1) }).strict()

/**
 * What a rule compares with, already parsed: the runner never sees a rule as text.
 * - `exact`, `prefix` (words), `wildcard`: a Bash command
 * - `path` with its `anchor`: Read and Edit rules; `source` is the folder of the file that holds the rule
 * - `domain`: WebFetch; `name`, `namePrefix`: Agent and Skill; `param` with `value`: any scalar parameter
 */
export const matchShape = z.union([
  z.object({ exact: z.string() }).strict(),
  z.object({ prefix: z.array(z.string()).min(1) }).strict(),
  z.object({ wildcard: z.string() }).strict(),
  z.object({ path: z.string(), anchor: z.enum(['root', 'home', 'source', 'cwd']) }).strict(),
  z.object({ domain: z.string() }).strict(),
  z.object({ name: z.string() }).strict(),
  z.object({ namePrefix: z.string() }).strict(),
  z.object({ param: z.string(), value: z.string() }).strict(),
])

/** `tool` is a tool's name, or `mcp__server__tool` where either part may end in `*`. Without `match` the rule is about every call. */
export const ruleShape = z.object({ tool: z.string(), match: matchShape.optional(), origin: placeShape.optional() }).strict()

export type Match = z.infer<typeof matchShape>
export type Rule = z.infer<typeof ruleShape>
export type PlacedOrigin = z.infer<typeof placeShape>
