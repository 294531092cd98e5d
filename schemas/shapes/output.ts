import { z } from 'zod/v3'
import { COLORS, EFFORTS } from '../values.ts'
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

export type JsonDiagnostic = z.infer<typeof diagnosticShape>
export type BuildReport = z.infer<typeof buildReportShape>
export type ListEntry = z.infer<typeof listEntryShape>
