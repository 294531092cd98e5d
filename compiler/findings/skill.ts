import type { Code } from '../../schemas/codes.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { lossOf } from './file.ts'
import { finding } from './finding.ts'

/** Findings about skills and slash commands. None is an error: a skill that is lost is said, and the agents are built. */

/** What discovery says of an agent's file, said of a skill's or a command's. Findings about what could be read stay as they are. */
export function missing(found: Diagnostic, what: 'skill' | 'command'): Diagnostic {
  const { at } = found
  const loss = lossOf(found)
  if (loss === undefined) return found
  return finding('skill/unreadable', at, `${at.origin.path} ${loss}, so the ${what} is missing.`, {
    help: `Make it a readable file of at most 1 MiB, or delete it.`,
  })
}

/** Why a frontmatter cannot be read, by the finding that the parser makes of it for an agent. */
const UNREAD: Partial<Record<Code, string>> = {
  'yaml/unclosed': 'it is opened here and never closed',
  'yaml/language': 'it is not YAML, and agentc never runs code from a file',
  'yaml/multi-line-value': 'a value goes on over several lines that YAML cannot take as one value',
  'yaml/quotes': 'a quoted value does not end where its quotes end',
  'yaml/alias-limit': 'its aliases expand to more than 1,000 values',
  'yaml/too-deep': 'it is nested deeper than 100 levels',
  'yaml/not-a-map': 'it has no `key: value` lines',
}

export function unreadableFrontmatter({ code, at, help }: Diagnostic, what: string): Diagnostic {
  const reason = UNREAD[code] ?? 'it is not YAML'
  return finding('skill/unreadable', at, `The frontmatter of this ${what} cannot be read, because ${reason}, so the ${what} is missing.`, {
    ...(help !== undefined && { help }),
  })
}

export function blankRun(file: SourceFile, at: Range, what: string): Diagnostic {
  return finding('skill/unreadable', placeIn(file, at), `The frontmatter has more than 200 blanks in a row, so the ${what} is missing.`, {
    help: 'Remove them.',
  })
}

export function noFrontmatter(file: SourceFile, at: Range, late: boolean): Diagnostic {
  const what = late ? 'The frontmatter of this skill does not begin on the first line' : 'The skill has no frontmatter'
  return finding('skill/no-frontmatter', placeIn(file, at), `${what}, so its first line of text is all that says what it is for.`, {
    help: 'Put `---`, `description: …`, `---` on the first lines, and say when the skill should be used.',
  })
}

export function missingDescription(file: SourceFile, at: Range): Diagnostic {
  return finding(
    'skill/missing-description',
    placeIn(file, at),
    'The skill has no `description`, so its first line of text is all that says what it is for.',
    { help: 'Add `description: …` and say when the skill should be used; the model chooses it by this text.' },
  )
}

export function nameDiffers(file: SourceFile, at: Range, name: string, folder: string, called: string): Diagnostic {
  return finding(
    'skill/name-differs',
    placeIn(file, at),
    `The skill lies in the folder \`${folder}\` and names itself \`${name}\`; it is called \`${called}\`.`,
    { help: 'Give both the same name, as the portable specification of skills asks.' },
  )
}

export function misspeltKey(file: SourceFile, at: Range, key: string, meant: string): Diagnostic {
  return finding('skill/misspelt-key', placeIn(file, at), `\`${key}\` is not a key of skills, so it does nothing.`, {
    help: `Did you mean \`${meant}\`?`,
    fix: { title: `Rename it to \`${meant}\``, edits: [{ range: at, text: meant }] },
  })
}

export function duplicateKey(file: SourceFile, at: Range, key: string, first: Range): Diagnostic {
  return finding('skill/duplicate-key', placeIn(file, at), `The key \`${key}\` stands here a second time; only the last one counts.`, {
    help: 'Keep one of the two.',
    related: [{ message: 'the first one', at: placeIn(file, first) }],
  })
}

export function unknownAgent(file: SourceFile, at: Range, name: string, meant: string | undefined): Diagnostic {
  return finding('skill/unknown-agent', placeIn(file, at), `There is no agent \`${name}\`, so the skill cannot be run in one.`, {
    help: meant ? `Did you mean \`${meant}\`?` : 'Create it in `.claude/agents`, or remove the key to use general-purpose.',
  })
}

export function hidesCommand(skill: SourceFile, at: Range, name: string, command: SourceFile): Diagnostic {
  return finding(
    'skill/hides-command',
    placeIn(skill, at),
    `\`/${name}\` runs this skill, so the command in ${command.origin.path} can never be run.`,
    { help: 'Rename one of the two, or delete the command.', related: [{ message: 'the command', at: placeIn(command, [0, 0]) }] },
  )
}

/** A name under `skills` of an agent. It is loud where skills are kept in this project, or come from a plugin that was given. */
export function unknownSkill(file: SourceFile, at: Range, name: string, meant: string | undefined, listed: boolean): Diagnostic {
  const code = listed ? 'reference/unknown-skill' : 'reference/unlisted-skill'
  const why = listed ? 'so nothing is put before the task' : 'unless the place where the agent is used brings it'
  return finding(code, placeIn(file, at), `There is no skill \`${name}\`, ${why}.`, {
    help: meant ? `Did you mean \`${meant}\`?` : `Create \`.claude/skills/${pathPart(name)}/SKILL.md\`, or remove the name.`,
  })
}

function pathPart(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).replaceAll('/', '-')
}

export function lostSkill(file: SourceFile, at: Range, name: string, skill: SourceFile): Diagnostic {
  return finding('reference/unknown-skill', placeIn(file, at), `The skill \`${name}\` cannot be read, so nothing is put before the task.`, {
    help: 'Correct the file of the skill.',
    related: [{ message: 'the skill', at: placeIn(skill, [0, 0]) }],
  })
}

export function disabledSkill(file: SourceFile, at: Range, name: string, skill: SourceFile, key: Range): Diagnostic {
  return finding(
    'reference/disabled-skill',
    placeIn(file, at),
    `The skill \`${name}\` says \`disable-model-invocation\`, so it cannot be put before the task of an agent.`,
    { help: 'Remove the name here, or the key there.', related: [{ message: 'said here', at: placeIn(skill, key) }] },
  )
}
