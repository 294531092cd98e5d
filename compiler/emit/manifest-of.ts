import { FAMILY_GUIDANCE } from '../../schemas/model-families.ts'
import type { ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { MemoryScope } from '../../schemas/values.ts'
import type { Compilation } from '../compile.ts'
import { Memo, remember } from '../memo.ts'
import { memorySections } from '../memory/section.ts'
import type { ResolvedAgent } from '../resolve/resolved.ts'
import { withReferences } from '../secret/mask.ts'
import { wantsGuidance } from './guidance.ts'
import { manifestHeader } from './header.ts'
import type { Line } from './lines.ts'
import { joined, manifestParts, type ManifestParts } from './manifest.ts'
import { pluginEntries } from './plugin-entries.ts'
import { skillEntries } from './skill-entry.ts'

/** The manifest in parts, without the agents named in `without`; lines that are `known` are not made again. */
export function manifestOf(
  compilation: Compilation,
  without: ReadonlySet<string> = new Set(),
  known?: Memo<ResolvedAgent, Line>,
): ManifestParts {
  return manifestParts({ header: headerOf(compilation, without), resolution: compilation.resolution, without, known })
}

/** The manifest's text, without the agents named in `without`. */
export function manifestText(compilation: Compilation, without: ReadonlySet<string> = new Set()): string {
  return joined(manifestOf(compilation, without))
}

type Header = Omit<ManifestHeader, 'hash'>

/** A watch asks for each twice: to say what changed, and to write it. */
const headers = new Memo<Compilation, Header>()

/** Everything of a manifest but the agents; `without` are the names of those that are left out. */
export function headerOf(compilation: Compilation, without: ReadonlySet<string> = new Set()): Header {
  return without.size > 0 ? makeHeader(compilation, without) : remember(headers, compilation, (whole) => makeHeader(whole, without))
}

function makeHeader(
  { discovery, resolution, settings, skills, mcp, instructions, profile, features, limits, sandbox }: Compilation,
  without: ReadonlySet<string>,
): Header {
  const { permissions, hooks, values } = settings
  return withReferences({
    ...manifestHeader(profile, mcp, limits),
    ...pluginEntries(discovery),
    ...(sandbox && { sandbox }),
    features: Object.fromEntries(features.map((name) => [name, true])),
    settings: values,
    permissions,
    hooks,
    ...skillEntries(skills, resolution.agents),
    ...textsFor(resolution.agents, without),
    ...(instructions.section && { instructions: instructions.section }),
  })
}

/** The texts that some agent needs: of its memory, and for the family of its model, which is known when a run begins. */
function textsFor(agents: ReadonlyMap<string, ResolvedAgent>, without: ReadonlySet<string>): Pick<ManifestHeader, 'memory' | 'guidance'> {
  const scopes = new Set<MemoryScope>()
  let guided = false
  for (const agent of agents.values()) {
    const { memory, name } = agent.definition
    if (without.has(name.value)) continue
    if (memory) scopes.add(memory.value)
    guided ||= wantsGuidance(agent)
  }
  return { memory: memorySections(scopes), ...(guided && { guidance: { ...FAMILY_GUIDANCE } }) }
}
