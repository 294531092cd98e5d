import { canonicalJson, hashOf, sha256 } from './canonical.ts'
import { validateAgent, validateHeader } from './generated/validators.js'
import type { Manifest, ManifestAgent, ManifestHeader } from './shapes/manifest.ts'

/** The version of the manifest's form that this program writes and reads. */
export const MANIFEST_VERSION = 1

/** What `readManifest` gives: the header and the agents that were asked for, frozen all the way down. */
export interface OpenManifest {
  header: Readonly<ManifestHeader>
  /** Names of all agents of the manifest, in its order. */
  names: readonly string[]
  /** The agents that were asked for and are there. */
  agents: ReadonlyMap<string, Readonly<ManifestAgent>>
}

/** Why a manifest cannot be used; `message` is one sentence for a person. */
export class ManifestFault extends Error {
  override name = 'ManifestFault'
}

/** The hash of an agent: over the RFC 8785 form of all its members but the hash. */
export function agentHash(agent: Omit<ManifestAgent, 'hash'>): string {
  const { hash: _, ...rest } = agent as ManifestAgent
  return hashOf(rest)
}

/** The hash of the whole: over the header (without its hash) and the sorted pairs of name and hash of the agents. */
export function topHash(header: Omit<ManifestHeader, 'hash'>, agents: Iterable<readonly [name: string, hash: string]>): string {
  const { hash: _, ...rest } = header as ManifestHeader
  const pairs = [...agents].map(([name, hash]) => [name, hash]).sort(([a], [b]) => (a! < b! ? -1 : 1))
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

const AGENTS = ',\n"agents": {\n'
/** Length of `{"hash":"sha256:…",`, behind which the text that the hash is over goes on. */
const HASH_MEMBER = '{"hash":"sha256:",'.length + 64
const AGENT_LINE = /^("(?:[^"\\]|\\.)*"): \{"hash":"(sha256:[0-9a-f]{64})",/

/**
 * Reads a manifest: checks version, shape and hash of the header, and of the agents that `wanted` picks (all by default);
 * the hashes of the others are compared by name only, without parsing them. Throws `ManifestFault`.
 */
export function readManifest(text: string, wanted: (name: string) => boolean = () => true): OpenManifest {
  const { head, lines } = split(text)
  const pairs: [string, string][] = []
  const agents = new Map<string, ManifestAgent>()
  for (const line of lines) {
    const match = AGENT_LINE.exec(line)
    if (!match) throw new ManifestFault('The manifest is damaged: a line of its agents is not an agent. Run `agentc build` again.')
    const name = JSON.parse(match[1]!) as string
    pairs.push([name, match[2]!])
    if (wanted(name)) agents.set(name, readAgent(name, line.slice(match[1]!.length + 2), match[2]!))
  }
  const header = readHeader(head)
  if (topHash(header, pairs) !== header.hash)
    throw new ManifestFault('The manifest was changed after it was built: its hash does not fit. Run `agentc build` again.')
  return { header: frozen(header), names: pairs.map(([name]) => name), agents }
}

function split(text: string): { head: string; lines: string[] } {
  const at = text.indexOf(AGENTS)
  const end = text.endsWith('\n}\n}\n') ? text.length - 5 : -1
  if (at < 0 || end < 0) {
    throw new ManifestFault('This is not a manifest that agentc wrote, or a part of it is missing. Run `agentc build` again.')
  }
  const body = text.slice(at + AGENTS.length, end)
  return { head: `${text.slice(0, at)}\n}`, lines: body === '' ? [] : body.split(',\n') }
}

function readHeader(text: string): ManifestHeader {
  const header = parse(text, 'header')
  if (typeof header === 'object' && header !== null && 'agentc' in header && header.agentc !== MANIFEST_VERSION) {
    throw new ManifestFault(
      `The manifest has version ${String(header.agentc)}, this agentc reads version ${MANIFEST_VERSION}. Run \`agentc build\` again.`,
    )
  }
  if (!validateHeader(header)) throw new ManifestFault(`The manifest's header has a wrong shape: ${shapeFault(validateHeader.errors)}.`)
  return header as ManifestHeader
}

function readAgent(name: string, text: string, hash: string): ManifestAgent {
  const agent = parse(text, `agent ${JSON.stringify(name)}`)
  if (!validateAgent(agent)) {
    throw new ManifestFault(`Agent ${JSON.stringify(name)} of the manifest has a wrong shape: ${shapeFault(validateAgent.errors)}.`)
  }
  if (sha256(`{${text.slice(HASH_MEMBER)}`) !== hash && agentHash(agent as ManifestAgent) !== hash) {
    throw new ManifestFault(`Agent ${JSON.stringify(name)} was changed after the manifest was built. Run \`agentc build\` again.`)
  }
  return frozen(agent as ManifestAgent)
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ManifestFault(`The manifest is damaged: its ${what} is not JSON. Run \`agentc build\` again.`)
  }
}

function shapeFault(errors: typeof validateHeader.errors): string {
  const first = errors?.[0]
  return first ? `${first.instancePath || 'it'} ${first.message ?? 'does not fit'}` : 'it does not fit'
}

/** Freezes a JSON value and everything in it. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) frozen(member)
  }
  return value
}

/** The whole manifest as one value, for programs that want it so. */
export function wholeManifest(open: OpenManifest): Manifest {
  return { ...open.header, agents: Object.fromEntries(open.agents) } as Manifest
}
