import { createHash } from 'node:crypto'
import { sha256 } from '../../schemas/canonical.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Input } from '../discover/input.ts'
import type { DiscoverOptions } from '../discover/options.ts'
import { lineOf } from './input-line.ts'

/**
 * What the last build was made from and what came of it: `.agentc/inputs.json`. Host-local, it lies beside the manifest and is never a part
 * of it. One that is damaged, or of another program, options or manifest, is as good as none.
 */
export interface BuildRecord {
  /** The manifest's own hash, so that a manifest from elsewhere is never taken for this build's. */
  manifest: string
  options: string
  /** What was read or looked for. */
  inputs: readonly string[]
  /** What was written: the manifest, the code of tools. */
  outputs: readonly string[]
  /** The JSON of a `BuildResult`: only who prints it has to understand it. */
  result: string
}

/** What a build says, before any format. */
export interface BuildResult {
  agents: number
  errors: number
  /** Names of broken agents that `--keep-going` left out. */
  left: string[]
  diagnostics: Diagnostic[]
}

/** What a record is written from. */
export interface BuildFacts {
  inputs: readonly Input[]
  outputs: readonly Input[]
  /** The beginning of the manifest, which bears its hash. */
  head: string
  options: DiscoverOptions
  version: string
  /** When the build began, in nanoseconds since 1970. */
  began: bigint
  result: BuildResult
}

/** Another form of the record is another number. */
const FORM = 2

/** In: the facts of a build. Out: the bytes of its record, made a part at a time: it is as long as its inputs are many. */
export function recordParts({ inputs, outputs, head, options, version, began, result }: BuildFacts): Generator<Uint8Array> {
  return sealed(version, {
    manifest: hashIn(head) ?? '',
    options: asked(options),
    inputs,
    lineOf: (input) => lineOf(input, began),
    outputs: outputs.map((output) => lineOf(output, NEVER_YOUNG)),
    result: JSON.stringify(result),
  })
}

/** What was written is new by its nature; that nobody wrote it again since is told by its stat and by the hash in its head. */
const NEVER_YOUNG = 1n << 63n

/** The same record with what is known of its inputs and outputs now. */
export function renewedParts(version: string, record: BuildRecord): Generator<Uint8Array> {
  return sealed(version, { ...record, lineOf: (line) => line })
}

interface Sealing<T> extends Omit<BuildRecord, 'inputs'> {
  inputs: readonly T[]
  lineOf: (input: T) => string
}

/** So many inputs are written at once. */
const BATCH = 512

function* sealed<T>(version: string, { manifest, options, inputs, lineOf, outputs, result }: Sealing<T>): Generator<Uint8Array> {
  const seal = createHash('sha256')
  const part = (text: string): Uint8Array => {
    const bytes = Buffer.from(text)
    seal.update(bytes)
    return bytes
  }
  yield part(`${JSON.stringify({ agentc: FORM, version, manifest, options })}\n${JSON.stringify(outputs)}\n[`)
  for (let at = 0; at < inputs.length; at += BATCH) {
    const lines = inputs.slice(at, at + BATCH).map(lineOf)
    yield part(`${at > 0 ? ',' : ''}${JSON.stringify(lines).slice(1, -1)}`)
  }
  yield part(`]\n${result}`)
  yield Buffer.from(`\nsha256:${seal.digest('hex')}\n`)
}

/** Out: the record, if it is whole and was written by this version of this program. */
export function readRecord(text: string | undefined, version: string): BuildRecord | undefined {
  const [head, outputs, inputs, result, seal, ...rest] = text?.split('\n') ?? []
  if (text === undefined || seal === undefined || rest.length !== 1 || rest[0] !== '') return undefined
  if (sha256(text.slice(0, -seal.length - 2)) !== seal) return undefined
  const { agentc, version: by, manifest, options } = JSON.parse(head!) as { agentc: number; version: string } & BuildRecord
  if (agentc !== FORM || by !== version) return undefined
  return { manifest, options, outputs: JSON.parse(outputs!) as string[], inputs: JSON.parse(inputs!) as string[], result: result! }
}

/** The hash that a manifest bears in its head; whether it is true is checked when the manifest is read. */
export function hashIn(manifest: string): string | undefined {
  return /^"hash": "(sha256:[0-9a-f]{64})"/m.exec(manifest.slice(0, 200))?.[1]
}

/** What was asked for, whatever options there are. Agents and settings given as text may hold secrets, so only their hash is kept. */
export function asked(options: DiscoverOptions): string {
  const all = Object.entries({ ...options } as Record<string, unknown>).map(([key, value]) => [key, plain(key, value)] as const)
  return JSON.stringify(Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))))
}

function plain(key: string, value: unknown): unknown {
  if (key === 'agentsFlag' || key === 'settingsFlag') return value === undefined ? undefined : sha256(String(value))
  if (key === 'profile') return (value as { name: string } | undefined)?.name
  return value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value
}
