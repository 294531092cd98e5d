import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { CLAUDE_CODE } from '../../schemas/claude-code.ts'
import { AGENTC, type Profile } from '../../schemas/profile.ts'
import { faultOf } from '../discover/file-system.ts'
import type { CompileOptions } from '../options.ts'
import { styler, type Style } from '../report/style.ts'
import { isAble, UsageError, type Io } from './io.ts'
import { LOADING_HELP, loadingOf, type LoadingFlags } from './loading.ts'

/** Flags that every command of the compiler takes. */
export const COMMON = {
  project: { type: 'string' },
  home: { type: 'string' },
  'managed-dir': { type: 'string' },
  'plugin-dir': { type: 'string', multiple: true },
  agents: { type: 'string' },
  'mcp-lock': { type: 'string' },
  settings: { type: 'string' },
  layers: { type: 'string' },
  'setting-sources': { type: 'string' },
  feature: { type: 'string', multiple: true },
  target: { type: 'string' },
  format: { type: 'string' },
  color: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options']

export const COMMON_HELP = `  --project DIR       the working directory (default: the current one)
  --home DIR          the home folder, with its .claude
  --managed-dir DIR   the folder of the policy layer
  --plugin-dir DIR    a plugin; may be given more than once
  --agents JSON|FILE  agents given on the command line
  --settings JSON|FILE
                      settings given on the command line
  --mcp-lock FILE     what MCP tools are locked to (default: agentc.mcp.lock.json of the project)
${LOADING_HELP}  --target PROGRAM    show what this program does with the files: agentc (default), claude-code
  --color auto|always|never
`

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses the arguments of a command; a fault is a `UsageError` with one sentence. */
export function parseFlags<T extends Options>(argv: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...argv], options: { ...COMMON, ...options }, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n')[0]!.replace(/\. To specify.*$/, '.'))
  }
}

export interface CommonFlags extends LoadingFlags {
  project?: string
  home?: string
  'managed-dir'?: string
  'plugin-dir'?: string[]
  agents?: string
  'mcp-lock'?: string
  settings?: string
  target?: string
  format?: string
  color?: string
}

/** Where to look, from the flags and, where a flag is silent, from the environment. */
export function compileOptions(flags: CommonFlags, io: Io): CompileOptions {
  const cwd = resolve(io.cwd, flags.project ?? '.')
  const fault = folderFault(cwd, flags.project ?? cwd)
  if (fault !== undefined) throw new UsageError(fault)
  const home = flags.home === undefined ? io.home : resolve(io.cwd, flags.home)
  const configured = flags.home === undefined ? io.env['CLAUDE_CONFIG_DIR'] : undefined
  return {
    cwd,
    home,
    configDir: configured ? resolve(io.cwd, configured) : join(home, '.claude'),
    managedDir: flags['managed-dir'] === undefined ? managedDir(io) : resolve(io.cwd, flags['managed-dir']),
    builtinDir: io.builtinDir,
    pluginDirs: (flags['plugin-dir'] ?? []).map((dir) => resolve(io.cwd, dir)),
    ...loadingOf(flags, io),
    profile: profileOf(flags.target),
    ...(flags.agents !== undefined && { agentsFlag: flags.agents }),
    ...(flags['mcp-lock'] !== undefined && { mcpLock: resolve(io.cwd, flags['mcp-lock']) }),
    ...(flags.settings !== undefined && { settingsFlag: flags.settings }),
    ...(io.whenMany && { whenMany: io.whenMany }),
  }
}

/** What keeps a path from being the working directory. */
function folderFault(path: string, shown: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return `The folder ${shown} does not exist.`
    return stats.isDirectory() ? undefined : `${shown} is a file, and no folder.`
  } catch (error) {
    return `The folder ${shown} cannot be looked at (${faultOf(error)}).`
  }
}

function profileOf(target: string | undefined): Profile {
  const wanted = PROFILES.find(({ name }) => name === (target ?? AGENTC.name))
  if (!wanted) throw new UsageError(`There is no target "${target}"; use ${PROFILES.map(({ name }) => name).join(' or ')}.`)
  return wanted
}

const PROFILES = [AGENTC, CLAUDE_CODE]

/** claude-code-agents.md 3.2 */
function managedDir({ platform, env }: Io): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode'
  return platform === 'win32' ? join(env['ProgramFiles'] ?? 'C:\\Program Files', 'ClaudeCode') : '/etc/claude-code'
}

/** One of the formats a command knows. */
export function formatOf<T extends string>(flags: CommonFlags, allowed: readonly [T, ...T[]]): T {
  const wanted = flags.format ?? allowed[0]
  const format = allowed.find((name) => name === wanted)
  if (format === undefined) throw new UsageError(`There is no format "${wanted}" here; use ${allowed.join(' or ')}.`)
  return format
}

/** Colour on a terminal that can do it, unless `NO_COLOR` is set; `--color` decides otherwise. */
export function styleOf(flags: CommonFlags, io: Io): Style {
  const choice = flags.color ?? 'auto'
  if (!['auto', 'always', 'never'].includes(choice)) throw new UsageError('--color takes auto, always or never.')
  return styler(choice === 'always' || (choice === 'auto' && isAble(io) && !io.env['NO_COLOR']))
}
