import { CODES, type Code } from '../../schemas/codes.ts'
import type { Example } from '../../schemas/codes/code-doc.ts'
import { ROLES, type Color } from '../../schemas/values.ts'
import { columns } from '../report/frame.ts'
import { AGENT_LOOK, printable, type Style } from '../report/style.ts'
import type { Explanation, ExplainedField } from './agent.ts'
import type { Explained } from './settings.ts'
import type { ToolReason } from './tool.ts'

/** `explain <agent>` as text. */
export function agentText(explanation: Explanation, style: Style): string {
  const { name, color, chain, fields, tools, mcp } = explanation
  const head = ROLES.map((role) => role.padEnd(4)).join('  ')
  return [
    `${style(AGENT_LOOK[color as Color], '●')} ${style('bold', printable(name))}`,
    '',
    style('bold', 'where it comes from'),
    ...chain.map((link, i) => chainLine(link, i === 0, style)),
    '',
    style('bold', 'fields'),
    ...fields.map((field) => fieldLine(field, style)),
    '',
    style('bold', `${'tools'.padEnd(21)}${head}`),
    ...tools.filter(isIn).map((reason) => toolLine(reason, style)),
    `  ${'mcp__*'.padEnd(17)}  ${printable(mcp.sub)}`,
    ...(['servers', 'skills', 'instructions', 'rules', 'hooks', 'settings'] as const).flatMap((part) =>
      broughtLines(part, explanation[part], style),
    ),
    '',
    ...outside(
      tools.filter((reason) => !isIn(reason)),
      style,
    ),
  ].join('\n')
}

function chainLine({ source, path, link, checkout }: Explanation['chain'][number], wins: boolean, style: Style): string {
  const notes = [link === undefined ? '' : ` -> ${printable(link)}`, checkout === undefined ? '' : ` (${checkout})`].join('')
  return `  ${wins ? style('green', 'wins    ') : style('dim', 'replaced')}  ${source.padEnd(8)} ${printable(path)}${notes}`
}

/** What there is beside the fields: by name, where it was set up, what it replaced, and what keeps it from counting. */
function broughtLines(title: string, all: readonly Explained[], style: Style): string[] {
  return all.length === 0 ? [] : ['', style('bold', title), ...all.map((item) => broughtLine(item, style))]
}

const NAME_WIDTH = 44

function broughtLine({ name, from, overruled, off }: Explained, style: Style): string {
  const replaced = overruled.length > 0 ? ` (in place of ${overruled.join(', ')})` : ''
  const text = clipped(printable(name.replace(/\s+/g, ' ')), NAME_WIDTH)
  const note = off === undefined ? '' : `  ${style('red', `does not count: ${printable(off)}`)}`
  return `  ${text}${' '.repeat(NAME_WIDTH - columns(text))}  ${style('dim', printable(from + replaced))}${note}`
}

/** One field, for `explain <agent> <field>`. */
export function fieldText({ field, value, from }: ExplainedField): string {
  return `${field}: ${printable(valueText(value))}\n  ${printable(from)}\n`
}

const VALUE_WIDTH = 48

function fieldLine({ field, value, from }: ExplainedField, style: Style): string {
  const text = clipped(printable(valueText(value).replace(/\s+/g, ' ')), VALUE_WIDTH)
  return `  ${field.padEnd(15)} ${text}${' '.repeat(VALUE_WIDTH - columns(text))}  ${style('dim', printable(from))}`
}

function valueText(value: unknown): string {
  if (value === null) return 'not set'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Cut by columns of the terminal, never inside a character. */
function clipped(text: string, limit: number): string {
  if (columns(text) <= limit) return text
  let kept = ''
  let width = 0
  for (const char of text) {
    width += columns(char)
    if (width > limit - 1) break
    kept += char
  }
  return `${kept}…`
}

function toolLine({ tool, roles }: ToolReason, style: Style): string {
  const cells = ROLES.map(
    (role) => (roles[role].in ? style('green', 'yes') : style('dim', 'no ')) + ' '.repeat(Math.max(1, role.length - 3)),
  )
  const out = ROLES.filter((role) => !roles[role].in)
  const speaking = out.length === 0 ? ROLES.slice(0, 1) : out
  const reasons = [...new Set(speaking.map((role) => roles[role].why))]
  const whole = out.length === 0 || out.length === ROLES.length
  const parts = reasons.map((reason) =>
    whole && reasons.length === 1 ? reason : `${out.filter((role) => roles[role].why === reason).join(', ')}: ${reason}`,
  )
  return `  ${tool.padEnd(17)}  ${cells.join('  ')}  ${style('dim', printable(parts.join('; ')))}`
}

function isIn({ roles }: ToolReason): boolean {
  return ROLES.some((role) => roles[role].in)
}

/** Tools that are in no view, by the reason that keeps them from the main one. */
function outside(tools: readonly ToolReason[], style: Style): string[] {
  const groups = new Map<string, string[]>()
  for (const { tool, roles } of tools) groups.set(roles.main.why, [...(groups.get(roles.main.why) ?? []), tool])
  const lines = [...groups].map(([why, names]) => `  ${names.join(', ')}\n    ${style('dim', printable(why))}`)
  return lines.length === 0 ? [] : [style('bold', 'in no view'), ...lines, '']
}

/** `explain <agent> <Tool>`: the reason in every role. */
export function toolText(name: string, { tool, roles }: ToolReason, style: Style): string {
  const lines = ROLES.map(
    (role) => `  ${role.padEnd(10)} ${roles[role].in ? style('green', 'yes') : style('red', 'no ')}  ${printable(roles[role].why)}`,
  )
  return `${style('bold', `${printable(name)}: ${tool}`)}\n${lines.join('\n')}\n`
}

/** `explain <code>`. */
export function codeText(code: Code, style: Style): string {
  const { severity, what, why, todo, bad, good } = CODES[code]
  return [
    `${style('bold', code)} (${severity})`,
    `  ${what}`,
    `  ${style('dim', 'why:')} ${why}`,
    `  ${style('green', 'do:')}  ${todo}`,
    '',
    ...example('bad', bad),
    ...example('good', good),
  ].join('\n')
}

function example(title: string, files: Example): string[] {
  const entries = typeof files === 'string' ? [['.claude/agents/example.md', files] as const] : Object.entries(files)
  return entries.flatMap(([path, file]) => [
    `  ${title}: ${path}`,
    ...content(file)
      .split('\n')
      .map((line) => `    ${printable(line)}`.trimEnd()),
  ])
}

/** Longer examples are cut in the middle of nothing worth reading. */
const EXAMPLE_LIMIT = 1200

function content(file: unknown): string {
  if (typeof file === 'string') return file.length > EXAMPLE_LIMIT ? `${file.slice(0, EXAMPLE_LIMIT)}… (${file.length} characters)` : file
  const { size, link, bytes } = file as { size?: number; link?: string; bytes?: readonly number[] }
  if (size !== undefined) return `(${size} bytes)`
  return link === undefined ? new TextDecoder().decode(Uint8Array.from(bytes ?? [])) : `(a link to ${link})`
}
