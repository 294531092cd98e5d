import { sha256 } from './canonical.ts'
import { validateAgent, validateHeader } from './generated/manifest-validators.js'
import { agentHash, AGENTS, topHash } from './manifest-form.ts'
import type { ManifestAgent, ManifestHeader } from './shapes/manifest.ts'

export { agentHash, topHash, writeManifest } from './manifest-form.ts'

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
