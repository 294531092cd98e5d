import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** Findings about the frontmatter as YAML, before any field is understood. */

export function unclosed(file: SourceFile, at: Range): Diagnostic {
  return finding('yaml/unclosed', placeIn(file, at), 'The frontmatter is opened here and never closed, so the file is not an agent.', {
    help: 'Put a line with only `---` between the keys and the prompt.',
  })
}

export function syntax(file: SourceFile, at: Range, reason: string): Diagnostic {
  return finding('yaml/syntax', placeIn(file, at), `The frontmatter is not YAML (${reason}), so the whole agent is lost.`, {
    help: 'Write each key as `key: value`, and put values with special characters in quotes.',
  })
}

export function multiLineValue(file: SourceFile, at: Range, key: string | undefined): Diagnostic {
  const subject = key === undefined ? 'A value' : `The value of \`${key}\``
  return finding(
    'yaml/multi-line-value',
    placeIn(file, at),
    `${subject} goes on over several lines that YAML cannot take as one value, so the whole agent is lost.`,
    { help: `Write \`${key ?? 'key'}: |\` and indent every line of the text by two spaces, or put the text on one line in quotes.` },
  )
}

export function brokenQuotes(file: SourceFile, at: Range, key: string | undefined): Diagnostic {
  const subject = key === undefined ? 'A quoted value' : `The quoted value of \`${key}\``
  return finding('yaml/quotes', placeIn(file, at), `${subject} does not end where its quotes end, so the whole agent is lost.`, {
    help: "Double an inner single quote ('it''s'), write an inner double quote as \\\", or use `|` and indented lines.",
  })
}

export function duplicateKey(file: SourceFile, at: Range, key: string, first: Range, firstLine: number): Diagnostic {
  return finding(
    'yaml/duplicate-key',
    placeIn(file, at),
    `The key \`${key}\` stands here a second time (first on line ${firstLine}); only the last one would count.`,
    { help: 'Keep one of the two.', related: [{ message: 'the first one', at: placeIn(file, first) }] },
  )
}

export function mergeKey(file: SourceFile, at: Range, lost: string[]): Diagnostic {
  const loss =
    lost.length === 0
      ? 'nothing is taken over'
      : `${lost.map((key) => `\`${key}\``).join(', ')} ${lost.length > 1 ? 'are' : 'is'} not taken over`
  return finding('yaml/merge-key', placeIn(file, at), `The merge key \`<<\` means nothing in YAML 1.2, so ${loss}.`, {
    help: 'Write the keys out where they are meant to count.',
  })
}

export function recovered(file: SourceFile, cause: Range, key: string, value: Range): Diagnostic {
  const text = file.text.slice(...value)
  return finding(
    'yaml/recovered',
    placeIn(file, cause),
    `The value of \`${key}\` is not strict YAML without quotes around it; it is read as the whole line, as Claude Code does.`,
    {
      help: 'Put the value in quotes, so that every other YAML reader gets the same text.',
      fix: { title: 'Quote the value', edits: [{ range: value, text: JSON.stringify(text) }] },
    },
  )
}

export function tabIndent(file: SourceFile, at: Range): Diagnostic {
  return finding(
    'yaml/tab',
    placeIn(file, at),
    'A tab is used as indentation, which YAML forbids; it is read as two spaces, as Claude Code does.',
    {
      help: 'Indent with spaces.',
    },
  )
}

export function fenceInValue(file: SourceFile, at: Range, lost: string[]): Diagnostic {
  const loss =
    lost.length === 0 ? 'the rest of the value moves into the prompt' : `it never sees ${lost.map((key) => `\`${key}\``).join(', ')}`
  return finding('yaml/fence-in-value', placeIn(file, at), `Claude Code ends the frontmatter at this \`---\`: ${loss}.`, {
    help: 'Use another dash (– or —) or write the word; `---` may only stand alone, as the fence.',
  })
}

export function commentCut(file: SourceFile, at: Range, key: string, value: Range): Diagnostic {
  return finding(
    'yaml/comment-cut',
    placeIn(file, at),
    `The value of \`${key}\` ends here: a \`#\` after a blank begins a comment, and the rest of the line is lost.`,
    {
      help: 'Put the whole value in quotes.',
      fix: { title: 'Quote the whole line', edits: [{ range: value, text: JSON.stringify(file.text.slice(...value)) }] },
    },
  )
}

export function aliasLimit(file: SourceFile, at: Range): Diagnostic {
  return finding(
    'yaml/alias-limit',
    placeIn(file, at),
    'The frontmatter repeats its own parts so often (`*name`) that it grows to more than 1,000 values, so the agent is not read.',
    {
      help: 'Write the values out; an agent file needs no `&name` and `*name`.',
    },
  )
}

export function tooDeep(file: SourceFile, at: Range): Diagnostic {
  return finding('yaml/too-deep', placeIn(file, at), 'The frontmatter is nested deeper than 100 levels, so the agent is not read.', {
    help: 'No field of an agent needs more than a handful of levels.',
  })
}

export function notAMap(file: SourceFile, at: Range, type: string): Diagnostic {
  return finding(
    'yaml/not-a-map',
    placeIn(file, at),
    `The frontmatter is ${type}, not \`key: value\` lines, so the file is not an agent.`,
    {
      help: 'Begin with `name: …` and `description: …`, each on a line of its own.',
    },
  )
}

export function protoKey(file: SourceFile, at: Range, key: string): Diagnostic {
  return finding(
    'yaml/proto-key',
    placeIn(file, at),
    `The key \`${key}\` means nothing here, and in careless programs it changes every object.`,
    {
      help: 'Remove it.',
    },
  )
}

export function language(file: SourceFile, at: Range, name: string): Diagnostic {
  return finding(
    'yaml/language',
    placeIn(file, at),
    `The frontmatter asks to be read as \`${name}\`; agentc reads only YAML and never runs code from an agent file.`,
    {
      help: 'Open the frontmatter with `---` alone and write it in YAML.',
    },
  )
}

export function invalidJson(file: SourceFile, at: Range, reason: string): Diagnostic {
  return finding(
    'flag/invalid-json',
    placeIn(file, at),
    `The value of --agents is not a JSON object (${reason}), so none of its agents is read.`,
    {
      help: 'Give an object such as {"reviewer": {"description": "…", "prompt": "…"}}, or the path of a file that holds one.',
    },
  )
}
