import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Profile } from '../../schemas/profile.ts'
import * as say from '../findings/skill.ts'
import type { Memo } from '../memo.ts'
import type { SourceFile } from '../source-file.ts'
import { defineSkill, nameOf } from './define.ts'
import type { FileSkills, ResolvedSkill, SkillDefinition } from './definition.ts'
import { readDocument, type LostSkill, type SkillDocument } from './document.ts'

/** A file that was read, whether it is a skill or not. */
export type ReadSkill = SkillDocument | LostSkill

/** What the files come to, each by itself. */
interface Found {
  /** The lowest layer first. */
  definitions: SkillDefinition[]
  lost: SourceFile[]
  diagnostics: Diagnostic[]
}

/**
 * Reads skills and commands and folds them by name. In: the files of each kind, lowest precedence first. Out: what can be called, what each
 * replaces, and all that is wrong. Whole files replace each other; a skill beats a command (claude-code-agents.md 8.2, mission M20).
 */
export async function collectSkills(
  skillFiles: readonly SourceFile[],
  commandFiles: readonly SourceFile[],
  profile: Profile,
  known?: Memo<SourceFile, ReadSkill>,
): Promise<FileSkills & { diagnostics: Diagnostic[] }> {
  const [skills, commands] = [await readAll(skillFiles, profile, known), await readAll(commandFiles, profile, known)]
  const lost = new Map<string, SourceFile>()
  const [found, other] = [folded(skills, skillFiles, lost), folded(commands, commandFiles, new Map())]
  const hidden = [...other.keys()].filter((name) => found.has(name) || lost.has(name))
  const diagnostics = [...skills.diagnostics, ...commands.diagnostics, ...hidden.flatMap((name) => hides(name, found, other))]
  for (const name of hidden) other.delete(name)
  return { skills: found, commands: other, lost, diagnostics }
}

async function readAll(files: readonly SourceFile[], profile: Profile, known?: Memo<SourceFile, ReadSkill>): Promise<Found> {
  const all: Found = { definitions: [], lost: [], diagnostics: [] }
  for (const file of files) {
    const before = known?.get(file)
    const document: ReadSkill = before ?? (await readDocument(file))
    if (!before) known?.set(file, document)
    if (!('root' in document)) {
      all.lost.push(file)
      all.diagnostics.push(...document.diagnostics)
      continue
    }
    const { definition, diagnostics } = defineSkill(document, profile)
    all.definitions.push(definition)
    all.diagnostics.push(...diagnostics)
  }
  return all
}

/** The chains of equal names, in name order. A lost file takes its name with it, unless a file of higher precedence has that name. */
function folded({ definitions, lost }: Found, files: readonly SourceFile[], gone: Map<string, SourceFile>): Map<string, ResolvedSkill> {
  const rank = new Map(files.map((file, index) => [file, index]))
  const chains = new Map<string, SkillDefinition[]>()
  for (const definition of definitions) chains.set(definition.name, [definition, ...(chains.get(definition.name) ?? [])])
  for (const file of lost) {
    const name = nameOf(file)
    const winner = chains.get(name)?.[0]
    if (winner && rank.get(winner.file)! > rank.get(file)!) continue
    chains.delete(name)
    gone.set(name, file)
  }
  const resolved = ([name, [definition, ...overrides]]: [string, SkillDefinition[]]): [string, ResolvedSkill] => [
    name,
    { definition: definition!, overrides },
  ]
  return new Map([...chains].sort(([a], [b]) => (a < b ? -1 : 1)).map(resolved))
}

function hides(name: string, skills: ReadonlyMap<string, ResolvedSkill>, commands: ReadonlyMap<string, ResolvedSkill>): Diagnostic[] {
  const skill = skills.get(name)?.definition
  return skill ? [say.hidesCommand(skill.file, skill.at, name, commands.get(name)!.definition.file)] : []
}
