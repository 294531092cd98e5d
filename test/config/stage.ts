import { type Compilation, compile } from '../../compiler/compile.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { type OpenManifest, readManifest } from '../../schemas/manifest.ts'
import { lay } from '../discover/tree.ts'
import { optionsFor } from '../support/tree.ts'

/** Where the project and policy have their configuration. */
export const PROJECT = 'project/agentc.config.json'
export const POLICY = 'managed/agentc.config.json'

export interface Compiled {
  compilation: Compilation
  manifest: OpenManifest
  /** `code: message` of each finding. */
  codes: string[]
}

/** Compiles a project, with the built-in agents; what is no text is written as JSON. */
export async function compiled(files: Readonly<Record<string, unknown>>): Promise<Compiled> {
  const texts = Object.entries(files).map(([path, value]) => [path, typeof value === 'string' ? value : JSON.stringify(value, null, 2)])
  const root = lay({ 'project/.git/': '', 'home/': '', 'managed/': '', ...Object.fromEntries(texts) })
  const compilation = await compile(optionsFor(root))
  const codes = compilation.diagnostics.map(({ code, message }) => `${code}: ${message}`)
  return { compilation, manifest: readManifest(manifestText(compilation)), codes }
}
