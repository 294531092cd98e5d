import type { OpenManifest } from '../../schemas/manifest.ts'
import type { ManifestAgent } from '../../schemas/shapes/manifest.ts'
import { takeNote } from '../input/note.ts'
import { route } from '../input/route.ts'
import { unusableSchema } from '../tools/input.ts'
import { openWorkspace } from '../workspace.ts'
import { UsageFault } from './usage-fault.ts'

interface Places {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
}

/** What is said of a note that a person has given in place of a prompt. Throws `UsageFault` for an input that can be seen to be wrong. */
export async function noteOrRefusal(
  prompt: string,
  { header }: Pick<OpenManifest, 'header'>,
  name: string,
  agent: ManifestAgent,
  { cwd, env }: Places,
): Promise<string | undefined> {
  for (const text of [agent.initialPrompt ?? '', prompt]) {
    const routed = route(text, header)
    if (routed.kind === 'refused') throw new UsageFault(routed.message)
  }
  const routed = route(prompt, header)
  if (routed.kind !== 'note') return undefined
  const workspace = await openWorkspace(cwd, env.HOME, env.CLAUDE_CONFIG_DIR || undefined)
  const taken = await takeNote(routed.text, name, agent, workspace)
  if ('refused' in taken) throw new UsageFault(taken.refused)
  return `noted in ${taken.path}`
}

/** The schema that an answer has to fit. Throws `UsageFault` if it is none. */
export async function schemaIn(text: string): Promise<Readonly<Record<string, unknown>>> {
  let schema: unknown
  try {
    schema = JSON.parse(text)
  } catch {
    throw new UsageFault('--output-schema wants a file with a JSON Schema, and this one is not JSON.')
  }
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new UsageFault('--output-schema wants a JSON Schema that is an object.')
  }
  // The name of the draft says nothing to the validator, and it does not know them all.
  const { $schema: _, ...rest } = schema as Record<string, unknown>
  const fault = await unusableSchema(rest)
  if (fault !== undefined) throw new UsageFault(`The output schema cannot be used: ${fault}.`)
  return rest
}
