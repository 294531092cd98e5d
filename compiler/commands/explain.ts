import { CODES, type Code } from '../../schemas/codes.ts'
import { compile, findingsIn, type Compilation } from '../compile.ts'
import { explainAgent, type Explanation } from '../explain/agent.ts'
import { fieldNamed, fieldNames } from '../explain/field.ts'
import { isMcpToolName, mcpReason } from '../explain/mcp-tool.ts'
import { agentText, codeText, fieldText, toolText } from '../explain/text.ts'
import type { ToolReason } from '../explain/tool.ts'
import { didYouMean } from '../../schemas/near.ts'
import { prettyFinding } from '../report/pretty.ts'
import type { Style } from '../report/style.ts'
import { COMMON_HELP, compileOptions, formatOf, parseFlags, styleOf } from './flags.ts'
import { UsageError, type Io } from './io.ts'

export const EXPLAIN_HELP = `agentc explain <agent> [tool|field]: which file won, where each value comes from, why each tool is in or out
agentc explain <code>: what a finding means and what to do about it
agentc explain --all: all codes

  --all               every code, one after the other
  --format pretty|json
${COMMON_HELP}`

/** `agentc explain`. Exit code 2 for a name that nothing has. */
export async function explain(argv: readonly string[], io: Io): Promise<number> {
  const { values: flags, positionals } = parseFlags(argv, { all: { type: 'boolean' } } as const)
  if (flags.help) return (io.out(EXPLAIN_HELP), 0)
  const style = styleOf(flags, io)
  const format = formatOf(flags, ['pretty', 'json'])
  const [subject, detail, ...rest] = positionals
  if (flags.all) return (io.out(allCodes(format, style)), 0)
  if (subject === undefined || rest.length > 0) throw new UsageError('explain takes an agent and maybe a tool or field, or a code.')
  if (Object.hasOwn(CODES, subject))
    return (io.out(format === 'json' ? json({ code: subject, ...CODES[subject as Code] }) : `${codeText(subject as Code, style)}\n`), 0)
  const compilation = await compile(compileOptions(flags, io))
  const name = subject.normalize('NFC')
  const agent = compilation.resolution.agents.get(name)
  if (!agent) return notThere(name, compilation, io, style)
  const explanation = explainAgent(name, agent, compilation)
  if (detail !== undefined && isMcpToolName(detail)) return (io.out(ofTool(name, mcpReason(detail, agent, compilation), format, style)), 0)
  if (detail !== undefined) return (io.out(part(explanation, detail, compilation, format, style)), 0)
  io.out(format === 'json' ? json(explanation) : agentText(explanation, style))
  return 0
}

function allCodes(format: string, style: Style): string {
  return format === 'json' ? json(CODES) : `${(Object.keys(CODES) as Code[]).map((code) => codeText(code, style)).join('\n')}\n`
}

function part(explanation: Explanation, detail: string, { profile }: Compilation, format: string, style: Style): string {
  const field = fieldNamed(detail, explanation)
  if (field) return format === 'json' ? json(field) : fieldText(field)
  const name = profile.byName.get(detail)?.name ?? detail
  const tool = explanation.tools.find((item) => item.tool === name)
  if (tool) return ofTool(explanation.name, tool, format, style)
  const meant = didYouMean(detail, [...explanation.tools.map((item) => item.tool), ...fieldNames(explanation)])
  throw new UsageError(`"${detail}" is neither a tool nor a field of ${explanation.name}.${meant ? ` Did you mean ${meant}?` : ''}`)
}

function ofTool(agent: string, tool: ToolReason, format: string, style: Style): string {
  return format === 'json' ? json(tool) : toolText(agent, tool, style)
}

/** Says why there is no such agent: dropped with its findings, misspelt, or unknown. */
function notThere(name: string, compilation: Compilation, io: Io, style: Style): number {
  const { resolution } = compilation
  const dropped = resolution.dropped.get(name)
  if (dropped) {
    io.err(`There is no agent "${name}": its file gives no definition.\n\n`)
    for (const item of findingsIn(dropped.file, compilation)) io.err(`${prettyFinding(item, style)}\n`)
    return 1
  }
  const meant = didYouMean(name, [...resolution.agents.keys(), ...Object.keys(CODES)])
  throw new UsageError(
    `There is no agent "${name}".${meant ? ` Did you mean ${meant}?` : ` The agents are ${[...resolution.agents.keys()].slice(0, 20).join(', ')}.`}`,
  )
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
