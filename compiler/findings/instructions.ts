import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Origin, Range } from '../../schemas/source.ts'
import { IMPORT_HOPS } from '../../schemas/values.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { lossOf } from './file.ts'
import { finding, wholeFile } from './finding.ts'

/** Findings about CLAUDE.md and what belongs to it. None is an error: a text that is lost is said, and the agents are built. */

/** What discovery says of an agent's file, said of one with instructions. Findings about what could be read stay as they are. */
export function instructionsLost(found: Diagnostic): Diagnostic {
  const { code, at: place } = found
  if (code === 'file/too-large') {
    return finding('instructions/too-large', place, `${place.origin.path} is larger than 4 MiB, so no agent gets it.`, {
      help: 'Keep what every agent has to know, and let agents read the rest where they need it.',
    })
  }
  const loss = lossOf(found)
  return loss === undefined ? found : unreadableInstructions(place.origin, loss)
}

export function unreadableInstructions(origin: Origin, what: string): Diagnostic {
  return finding('instructions/unreadable', wholeFile(origin), `${origin.path} ${what}, so no agent gets the instructions in it.`, {
    help: 'Make it a text file that the user who builds may read, or remove it.',
  })
}

export function linkOutside(origin: Origin): Diagnostic {
  const message = `The link ${origin.path} leads out of the project, so what is there does not become instructions of it.`
  return finding('instructions/import-outside', wholeFile(origin), message, {
    help: 'Put the text into the project, or have ~/.claude/CLAUDE.md import it, which only the person writes.',
  })
}

export function linkProtected(origin: Origin, reason: string): Diagnostic {
  const message = `The link ${origin.path} leads to a file that is never passed on, because ${reason}.`
  return finding('instructions/import-protected', wholeFile(origin), message, { help: 'Remove the link.' })
}

export function importOutside(file: SourceFile, range: Range, path: string): Diagnostic {
  const message = `\`@${path}\` leads out of what this file may import from, so it is not followed.`
  return finding('instructions/import-outside', placeIn(file, range), message, {
    help: 'Put the text into the project, or have ~/.claude/CLAUDE.md import it, which only the person writes.',
  })
}

export function importProtected(file: SourceFile, range: Range, path: string, reason: string): Diagnostic {
  const message = `\`@${path}\` is not followed, because ${reason}, and every agent would pass it on to the model.`
  return finding('instructions/import-protected', placeIn(file, range), message, { help: 'Remove the import.' })
}

export function importMissing(file: SourceFile, range: Range, path: string, reason: string): Diagnostic {
  return finding('instructions/import-missing', placeIn(file, range), `\`@${path}\` cannot be imported: ${reason}.`, {
    help: 'Write the path relative to this file, with a backslash before each blank; put it between backticks if it is not to be imported.',
  })
}

export function importTooDeep(file: SourceFile, range: Range, path: string): Diagnostic {
  const message = `\`@${path}\` is not followed, because this file is the last of ${IMPORT_HOPS} that import each other.`
  return finding('instructions/import-limit', placeIn(file, range), message, { help: 'Import it in a file nearer to CLAUDE.md.' })
}

export function tooManyImports(file: SourceFile, range: Range, path: string, limit: number): Diagnostic {
  const message = `\`@${path}\` and what comes after it is not followed, because more than ${limit} files are imported.`
  return finding('instructions/import-limit', placeIn(file, range), message, { help: 'Import only what every agent has to know.' })
}

export function importCycle(file: SourceFile, range: Range, path: string): Diagnostic {
  const message = `\`@${path}\` leads back to a file that imports this one, so it is not followed again.`
  return finding('instructions/import-cycle', placeIn(file, range), message, { help: 'Remove one of the imports; each file is read once.' })
}

export function ruleFrontmatter(file: SourceFile, range: Range): Diagnostic {
  const message = 'The frontmatter of this rule cannot be read, so the rule holds for all files.'
  return finding('instructions/rule-frontmatter', placeIn(file, range), message, {
    help: 'Write `paths:` with a list of patterns below it between two lines `---`, or remove the frontmatter.',
  })
}

export function pathRule(file: SourceFile, range: Range): Diagnostic {
  const message = 'This rule holds for some files only, and agentc does not load rules while an agent is at work, so no agent gets it.'
  return finding('instructions/path-rule', placeIn(file, range), message, {
    help: 'Remove `paths` if all agents are to have the rule, or name the files in its text.',
  })
}

export function agentsMdUnread(origin: Origin): Diagnostic {
  const message = `${origin.path} is not read, because the project has a CLAUDE.md or CLAUDE.local.md.`
  return finding('instructions/agents-md', wholeFile(origin), message, {
    help: 'Write `@AGENTS.md` into the CLAUDE.md beside it to have both.',
  })
}

export function aboveProject(origin: Origin): Diagnostic {
  const message = `${origin.path} lies above the project, so its agents do not get it; Claude Code reads it.`
  return finding('instructions/above-project', wholeFile(origin), message, {
    help: 'Put what holds for all your projects into ~/.claude/CLAUDE.md, and what this one needs into the project.',
  })
}
