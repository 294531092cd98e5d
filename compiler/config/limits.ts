import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { didYouMean } from '../../schemas/near.ts'
import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { Range } from '../../schemas/source.ts'
import * as say from '../findings/config.ts'
import { readJson } from '../parse/json-document.ts'
import { typeOf, type MapNode } from '../parse/node.ts'
import type { SourceFile } from '../source-file.ts'

type Limits = ManifestHeader['limits']
type RunLimits = NonNullable<Limits['run']>

/** What the configuration adds to the limits of the manifest, with everything that is wrong in it. */
export interface ConfigReading {
  limits: Partial<Pick<Limits, 'spawnDepth' | 'run' | 'most'>>
  diagnostics: Diagnostic[]
}

/** A limit as it is written, with its place. */
interface WrittenLimit {
  value: number
  range: Range
  file: SourceFile
}

const WHOLE = 'a whole number above 0'
const ANY = 'a number above 0'
const KEYS: Readonly<Record<string, string>> = {
  turns: WHOLE,
  tokens: WHOLE,
  usd: ANY,
  seconds: ANY,
  idleSeconds: ANY,
  outputChars: WHOLE,
  agents: WHOLE,
  spawnDepth: 'a whole number, 0 or more',
}
const COMPACT_KEYS: Readonly<Record<string, string>> = { tokens: WHOLE, messages: WHOLE, usd: ANY }

/** Reads the project's and policy's `limits`; what policy writes is a cap of what projects and commands may ask for. */
export function readConfig(files: readonly SourceFile[]): ConfigReading {
  const diagnostics: Diagnostic[] = []
  const [project, policy] = (['project', 'policy'] as const).map((source) => {
    const file = files.find(({ origin }) => origin.source === source)
    return file ? limitsIn(file, diagnostics) : new Map<string, WrittenLimit>()
  }) as [Map<string, WrittenLimit>, Map<string, WrittenLimit>]
  for (const [key, { value, range, file }] of project) {
    const most = policy.get(key)
    if (most && value > most.value && !key.startsWith('compact.'))
      diagnostics.push(say.aboveMost(file, range, key, value, most.value, most))
  }
  return { limits: joined(project, policy), diagnostics }
}

function joined(project: ReadonlyMap<string, WrittenLimit>, policy: ReadonlyMap<string, WrittenLimit>): ConfigReading['limits'] {
  const of = (limits: ReadonlyMap<string, WrittenLimit>, key: string): number | undefined => limits.get(key)?.value
  const run: Record<string, number> = {}
  const most: Record<string, number> = {}
  const compact: Record<string, number> = {}
  for (const key of Object.keys(KEYS)) {
    const [wanted, cap] = [of(project, key), of(policy, key)]
    if (key === 'spawnDepth') continue
    const value = wanted === undefined ? cap : Math.min(wanted, cap ?? Infinity)
    if (value !== undefined) run[key] = value
    if (cap !== undefined) most[key] = cap
  }
  for (const key of Object.keys(COMPACT_KEYS)) {
    const value = of(project, `compact.${key}`) ?? of(policy, `compact.${key}`)
    if (value !== undefined) compact[key] = value
  }
  const depth = [of(project, 'spawnDepth'), of(policy, 'spawnDepth')].filter((value) => value !== undefined)
  const all: RunLimits = { ...run, ...(Object.keys(compact).length > 0 && { compact }) }
  return {
    ...(depth.length > 0 && { spawnDepth: Math.min(...depth) }),
    ...(Object.keys(all).length > 0 && { run: all }),
    ...(Object.keys(most).length > 0 && { most }),
  }
}

/** The limits of one file by their path below `limits`. */
function limitsIn(file: SourceFile, found: Diagnostic[]): Map<string, WrittenLimit> {
  const limits = new Map<string, WrittenLimit>()
  const result = readJson(file.text)
  const wrong =
    'fault' in result
      ? result.fault
      : result.root.kind === 'map'
        ? undefined
        : { range: result.root.range, message: `it is ${typeOf(result.root)}` }
  if (wrong || 'fault' in result || result.root.kind !== 'map') {
    const [start] = wrong?.range ?? [0]
    found.push(say.configNotJson(file, [start, Math.min(start + 1, file.text.length)], wrong?.message ?? ''))
    return limits
  }
  const top = known(result.root, ['limits'], file, found).get('limits')
  const entries = top && mapOf(top.value, 'limits', top.keyRange, file, found)
  if (!entries) return limits
  const read = (map: MapNode, keys: Readonly<Record<string, string>>, prefix: string): void => {
    for (const [key, { value, keyRange }] of known(
      map,
      prefix === '' ? [...Object.keys(keys), 'compact'] : Object.keys(keys),
      file,
      found,
    )) {
      if (key === 'compact' && prefix === '') {
        const inner = mapOf(value, 'compact', keyRange, file, found)
        if (inner) read(inner, COMPACT_KEYS, 'compact.')
      } else if (value.kind === 'scalar' && isLimit(value.value, keys[key]!))
        limits.set(prefix + key, { value: value.value, range: value.range, file })
      else
        found.push(
          say.invalidLimit(file, file.text.slice(...value.range).includes('\n') ? keyRange : value.range, prefix + key, keys[key]!),
        )
    }
  }
  read(entries, KEYS, '')
  return limits
}

function mapOf(
  value: MapNode['entries'][number]['value'],
  key: string,
  at: Range,
  file: SourceFile,
  found: Diagnostic[],
): MapNode | undefined {
  if (value.kind === 'map') return value
  found.push(say.invalidLimit(file, at, key, 'an object'))
  return undefined
}

function known(map: MapNode, keys: readonly string[], file: SourceFile, found: Diagnostic[]): Map<string, MapNode['entries'][number]> {
  const entries = new Map<string, MapNode['entries'][number]>()
  for (const entry of map.entries) {
    if (keys.includes(entry.key) && !entries.has(entry.key)) entries.set(entry.key, entry)
    else if (entry.key !== '$schema')
      found.push(
        say.unknownConfigKey(file, entry.keyRange, entry.key, entries.has(entry.key) ? undefined : didYouMean(entry.key, keys), keys),
      )
  }
  return entries
}

function isLimit(value: unknown, expected: string): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (expected === ANY) return value > 0
  return Number.isSafeInteger(value) && (expected === WHOLE ? value > 0 : value >= 0)
}
