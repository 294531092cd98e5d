import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseFlags } from './flags.ts'
import { UsageError, type Io } from './io.ts'

export const SCHEMA_HELP = `agentc schema <name>: prints a JSON Schema, for editors and other programs

  agent        the frontmatter of an agent file
  agents-flag  the value of --agents
  config       agentc.config.json: limits of runs, skills that are kept elsewhere
  diff         the output of agentc diff --format json
  list         the output of agentc list --format json
  manifest     .agentc/manifest.json
  mcp-lock     agentc.mcp.lock.json, what agentc build --lock-mcp writes
  report       the output of agentc build --format json
`

/** `agentc schema <name>`. */
export async function schema(argv: readonly string[], io: Io): Promise<number> {
  const { values: flags, positionals } = parseFlags(argv, {})
  if (flags.help) return (io.out(SCHEMA_HELP), 0)
  const names = readdirSync(io.schemaDir).flatMap((file) => (file.endsWith('.schema.json') ? [file.slice(0, -'.schema.json'.length)] : []))
  const [name, ...rest] = positionals
  if (name === undefined || rest.length > 0 || !names.includes(name))
    throw new UsageError(`schema takes one of ${names.sort().join(', ')}.`)
  io.out(readFileSync(join(io.schemaDir, `${name}.schema.json`), 'utf8'))
  return 0
}
