import { manifestFrame, topHash } from '../../schemas/manifest-form.ts'
import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { Memo } from '../memo.ts'
import type { Resolution, ResolvedAgent } from '../resolve/resolved.ts'
import { entryText } from './agent-entry.ts'
import { LineBuffer, mostBytes, type Line } from './lines.ts'

/** A hash that stands in the head until the real one is known; it is as long as any. */
const LATER = `sha256:${'0'.repeat(64)}`

/** More bytes than stand in a line beside the name and the entry. */
const BESIDE = 128

/** The parts of a manifest in order, each made when it is asked for, so that a large one never lies in memory whole. */
export interface ManifestParts {
  /** Each holds until the next one is taken. */
  parts: () => Generator<Uint8Array>
  /** Once the parts have been taken: the head with the real hash, as long as the one that came first. */
  head: () => string
}

/** What a manifest is put together from. */
export interface Ingredients {
  header: Omit<ManifestHeader, 'hash'>
  resolution: Resolution
  /** Names of agents that are left out. */
  without: ReadonlySet<string>
  /** Lines that were made before. */
  known?: Memo<ResolvedAgent, Line> | undefined
}

/** Puts a manifest together from the resolved agents. */
export function manifestParts({ header, resolution: { agents }, without, known }: Ingredients): ManifestParts {
  const hashes: [string, string][] = []
  let head: string | undefined
  return {
    *parts() {
      const buffer = new LineBuffer()
      const frame = manifestFrame(header, LATER)
      yield Buffer.from(frame.head)
      for (const [name, agent] of agents) {
        if (without.has(name)) continue
        const before = known?.get(agent)
        const key = JSON.stringify(name)
        const text = before ? undefined : entryText(agent)
        const size = before ? before.bytes.length : mostBytes(key) + mostBytes(text![0]) + mostBytes(text![1])
        while (buffer.isFull(size + BESIDE)) yield buffer.take()
        if (hashes.length > 0) buffer.next()
        if (before) buffer.bytes(before.bytes)
        const line = before ?? buffer.agent(key, text!)
        if (!before) known?.set(agent, { bytes: Buffer.from(line.bytes), hash: line.hash })
        hashes.push([name, line.hash])
      }
      yield buffer.take()
      yield Buffer.from(frame.tail)
    },
    head: () => (head ??= manifestFrame(header, topHash(header, hashes)).head),
  }
}

/** The whole text, for who wants it in memory. */
export function joined({ parts, head }: ManifestParts): string {
  const [, ...rest] = Array.from(parts(), (part) => Buffer.from(part).toString())
  return head() + rest.join('')
}
