import { canonicalJson, hashOf, sha256 } from './canonical.ts'
import type { ManifestAgent, ManifestHeader } from './shapes/manifest.ts'

/** How a manifest is written. Who only writes one does not load what checks one (`manifest.ts`). */

/** The hash of an agent: over the RFC 8785 form of all its members but the hash. */
export function agentHash(agent: Omit<ManifestAgent, 'hash'>): string {
  const { hash: _, ...rest } = agent as ManifestAgent
  return hashOf(rest)
}

/** The hash of the whole: over the header (without its hash) and the sorted pairs of name and hash of the agents. */
export function topHash(header: Omit<ManifestHeader, 'hash'>, agents: Iterable<readonly [name: string, hash: string]>): string {
  const { hash: _, ...rest } = header as ManifestHeader
  const pairs = [...agents]
  // They are written in order, and to sort thousands costs a comparison more for each.
  if (pairs.some(([name], index) => index > 0 && name < pairs[index - 1]![0])) pairs.sort(([a], [b]) => (a < b ? -1 : 1))
  // Lists of texts have one form only.
  return sha256(`${canonicalJson(rest)}\n${JSON.stringify(pairs)}`)
}

/**
 * One agent's line of a manifest, from the RFC 8785 form of its entry: the hash first, so that a reader finds it without parsing,
 * then the very text the hash is over.
 */
export function agentLine(name: string, canonical: string): { line: string; hash: string } {
  const hash = sha256(canonical)
  return { line: `${JSON.stringify(name)}: {"hash":"${hash}",${canonical.slice(1)}`, hash }
}

/** What stands before and after the agents; the hash has the same length whatever it is, so it can be put in last. */
export function manifestFrame(header: Omit<ManifestHeader, 'hash'>, hash: string): { head: string; tail: string } {
  const { agentc, hash: _, ...rest } = header as ManifestHeader
  const members = Object.entries({ agentc, hash, ...rest }).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
  return { head: `{\n${members.join(',\n')}${AGENTS}`, tail: '\n}\n}\n' }
}

/**
 * Writes a manifest in its one form: the header a member a line, then one agent a line in name order,
 * so that a reader can find and check one agent of thousands without parsing the others.
 */
export function writeManifest(header: Omit<ManifestHeader, 'hash'>, agents: ReadonlyMap<string, ManifestAgent>): string {
  const lines = [...agents.keys()].sort().map((name) => {
    const { hash: _, ...body } = agents.get(name)!
    return { name, ...agentLine(name, canonicalJson(body)) }
  })
  const hash = topHash(
    header,
    lines.map((line) => [line.name, line.hash]),
  )
  const { head, tail } = manifestFrame(header, hash)
  return `${head}${lines.map(({ line }) => line).join(',\n')}${tail}`
}

/** Between the header's members and the agents. */
export const AGENTS = ',\n"agents": {\n'
