import { readFileSync } from 'node:fs'
import { sha256 } from '../schemas/canonical.ts'
import { DISK } from './discover/file-system.ts'
import type { Input } from './discover/input.ts'
import type { DiscoverOptions } from './discover/options.ts'

/** What a manifest was built from. Host-local: it lies beside the manifest and is never a part of it. */
interface InputsRecord {
  agentc: 1
  /** agentc's own: another version may pin other models or describe tools otherwise. */
  version: string
  /** Hash of the manifest's text, so that a manifest from elsewhere is never taken for this build's. */
  manifest: string
  options: DiscoverOptions
  inputs: readonly Input[]
}

/** The text of `.agentc/inputs.json`: an input a line. */
export function inputsText(inputs: readonly Input[], manifest: string, options: DiscoverOptions, version: string): string {
  const head: Omit<InputsRecord, 'inputs'> = { agentc: 1, version, manifest: sha256(manifest), options: asked(options) }
  return `${JSON.stringify(head).slice(0, -1)},"inputs":[\n${inputs.map((input) => JSON.stringify(input)).join(',\n')}\n]}\n`
}

function asked({ cwd, home, configDir, managedDir, builtinDir, pluginDirs, agentsFlag, layers }: DiscoverOptions): DiscoverOptions {
  return { cwd, home, configDir, managedDir, builtinDir, pluginDirs, layers, ...(agentsFlag !== undefined && { agentsFlag }) }
}

/**
 * Whether a manifest is still what a build would give: same program, same options, and every input as it was, the absent ones
 * still absent (design 4).
 */
export function isFresh(recordText: string | undefined, manifest: string | undefined, options: DiscoverOptions, version: string): boolean {
  if (recordText === undefined || manifest === undefined) return false
  const record = parse(recordText)
  if (!record || record.version !== version || record.manifest !== sha256(manifest)) return false
  return JSON.stringify(record.options) === JSON.stringify(asked(options)) && record.inputs.every(unchanged)
}

function parse(text: string): InputsRecord | undefined {
  try {
    const record = JSON.parse(text) as InputsRecord
    return record.agentc === 1 && Array.isArray(record.inputs) ? record : undefined
  } catch {
    return undefined
  }
}

function unchanged(input: Input): boolean {
  try {
    const stat = DISK.stat(input.path)
    if (input.kind === 'absent') return stat === undefined
    if (stat?.kind !== input.kind) return false
    if (input.mtimeMs === undefined || stat.mtimeMs === input.mtimeMs) return input.size === undefined || stat.size === input.size
    return input.sha256 !== undefined && sha256(readFileSync(input.path)) === input.sha256
  } catch {
    return input.kind === 'absent'
  }
}
