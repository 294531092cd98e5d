import { z } from 'zod/v3'
import { SANDBOX_DEMANDS } from '../values.ts'

const count = z.number().int().positive()

/** `agentc.config.json` of a project, and in the managed folder of policy, where `limits` are what a run may have at most. */
export const configShape = z
  .object({
    $schema: z.string().optional(),
    limits: z
      .object({
        turns: count.describe('Replies of the model'),
        tokens: count,
        usd: z.number().positive(),
        seconds: z.number().positive(),
        idleSeconds: z.number().positive().describe('Without a sign of life of the model or a tool'),
        outputChars: count,
        agents: count.describe('Agents that one run may start'),
        spawnDepth: z.number().int().min(0).describe('How deep agents may start agents'),
        compact: z
          .object({ tokens: count, messages: count, usd: z.number().positive() })
          .partial()
          .strict()
          .describe('When a conversation is summarised'),
      })
      .partial()
      .strict()
      .optional(),
    sandbox: z.enum(SANDBOX_DEMANDS).optional().describe('Whether commands of agents have to run in walls; of policy for good'),
    skills: z
      .object({
        address: z
          .string()
          .regex(/^https:\/\//)
          .optional()
          .describe('Below it the skill NAME is had from NAME/SKILL.md'),
        remote: z
          .record(
            z
              .object({
                description: z.string().min(1).describe('What the skill does and when to use it; the model chooses it by this'),
                digest: z
                  .string()
                  .regex(/^sha256:[0-9a-f]{64}$/)
                  .describe('Of the SKILL.md; a run uses no other text'),
              })
              .strict(),
          )
          .optional(),
      })
      .strict()
      .optional()
      .describe('Skills that are kept elsewhere'),
  })
  .strict()
