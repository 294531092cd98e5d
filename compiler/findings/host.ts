import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** What another program does with the same file: spoken only with `--target`. */

export function dropsAgent(file: SourceFile, at: Range, host: string, reason: string, help: string): Diagnostic {
  return finding('host/drops-agent', placeIn(file, at), `${host} does not load this agent, because ${reason}.`, { help })
}

export function becomesAgent(file: SourceFile, host: string, name: string): Diagnostic {
  return finding(
    'host/becomes-agent',
    placeIn(file, [0, 0]),
    `${host} loads this file as the agent \`${name}\`, with every tool and without its own description.`,
    {
      help: 'Move documents out of the `agents` folder of the plugin, or give the file a frontmatter.',
    },
  )
}

export function ignoresField(file: SourceFile, at: Range, host: string, key: string, effect: string): Diagnostic {
  return finding('host/ignores-field', placeIn(file, at), `${host} does not use \`${key}\` here: ${effect}.`, {
    help: 'Do not rely on it in agents that are written for that program.',
  })
}

export function widens(file: SourceFile, at: Range, host: string, text: string, effect: string, help: string): Diagnostic {
  return finding('host/widens', placeIn(file, at), `${host} grants more than \`${text}\` says: ${effect}.`, { help })
}

export function narrows(file: SourceFile, at: Range, host: string, text: string, effect: string, help: string): Diagnostic {
  return finding('host/narrows', placeIn(file, at), `${host} takes away more than \`${text}\` says: ${effect}.`, { help })
}

export function noEffect(file: SourceFile, at: Range, host: string, text: string, effect: string, help: string): Diagnostic {
  return finding('host/no-effect', placeIn(file, at), `In ${host} \`${text}\` does nothing here: ${effect}.`, { help })
}
