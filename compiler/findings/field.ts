import type { Diagnostic, Fix } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'
import { didYouMean } from '../../schemas/near.ts'

/** Findings about single fields of an agent's frontmatter. */

export function missingName(file: SourceFile, at: Range, suggestion: string): Diagnostic {
  return finding(
    'field/missing-name',
    placeIn(file, at),
    'The file has the keys of an agent and no `name`, so it is taken for a document and no agent comes of it.',
    {
      help: `Add \`name: ${suggestion}\`.`,
    },
  )
}

export function nameType(file: SourceFile, at: Range, type: string): Diagnostic {
  const written = file.text.slice(...at)
  const quotable = type !== 'a list' && type !== 'a map'
  return finding('field/name-type', placeIn(file, at), `The \`name\` is ${type}, not text, so the agent is not loaded.`, {
    help: quotable ? `Put it in quotes: \`name: "${written}"\`.` : 'Write one name as text: `name: example`.',
    ...(quotable && { fix: { title: 'Quote the name', edits: [{ range: at, text: JSON.stringify(written) }] } }),
  })
}

export function invalidName(file: SourceFile, at: Range, reason: string): Diagnostic {
  return finding('field/invalid-name', placeIn(file, at), `The name ${reason}, so the agent is not loaded.`, {
    help: 'Use letters, digits, spaces, hyphens or underscores, at most 256 characters; `:` is kept for plugins.',
  })
}

export function missingDescription(file: SourceFile, at: Range, empty: boolean): Diagnostic {
  const what = empty ? 'The `description` is empty' : 'The agent has no `description`'
  return finding('field/missing-description', placeIn(file, at), `${what}, so it is not loaded.`, {
    help: 'Add `description: …` and say when the agent should be used; others choose it by this text.',
  })
}

export function descriptionType(file: SourceFile, at: Range, type: string): Diagnostic {
  return finding('field/description-type', placeIn(file, at), `The \`description\` is ${type}, not text, so the agent is not loaded.`, {
    help: 'Write it as text; put it in quotes if it is a number or begins with a bracket.',
  })
}

export function blankDescription(file: SourceFile, at: Range): Diagnostic {
  return finding(
    'field/blank-description',
    placeIn(file, at),
    'The `description` holds only blanks, so nothing tells when to use the agent.',
    {
      help: 'Say in one sentence what the agent is for.',
    },
  )
}

/** A key that is a misspelling of a known one. Losing a restriction is an error, losing anything else a warning. */
export function misspeltKey(file: SourceFile, at: Range, key: string, meant: string, effect: string, restricts: boolean): Diagnostic {
  const code = restricts ? 'field/lost-restriction' : 'field/misspelt-key'
  return finding(code, placeIn(file, at), `\`${key}\` is not a key of agents, so it does nothing: ${effect}.`, {
    help: `Did you mean \`${meant}\`?`,
    fix: { title: `Rename it to \`${meant}\``, edits: [{ range: at, text: meant }] },
  })
}

/** A value that the field does not take; the field is left out, the agent stays. */
export function invalidValue(
  file: SourceFile,
  at: Range,
  key: string,
  shown: string,
  expected: string,
  allowed: readonly string[] = [],
): Diagnostic {
  const meant = allowed.length > 0 ? didYouMean(shown, allowed) : undefined
  return finding(
    'field/invalid-value',
    placeIn(file, at),
    `\`${key}: ${clipped(shown)}\` is not valid, so the field is ignored; expected ${expected}.`,
    {
      help: meant ? `Did you mean \`${meant}\`?` : `Write ${expected}, or remove the key.`,
    },
  )
}

export function emptyValue(file: SourceFile, at: Range, key: string): Diagnostic {
  return finding('field/empty-value', placeIn(file, at), `\`${key}\` has no value, which is the same as leaving it out.`, {
    help: 'Give it a value or remove the key.',
  })
}

export function letterCase(file: SourceFile, at: Range, key: string, meant: string): Diagnostic {
  const fix: Fix = { title: `Write \`${meant}\``, edits: [{ range: at, text: meant }] }
  return finding(
    'field/letter-case',
    placeIn(file, at),
    `\`${key}\` is documented as \`${meant}\`, in lower case; this spelling works in agentc and Claude Code, but perhaps not in other programs.`,
    {
      help: `Write \`${meant}\`.`,
      fix,
    },
  )
}

export function unknownModel(file: SourceFile, at: Range, model: string, known: readonly string[]): Diagnostic {
  const meant = didYouMean(model, known)
  return finding(
    'field/unknown-model',
    placeIn(file, at),
    `\`${clipped(model)}\` is no model that agentc knows; it is sent to the API as it is, which will refuse it if it does not exist.`,
    {
      help: meant ? `Did you mean \`${meant}\`?` : `Use ${known.join(', ')}, inherit, or a full id such as claude-sonnet-5-5.`,
    },
  )
}

export function color(file: SourceFile, at: Range, shown: string, allowed: readonly string[]): Diagnostic {
  return finding('field/color', placeIn(file, at), `The colour ${shown} is none of the eight, so agentc picks one from the agent's name.`, {
    help: `Use ${allowed.join(', ')}.`,
  })
}

export function emptyBody(file: SourceFile, at: Range): Diagnostic {
  return finding('field/empty-body', placeIn(file, at), 'Nothing stands below the frontmatter, so the agent has no prompt of its own.', {
    help: 'Write what the agent is to do below the closing `---`.',
  })
}

export function ignoredInPlugin(file: SourceFile, at: Range, key: string): Diagnostic {
  return finding(
    'field/ignored-in-plugin',
    placeIn(file, at),
    `\`${key}\` is ignored in an agent that comes from a plugin: a plugin may not raise its own rights.`,
    {
      help: `Remove it; whoever wants it copies the agent to \`.claude/agents\` and sets \`${key}\` there.`,
    },
  )
}

export function ignoredInFlag(file: SourceFile, at: Range, key: string): Diagnostic {
  return finding('field/ignored-in-flag', placeIn(file, at), `\`${key}\` is ignored in --agents, because it counts in files only.`, {
    help: 'Define the agent in a file if it needs this field.',
  })
}

export function notAnAgent(file: SourceFile, at: Range, name: string, reason: string): Diagnostic {
  return finding('flag/not-an-agent', placeIn(file, at), `The entry \`${clipped(name)}\` of --agents is not an agent: ${reason}.`, {
    help: 'Every entry is an object with `description` and `prompt`.',
  })
}

function clipped(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
