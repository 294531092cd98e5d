import { ripgrep } from './ripgrep.ts'
import { type Ground, Harvest, harvested, searchGround } from './search.ts'
import { isOutput, type Tool, type ToolInput } from './tool.ts'
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
    return harvested(harvest, found, context.hides, `No match for ${input.pattern as string}${where(ground, input)}.`)
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

/** ripgrep's own words about a file with NUL bytes, the one kind of line that has no NUL behind the path. */
const BINARY = /^(.*): (?:WARNING: stopped searching binary file after match|binary file matches) \(found .*\)$/s

/**
 * Turns ripgrep's records into lines to show. A record of `--files-with-matches` is a path; else it is `path NUL rest`,
 * and since every path starts with `./`, one without a NUL is the first part of a name that holds line ends.
 */
function taker(harvest: Harvest, input: ToolInput, mode: string): (record: string) => boolean {
  if (mode === 'files_with_matches') return (record) => shownWith(harvest, record, (shown) => shown)
  let begun = ''
  return (record) => {
    if (begun === '' && record === '--') return separated(harvest)
    const whole = `${begun}${record}`
    const cut = whole.indexOf('\0')
    const binary = cut < 0 ? BINARY.exec(whole) : null
    begun = cut < 0 && !binary ? `${whole}\n` : ''
    if (binary) return shownWith(harvest, binary[1]!, (shown) => `${shown}: binary, not searched behind its first NUL byte`)
    if (cut < 0) return true
    return shownWith(harvest, whole.slice(0, cut), (shown) => lineOf(shown, whole.slice(cut + 1).replace(/\r$/, ''), input, mode))
  }
}

function shownWith(harvest: Harvest, named: string, line: (shown: string) => string): boolean {
  const shown = harvest.shown(named)
  return shown === undefined || harvest.add(line(shown))
}

/** Lines around a match have `-` where a match has `:`. */
function lineOf(shown: string, rest: string, input: ToolInput, mode: string): string {
  if (mode === 'count') return `${shown}:${rest}`
  const [, number, mark, text] = /^(\d+)([:-])(.*)$/s.exec(rest) ?? ['', '', ':', rest]
  return input['-n'] === false ? `${shown}${mark}${text}` : `${shown}${mark}${number}${mark}${text}`
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
