import { join } from 'node:path'
import { DISK, type FileSystem } from '../../compiler/discover/file-system.ts'
import type { Layers } from '../../compiler/discover/layer-folders.ts'
import type { DiscoverOptions } from '../../compiler/discover/options.ts'
import { findPlugins } from '../../compiler/discover/plugins.ts'
import { findProject } from '../../compiler/discover/project.ts'
import { newSearch } from '../../compiler/discover/search.ts'
import { findSkills } from '../../compiler/discover/skills.ts'
import { findCommands } from '../../compiler/discover/slash-commands.ts'
import { collectSkills } from '../../compiler/skills/collect.ts'
import type { SourceFile } from '../../compiler/source-file.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { AGENTC } from '../../schemas/profile.ts'
import { put, optionsFor, temporary } from '../support/tree.ts'

/** Lays files in a temporary tree with `project/` as a git root. */
export function laid(files: Readonly<Record<string, string>>): string {
  const root = temporary()
  put(root, 'project/.git/HEAD', '')
  for (const [path, text] of Object.entries(files)) put(root, path, text)
  return root
}

/** The text of a SKILL.md. */
export function skill(name: string, ...lines: string[]): string {
  return `---\nname: ${name}\ndescription: Does what ${name} does.\n${lines.map((line) => `${line}\n`).join('')}---\n\nText of ${name}.\n`
}

/** Without what comes with agentc, unless a test asks for it. */
export function layersOf(root: string, more: Partial<DiscoverOptions> = {}, fs: FileSystem = DISK): Layers {
  const options = optionsFor(root, { builtinDir: join(root, 'builtin/agents'), ...more })
  const search = newSearch(fs)
  return { options, project: findProject(options.cwd, search), plugins: findPlugins(options, search), search }
}

/** `source path` of each file, lowest precedence first. */
export function shown(files: readonly SourceFile[]): string[] {
  return files.map(({ origin }) => `${origin.source} ${origin.path}`)
}

/** `severity code path` of each finding. */
export function told(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ severity, code, at }) => `${severity} ${code} ${at.origin.path}`)
}

/** Finds and collects all skills and commands of a tree. */
export async function collected(root: string, more: Partial<DiscoverOptions> = {}) {
  const layers = layersOf(root, more)
  const all = await collectSkills(findSkills(layers), findCommands(layers), AGENTC)
  return { ...all, diagnostics: [...layers.search.diagnostics, ...all.diagnostics] }
}

/** The one skill of a project whose SKILL.md has this text. */
export async function oneSkill(text: string) {
  const { skills, diagnostics } = await collected(laid({ 'project/.claude/skills/notes/SKILL.md': text }))
  return { skill: skills.get('notes')?.definition, diagnostics }
}

export function pluginDirs(root: string, ...names: string[]): { pluginDirs: string[] } {
  return { pluginDirs: names.map((name) => join(root, 'plugins', name)) }
}
