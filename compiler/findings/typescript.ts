import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** Findings about custom tools, which are written in TypeScript. */

export function syntax(file: SourceFile, at: Range, fault: string): Diagnostic {
  return finding('typescript/syntax', placeIn(file, at), `This is not TypeScript, so the tool is missing: ${fault.replace(/\.+$/, '')}.`, {
    help: 'Correct it here; the compiler of TypeScript says the same about this file.',
  })
}

export function toolName(file: SourceFile, name: string): Diagnostic {
  return finding(
    'typescript/name',
    placeIn(file, [0, 0]),
    `A tool cannot be called ${JSON.stringify(name)}, which is the name of its file.`,
    {
      help: 'Give the file a name of up to 64 letters, digits, `_` and `-` that begins with a letter and not with `mcp__`.',
    },
  )
}

export function nameClash(file: SourceFile, name: string, other: string): Diagnostic {
  return finding(
    'typescript/name-clash',
    placeIn(file, [0, 0]),
    `\`${name}\` is too close to \`${other}\`, the name of a tool that is there already.`,
    {
      help: 'Rename the file: a custom tool is called like its file, and it cannot replace another one.',
    },
  )
}

export function noDefaultExport(file: SourceFile, at: Range, problem: string): Diagnostic {
  return finding('typescript/default-export', placeIn(file, at), `${problem}, so there is no tool in this file.`, {
    help: 'Write `export default async function (input: { … }) { … }` in this file.',
  })
}

export function parameter(file: SourceFile, at: Range, problem: string): Diagnostic {
  return finding('typescript/parameter', placeIn(file, at), `${problem}, so nobody knows what the tool takes.`, {
    help: 'Write one parameter with its type: `async function (input: { path: string })`.',
  })
}

export function unsupportedType(file: SourceFile, at: Range, text: string, reason: string): Diagnostic {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text
  return finding('typescript/unsupported-type', placeIn(file, at), `The type \`${shown.replaceAll(/\s+/g, ' ')}\` ${reason}.`, {
    help: 'Use strings, numbers, booleans, null, literals, unions, arrays, tuples, `Record<string, T>` and objects of these.',
  })
}

export function inputNoObject(file: SourceFile, at: Range): Diagnostic {
  return finding(
    'typescript/unsupported-type',
    placeIn(file, at),
    'The input of a tool is always an object with members, and this type is none.',
    {
      help: 'Put it into an object: `input: { value: … }`.',
    },
  )
}

export function unloadable(file: SourceFile, at: Range, specifier: string | undefined): Diagnostic {
  const what = specifier === undefined ? 'This' : `\`${specifier}\``
  return finding(
    'typescript/import',
    placeIn(file, at),
    `${what} cannot be loaded: only the tool's own file is stored, and it may load modules of Node.`,
    {
      help: 'Import from `node:…` only, `import type` excepted, and put everything else the tool needs into this file.',
    },
  )
}

export function undescribed(file: SourceFile, at: Range): Diagnostic {
  return finding(
    'typescript/no-description',
    placeIn(file, at),
    'The tool has no description, so a model has only its name to choose it by.',
    {
      help: 'Put a comment before the function: `/** Counts the lines of a file. */`.',
    },
  )
}

export function annotation(file: SourceFile, at: Range, tag: string, meant: string): Diagnostic {
  return finding('typescript/annotation', placeIn(file, at), `\`@${tag}\` is no annotation of a tool, so it changes nothing.`, {
    help: `Did you mean \`@${meant}\`?`,
    fix: { title: `Write \`@${meant}\``, edits: [{ range: at, text: `@${meant}` }] },
  })
}
