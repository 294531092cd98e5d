import type { Hooks } from '../../schemas/shapes/hook.ts'
import type { Servers } from '../servers/server.ts'
import type { Skills } from '../skills/definition.ts'

/** A file that a plugin may run from its folder: `path` is relative to it, as it is written. Whether there is one is for the disk to say. */
export interface NamedProgram {
  plugin: string
  path: string
}

/** Quoted parts and plain ones that follow each other without a blank, which a shell takes as one word. */
const WORDS = /(?:"[^"]*"|'[^']*'|[^\s;&|<>()"'])+/g
const ROOT = /\$(?:CLAUDE_PLUGIN_ROOT\b|\{CLAUDE_PLUGIN_ROOT\})\/+/
/** What cannot be known before the command runs. */
const OPEN = /[$*?`{}[\]]/

/**
 * What the hooks and servers of plugins name below `${CLAUDE_PLUGIN_ROOT}`, in their command lines and arguments. A file that a line writes to
 * (`>> "${CLAUDE_PLUGIN_ROOT}/log"`) is none that it runs.
 */
export function programsNamed(hooks: Hooks, { skills, commands }: Pick<Skills, 'skills' | 'commands'>, servers: Servers): NamedProgram[] {
  const named = new Map<string, NamedProgram>()
  const add = (plugin: string | undefined, paths: readonly string[]): void => {
    if (plugin !== undefined) for (const path of paths) named.set(JSON.stringify([plugin, path]), { plugin, path })
  }
  for (const { origin, handlers } of groupsOf(hooks)) add(origin?.plugin, handlers.flatMap(pathsOf))
  for (const { definition } of [...skills.values(), ...commands.values()]) {
    for (const { handlers } of groupsOf(definition.hooks?.value)) add(definition.file.origin.plugin, handlers.flatMap(pathsOf))
  }
  for (const { file, config } of servers.values()) {
    if (config.type === 'stdio') add(file.origin.plugin, [config.command, ...(config.args ?? [])].flatMap(pathsIn))
  }
  return [...named.values()]
}

type Group = NonNullable<Hooks[keyof Hooks]>[number]

function groupsOf(hooks: Hooks = {}): Group[] {
  return Object.values(hooks).flat()
}

function pathsOf(handler: Group['handlers'][number]): string[] {
  if (handler.type !== 'command') return []
  const { command, args } = handler
  return args ? [command, ...args].flatMap(pathsIn) : wordsOf(command).flatMap(pathsIn)
}

function wordsOf(line: string): string[] {
  const words = [...line.matchAll(WORDS)].filter(({ index }) => !/>\s*$/.test(line.slice(0, index)))
  return words.map(([word]) => word.replaceAll(/["']/g, ''))
}

/** The rest of a word is a path, or a line of its own that begins with one: `bash -c "${CLAUDE_PLUGIN_ROOT}/a.sh --fast"`. */
function pathsIn(word: string): string[] {
  const [, ...rests] = word.split(ROOT)
  return rests
    .flatMap((rest) => [...new Set([rest, rest.split(/[\s;&|<>()"',:]/, 1)[0]!])])
    .filter((path) => path !== '' && !OPEN.test(path))
}
