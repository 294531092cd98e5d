import { ripgrep } from './ripgrep.ts'
import { type Ground, Harvest, harvested, isOutput, searchGround } from './search.ts'
import type { Tool, ToolInput } from './tool.ts'
import { LINE_CHARS } from './lines.ts'

/** Lines of a result when the call does not say how many. */
const LINES = 2000

/** Searches contents. The order is that of the paths; paths are relative to the working directory. */
export const grepTool: Tool = {
  paths: (input) => [(input.path as string | undefined) ?? '.'],
  search: true,
  async run(input, context) {
    const ground = await searchGround(input.path, context)
    if (isOutput(ground)) return ground
    const mode = (input.output_mode as string | undefined) ?? 'files_with_matches'
    const harvest = new Harvest(ground, context, input.glob as string | undefined, (input.head_limit as number | undefined) ?? LINES)
    const found = await ripgrep({
      args: [...options(input, mode), '-e', input.pattern as string, '--', ground.target],
      cwd: ground.cwd,
      env: context.env,
      signal: context.signal,
      separator: mode === 'files_with_matches' ? '\0' : '\n',
      take: taker(harvest, input, mode),
    })
    if (harvest.lines.at(-1) === '--') harvest.lines.pop()
    return harvested(harvest, found, `No match for ${input.pattern as string}${where(ground, input)}.`)
  },
}

function options(input: ToolInput, mode: string): string[] {
  const args = ['--with-filename', '--no-heading']
  if (mode === 'files_with_matches') args.push('--files-with-matches')
  if (mode === 'count') args.push('--count')
  if (mode === 'content') args.push('--line-number', '--max-columns', String(LINE_CHARS), '--max-columns-preview')
  if (input['-i'] === true) args.push('--ignore-case')
  if (input.multiline === true) args.push('--multiline', '--multiline-dotall')
  for (const flag of ['-A', '-B', '-C']) if (mode === 'content' && typeof input[flag] === 'number') args.push(flag, String(input[flag]))
  return args
}

/** Turns ripgrep's records (`path NUL rest`) into lines to show. Lines around a match have `-` where a match has `:`. */
function taker(harvest: Harvest, input: ToolInput, mode: string): (record: string) => boolean {
  const numbers = input['-n'] !== false
  return (record) => {
    if (mode === 'files_with_matches') {
      const shown = harvest.shown(record)
      return shown === undefined || harvest.add(shown)
    }
    const cut = record.indexOf('\0')
    if (cut < 0) return record !== '--' || separated(harvest)
    const shown = harvest.shown(record.slice(0, cut))
    if (shown === undefined) return true
    const rest = record.slice(cut + 1).replace(/\r$/, '')
    if (mode === 'count') return harvest.add(`${shown}:${rest}`)
    const [, number, mark, text] = /^(\d+)([:-])(.*)$/s.exec(rest) ?? ['', '', ':', rest]
    return harvest.add(numbers ? `${shown}${mark}${number}${mark}${text}` : `${shown}${mark}${text}`)
  }
}

/** Groups of context lines are parted by `--`, never at the top and never twice. */
function separated(harvest: Harvest): boolean {
  const last = harvest.lines.at(-1)
  return last === undefined || last === '--' || harvest.add('--')
}

function where(ground: Ground, input: ToolInput): string {
  const glob = typeof input.glob === 'string' ? ` in files that match ${input.glob}` : ''
  return `${glob}${ground.place.shown === '.' ? '' : ` in ${ground.place.shown}`}`
}
