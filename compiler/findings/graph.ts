import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Profile } from '../../schemas/profile.ts'
import type { Located, Origin, Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding, wholeFile } from './finding.ts'

/** Findings about how agents stand to each other. */

/** What is shown of an agent beside the one that a finding is about. */
interface Other {
  file: SourceFile
  name: Located<string>
  description: Located<string>
}

export function nearDuplicate(file: SourceFile, at: Range, name: string, other: Other): Diagnostic {
  return finding(
    'agent/near-duplicate',
    placeIn(file, at),
    `\`${name}\` and \`${other.name.value}\` (${other.file.origin.path}) differ only by letter case or separators; agentc keeps both apart, a reader does not.`,
    {
      help: 'Rename one of the two; if this one is to replace the other, give it exactly the same name.',
      related: [{ message: 'the other one', at: placeIn(other.file, other.name.range) }],
    },
  )
}

export function nearBuiltIn(file: SourceFile, at: Range, name: string, builtIn: string): Diagnostic {
  return finding(
    'agent/near-builtin',
    placeIn(file, at),
    `\`${name}\` does not replace the built-in \`${builtIn}\`, because names are compared exactly: both are there.`,
    {
      help: `Write \`name: ${builtIn}\` to replace it, or choose a name that nobody mixes up with it.`,
    },
  )
}

export function shadowedAgent(file: SourceFile, at: Range, name: string, winner: Other, meant: Other): Diagnostic {
  return finding(
    'reference/shadowed-agent',
    placeIn(file, at),
    `\`${name}\` is not the agent in the same folder as this one: ${winner.file.origin.path} of a higher layer has replaced it.`,
    {
      help: 'Give one of the two another name if the one beside this file is meant.',
      related: [
        { message: 'this one is started', at: placeIn(winner.file, winner.name.range) },
        { message: 'this one is replaced', at: placeIn(meant.file, meant.name.range) },
      ],
    },
  )
}

/** In: the names on the way, the first one again at the end. */
export function spawnCycle(file: SourceFile, at: Range, way: readonly string[], { host, spawnDepth }: Profile): Diagnostic {
  return finding(
    'agent/spawn-cycle',
    placeIn(file, at),
    `These agents start each other in a circle (${way.join(' → ')}), which ${host} ends only at a depth of ${spawnDepth}.`,
    {
      help: 'Remove one of the names from its list, unless the circle is meant.',
    },
  )
}

/** In: the folder that holds most of it, the total and the limit in tokens, and the largest. */
export function descriptionBudget(
  folder: Origin,
  total: number,
  limit: number,
  largest: readonly { agent: Other; tokens: number }[],
): Diagnostic {
  const count = (tokens: number): string => `${Math.round(tokens)}`.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  const files = largest.map(({ agent, tokens }) => `${agent.file.origin.path} (${count(tokens)})`)
  return finding(
    'agent/description-budget',
    wholeFile(folder),
    `The descriptions of all agents come to about ${count(total)} tokens, more than the ${count(limit)} that should go out with every request.`,
    {
      help: `Shorten descriptions or remove agents; the largest are ${files.join(', ')}.`,
      related: largest.map(({ agent }) => ({ message: 'a large description', at: placeIn(agent.file, agent.description.range) })),
    },
  )
}
