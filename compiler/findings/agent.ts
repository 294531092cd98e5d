import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** Findings about agents among each other, and about what an agent as a whole may do. */

export function duplicateName(file: SourceFile, at: Range, name: string, other: SourceFile, otherAt: Range): Diagnostic {
  return finding(
    'agent/duplicate-name',
    placeIn(file, at),
    `\`${name}\` is also the name in ${other.origin.path}, in the same folder; which one loads depends on the order of reading.`,
    {
      help: 'Rename one of the two agents, or delete it.',
      related: [{ message: 'the other one', at: placeIn(other, otherAt) }],
    },
  )
}

export function overridesBuiltIn(file: SourceFile, at: Range, name: string): Diagnostic {
  return finding(
    'agent/overrides-builtin',
    placeIn(file, at),
    `This agent replaces the built-in \`${name}\`, with its tools and its prompt.`,
    {
      help: 'Choose another name if that is not meant.',
    },
  )
}

export function bypass(file: SourceFile, at: Range): Diagnostic {
  return finding(
    'permission/bypass',
    placeIn(file, at),
    'With `bypassPermissions` nobody is asked before this agent runs commands and changes files.',
    {
      help: 'Prefer `acceptEdits`, or allow single commands in settings.json.',
    },
  )
}

export function planWithWrite(file: SourceFile, at: Range, tools: string[]): Diagnostic {
  return finding(
    'permission/plan-with-write',
    placeIn(file, at),
    `In plan mode nothing is changed, so ${tools.join(', ')} in this list cannot be used.`,
    {
      help: 'Leave them out, or choose another `permissionMode`.',
    },
  )
}

export function unknownAgent(file: SourceFile, at: Range, name: string, meant: string | undefined, plugin: boolean): Diagnostic {
  const code = plugin ? 'reference/unknown-plugin-agent' : 'reference/unknown-agent'
  const why = plugin ? 'unless a plugin brings it' : 'so it cannot be started'
  return finding(code, placeIn(file, at), `There is no agent \`${name}\`, ${why}.`, {
    help: meant ? `Did you mean \`${meant}\`?` : 'Create it in `.claude/agents`, or remove it from the brackets.',
  })
}

export function droppedAgent(file: SourceFile, at: Range, name: string, lost: SourceFile): Diagnostic {
  return finding(
    'reference/unknown-agent',
    placeIn(file, at),
    `\`${name}\` cannot be started, because no definition can be read from ${lost.origin.path}.`,
    {
      help: 'Correct that file; its own finding says what is wrong with it.',
    },
  )
}
