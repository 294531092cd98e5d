import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { Range } from '../../schemas/source.ts'
import * as say from '../findings/config.ts'
import type { Entry, MapNode } from '../parse/node.ts'
import type { SourceFile } from '../source-file.ts'
import { knownEntries } from './entries.ts'

type Limits = ManifestHeader['limits']
type RunLimits = NonNullable<Limits['run']>

/** What the configuration adds to the limits of the manifest. */
export type ConfigLimits = Partial<Pick<Limits, 'spawnDepth' | 'run' | 'most'>>

/** The key `limits` of one file. */
export interface Written {
  file: SourceFile
  entry: Entry
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

/** Reads `limits` of the project and of policy; what policy writes is a cap of what projects and commands may ask for. */
export function limitsFrom(project: Written | undefined, policy: Written | undefined, found: Diagnostic[]): ConfigLimits {
  const [wanted, most] = [project, policy].map((written) => (written ? limitsIn(written, found) : new Map<string, WrittenLimit>())) as [
    Map<string, WrittenLimit>,
    Map<string, WrittenLimit>,
  ]
  for (const [key, { value, range, file }] of wanted) {
    const cap = most.get(key)
    if (cap && value > cap.value && !key.startsWith('compact.')) found.push(say.aboveMost(file, range, key, value, cap.value, cap))
  }
  return joined(wanted, most)
}

function joined(project: ReadonlyMap<string, WrittenLimit>, policy: ReadonlyMap<string, WrittenLimit>): ConfigLimits {
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
function limitsIn({ file, entry }: Written, found: Diagnostic[]): Map<string, WrittenLimit> {
  const limits = new Map<string, WrittenLimit>()
  const entries = mapOf(entry.value, 'limits', entry.keyRange, file, found)
  if (!entries) return limits
  const read = (map: MapNode, keys: Readonly<Record<string, string>>, prefix: string): void => {
    for (const [key, { value, keyRange }] of knownEntries(
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

function isLimit(value: unknown, expected: string): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (expected === ANY) return value > 0
  return Number.isSafeInteger(value) && (expected === WHOLE ? value > 0 : value >= 0)
}
