import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import { SANDBOX_DEMANDS, type SandboxDemand } from '../../schemas/values.ts'
import * as say from '../findings/config.ts'
import type { Entry } from '../parse/node.ts'
import type { SourceFile } from '../source-file.ts'

/** The key `sandbox` of one file. */
interface Written {
  file: SourceFile
  entry: Entry
}

/**
 * What project and policy ask of the walls around commands: the stricter of both counts, and what policy asks for holds whatever a command
 * says. A file may ask for more than holds anyway, and never for less.
 */
export function sandboxFrom(project: Written | undefined, policy: Written | undefined, found: Diagnostic[]): ManifestHeader['sandbox'] {
  const [wanted, least] = [project, policy].map((written) => written && demandOf(written, found))
  const mode = SANDBOX_DEMANDS.findLast((known) => known === wanted || known === least)
  return mode && { mode, ...(least && { least }) }
}

function demandOf({ file, entry: { value, keyRange } }: Written, found: Diagnostic[]): SandboxDemand | undefined {
  const demand = value.kind === 'scalar' ? SANDBOX_DEMANDS.find((known) => known === value.value) : undefined
  if (demand === undefined) found.push(say.invalidSandbox(file, value.kind === 'scalar' ? value.range : keyRange))
  return demand
}
