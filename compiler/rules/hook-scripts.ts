import { join } from 'node:path'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Located } from '../../schemas/source.ts'
import * as say from '../findings/block.ts'
import type { SourceFile } from '../source-file.ts'

/** A command line of a hook, and the file it stands in. */
export interface HookCommand extends Located<string> {
  file: SourceFile
}

/** Where relative paths of hooks lead: the working directory, and the project's root. */
export interface ScriptRoots {
  cwd: string
  project: string
  home: string
  /** Folder of each plugin, for `${CLAUDE_PLUGIN_ROOT}` in its own hooks. */
  plugins: ReadonlyMap<string, string>
}

/** What lies at a path. */
export type Look = (path: string) => 'fine' | 'absent' | 'not-executable'

/** As a shell takes it: quoted parts and plain ones that follow each other without a blank are one word. */
const FIRST_WORD = /^\s*((?:"[^"]*"|'[^']*'|[^\s;&|<>()"']+)+)/
/** Programs that run the script named after them, which then needs no right to be executed. */
const INTERPRETERS = new Set(['bash', 'sh', 'zsh', 'node', 'python', 'python3', 'ruby', 'perl', 'deno', 'bun', 'tsx'])
const PLUGIN = /^\$(?:CLAUDE_PLUGIN_ROOT\b|\{CLAUDE_PLUGIN_ROOT\})\//
const PROJECT = /^\$(?:CLAUDE_PROJECT_DIR\b|\{CLAUDE_PROJECT_DIR\})\//

/**
 * Scripts of hooks that are not there or cannot be executed (issue 4; what-to-report.md). Only paths in the project or the home folder
 * are looked at: what lies elsewhere differs from machine to machine, and a name without a folder is a program of the system.
 */
export function checkHookScripts(commands: readonly HookCommand[], roots: ScriptRoots, look: Look): Diagnostic[] {
  const known = new Map<string, Script | undefined>()
  const read = (command: string, plugin: string | undefined): Script | undefined => {
    const key = `${plugin ?? ''}\0${command}`
    if (!known.has(key)) known.set(key, scriptOf(command, roots, plugin))
    return known.get(key)
  }
  return commands.flatMap(({ file, value, range }) => {
    const script = read(value, file.origin.plugin)
    if (!script) return []
    const states = script.paths.map(look)
    if (states.every((state) => state === 'absent')) return [say.scriptMissing(file, range, script.written)]
    const runs = script.direct && states.every((state) => state !== 'fine')
    return runs ? [say.scriptNotExecutable(file, range, script.written)] : []
  })
}

/** The script that a command line begins with: as written, and where it may lie. Without an interpreter it is started directly. */
interface Script {
  written: string
  paths: string[]
  direct: boolean
}

function scriptOf(command: string, roots: ScriptRoots, plugin: string | undefined): Script | undefined {
  const first = wordOf(command)
  if (first === undefined) return undefined
  const second = INTERPRETERS.has(first.word) ? wordOf(command.slice(first.length)) : undefined
  const { word } = second ?? first
  const paths = plugin === undefined ? pathsOf(word, roots) : pathsInPlugin(word, roots.plugins.get(plugin))
  return paths && { written: word, paths, direct: second === undefined }
}

function wordOf(text: string): { word: string; length: number } | undefined {
  const match = FIRST_WORD.exec(text)
  const word = match?.[1]!.replaceAll(/["']/g, '')
  return match && word ? { word, length: match[0].length } : undefined
}

function pathsOf(word: string, { cwd, project, home }: ScriptRoots): string[] | undefined {
  const inProject = PROJECT.exec(word)
  const rest = inProject ? word.slice(inProject[0].length) : word.replace(/^~\//, '')
  if (/[$*?`{}~]/.test(rest)) return undefined
  if (inProject) return [join(project, rest)]
  if (word.startsWith('~/')) return [join(home, rest)]
  if (/^\.{1,2}\//.test(word)) return [...new Set([join(cwd, word), join(project, word)])]
  return undefined
}

/** A plugin is used in many projects, so only what lies in its own folder can be looked at. */
function pathsInPlugin(word: string, folder: string | undefined): string[] | undefined {
  const rest = word.replace(PLUGIN, '')
  return folder === undefined || rest === word || /[$*?`{}~]/.test(rest) ? undefined : [join(folder, rest)]
}
