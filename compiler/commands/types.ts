import { dirname, relative, resolve } from 'node:path'
import { mkdirSync } from 'node:fs'
import { ROLES } from '../../schemas/values.ts'
import { compile, type Compilation } from '../compile.ts'
import { faultOf } from '../discover/file-system.ts'
import { writeAtomically } from '../emit/write.ts'
import { countsOf, countsText } from '../report/summary.ts'
import { COMMON_HELP, compileOptions, parseFlags } from './flags.ts'
import { UsageError, type Io } from './io.ts'

export const TYPES_HELP = `agentc types: writes the names of agents and tools as TypeScript types

  --out FILE          where to write them (default: agents.d.ts in the working directory)
${COMMON_HELP}`

/** `agentc types`. Like `list` it goes on while some agents are broken: they are left out, and the exit code stays 0. */
export async function types(argv: readonly string[], io: Io): Promise<number> {
  const { values: flags, positionals } = parseFlags(argv, { out: { type: 'string' } } as const)
  if (flags.help) return (io.out(TYPES_HELP), 0)
  if (positionals.length > 0) throw new UsageError(`types takes no arguments, but got "${positionals[0]}".`)
  const options = compileOptions(flags, io)
  const file = flags.out === undefined ? resolve(options.cwd, 'agents.d.ts') : resolve(io.cwd, flags.out)
  const compilation = await compile(options)
  const { errors } = countsOf(compilation.diagnostics)
  if (errors > 0) io.err(`${countsText({ errors, warnings: 0, infos: 0 })}: broken agents are left out (agentc build shows why)\n`)
  try {
    mkdirSync(dirname(file), { recursive: true })
    const written = writeAtomically(file, typesText(compilation))
    io.out(`${written ? 'wrote' : 'unchanged:'} ${relative(io.cwd, file) || file}\n`)
    return 0
  } catch (error) {
    io.err(`${relative(io.cwd, file) || file} cannot be written (${faultOf(error)})\n`)
    return 1
  }
}

/**
 * The declarations: `AgentName`, `ToolName`, and `AgentViews`, which gives the tools of each agent in each role. Names are written as
 * literals of text, so that no name of an agent can be read as anything else.
 */
export function typesText({ resolution, profile }: Compilation): string {
  const agents = [...resolution.agents]
  const views = agents.map(([name, { views }]) => {
    const roles = ROLES.map((role) => `    ${role}: ${union([...views[role].tools, ...(views[role].plan ?? [])])}\n`)
    return `  ${JSON.stringify(name)}: {\n${roles.join('')}  }\n`
  })
  return [
    '// Written by `agentc types`; run it again instead of changing this file.\n',
    `export type AgentName = ${union(agents.map(([name]) => name))}\n`,
    `export type ToolName = ${union(profile.tools.map(({ name }) => name))}\n`,
    `/** The tools each agent may use, by the role it runs in; tools of MCP servers are not among them. */\nexport interface AgentViews {\n${views.join('')}}\n`,
  ].join('\n')
}

/** Nothing is the type that has no value. */
function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : [...new Set(names)].map((name) => JSON.stringify(name)).join(' | ')
}
