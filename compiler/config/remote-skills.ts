import { urlOf } from '../../schemas/url.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import * as say from '../findings/remote-skill.ts'
import type { Entry, MapNode, Node } from '../parse/node.ts'
import type { SourceFile } from '../source-file.ts'
import { knownEntries } from './entries.ts'

/** A skill that is kept elsewhere: where its text is had from, and the digest that the text has to have. Its text is no part of a build. */
export interface RemoteSkill {
  slug: string
  description: string
  /** `sha256:…` of the bytes of the SKILL.md. */
  digest: string
  address: string
  /** Where its slug is written. */
  file: SourceFile
  at: Range
}

interface Written {
  file: SourceFile
  entry: Entry
}

/** As the portable specification of skills has names (claude-code-agents.md 8.1). */
const SLUG = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/
const DIGEST = /^sha256:[0-9a-f]{64}$/

/**
 * Reads `skills` of the project and of policy: `address`, below which all are kept, and `remote`, each with a description and a digest.
 * The network is not asked: what a build pins is what a run may use. Policy's entry of a slug takes the place of the project's.
 */
export function remoteSkillsFrom(project: Written | undefined, policy: Written | undefined, found: Diagnostic[]): Map<string, RemoteSkill> {
  const [own, managed] = [project, policy].map((written) => written && sectionOf(written, found))
  const fallback = managed?.address
  const wanted = own ? skillsIn(own, own.address ?? fallback, found) : []
  const ruled = managed ? skillsIn(managed, fallback, found) : []
  const all = new Map(wanted.map((skill) => [skill.slug, skill]))
  for (const skill of ruled) {
    const before = all.get(skill.slug)
    if (before && before.digest !== skill.digest) found.push(say.digestDiffers(before, skill))
    all.set(skill.slug, skill)
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}

interface Section {
  file: SourceFile
  address: URL | undefined
  remote: MapNode | undefined
}

function sectionOf({ file, entry }: Written, found: Diagnostic[]): Section | undefined {
  const map = mapOf(entry, file, found)
  if (!map) return undefined
  const entries = knownEntries(map, ['address', 'remote'], file, found)
  const [address, remote] = [entries.get('address'), entries.get('remote')]
  return { file, address: address && addressOf(address, file, found), remote: remote && mapOf(remote, file, found) }
}

function mapOf({ key, keyRange, value }: Entry, file: SourceFile, found: Diagnostic[]): MapNode | undefined {
  if (value.kind === 'map') return value
  found.push(say.invalidRemote(file, keyRange, `\`${key}\` is not an object`))
  return undefined
}

/** Only over https: whoever is on the way must not learn or change what agents are told. */
function addressOf({ value, keyRange }: Entry, file: SourceFile, found: Diagnostic[]): URL | undefined {
  const text = textOf(value)
  const url = text === undefined ? undefined : urlOf(text.endsWith('/') ? text : `${text}/`)
  const good = url?.protocol === 'https:' && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (good) return url
  found.push(say.invalidRemote(file, keyRange, '`address` is not an address that begins with https://, without a password, `?` and `#`'))
  return undefined
}

function skillsIn({ file, remote }: Section, address: URL | undefined, found: Diagnostic[]): RemoteSkill[] {
  return (remote?.entries ?? []).flatMap((entry) => skillOf(entry, address, file, found) ?? [])
}

function skillOf(entry: Entry, address: URL | undefined, file: SourceFile, found: Diagnostic[]): RemoteSkill | undefined {
  const { key: slug, keyRange: at } = entry
  const map = mapOf(entry, file, found)
  if (!map) return undefined
  if (!SLUG.test(slug))
    return wrong(say.invalidRemote(file, at, `\`${slug}\` is no slug: small letters, digits and single hyphens, 64 at most`), found)
  const fields = knownEntries(map, ['description', 'digest'], file, found)
  const description = textOf(fields.get('description')?.value)?.trim()
  const digest = textOf(fields.get('digest')?.value)
  if (digest === undefined || !DIGEST.test(digest)) return wrong(say.unpinned(file, fields.get('digest')?.value.range ?? at, slug), found)
  if (description === undefined || description === '') {
    return wrong(
      say.invalidRemote(file, fields.get('description')?.keyRange ?? at, `the remote skill \`${slug}\` has no \`description\``),
      found,
    )
  }
  if (!address) return wrong(say.invalidRemote(file, at, `there is no \`address\` that \`${slug}\` could be had from`), found)
  return { slug, description, digest, address: new URL(`${slug}/SKILL.md`, address).href, file, at }
}

function wrong(finding: Diagnostic, found: Diagnostic[]): undefined {
  found.push(finding)
}

function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
}
