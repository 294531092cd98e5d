import { dirname } from 'node:path'
import type { Match, Rule } from '../../schemas/shapes/permission.ts'
import { isInside, shownPath } from '../workspace.ts'
import type { Asked, Rights } from './asked.ts'
import { hostOf, nameOf, READS, WRITES } from './covers.ts'
import type { ShellCommand } from './shell/command.ts'
import { HOLE } from './shell/word.ts'

/** Programs whose first word after the name says what they do, so that a rule should hold it. */
const TWO_WORDS = new Set(['git', 'npm', 'yarn', 'pnpm', 'docker', 'podman', 'cargo', 'go', 'pip', 'pip3', 'uv', 'kubectl', 'gh', 'brew', 'apt', 'apt-get', 'make', 'just', 'poetry', 'bundle', 'dotnet', 'terraform', 'helm']) // prettier-ignore
const SCRIPTS = new Set(['npm', 'yarn', 'pnpm', 'bun'])

/** The rule that would allow a call next time; `undefined` where none is narrow enough to be proposed. */
export function suggestion(asked: Asked, rights: Rights, command?: ShellCommand): Rule | undefined {
  const { tool, input } = asked
  if (tool === 'Bash') return command && about(tool, forCommand(command))
  if (READS.has(tool) || WRITES.has(tool)) return forPath(WRITES.has(tool) ? 'Edit' : 'Read', asked, rights)
  if (tool === 'WebFetch') return about(tool, forHost(hostOf(input.url)))
  if (tool === 'Skill' || tool === 'Agent') return about(tool, forName(nameOf(tool, input)))
  return { tool }
}

/** A star in a host would be all hosts that it stands for. */
function forHost(domain: string | undefined): Match | undefined {
  return domain === undefined || domain === '' || domain.includes('*') ? undefined : { domain }
}

/** As people write it, a name with one of these signs would be another one, or many. */
function forName(name: string | undefined): Match | undefined {
  return name === undefined || name === '' || /^[/\s]|[*()\\]|\s$/.test(name) ? undefined : { name }
}

function about(tool: string, match: Match | undefined): Rule | undefined {
  return match && { tool, match }
}

function forCommand({ words, exactOnly, assigned }: ShellCommand): Match | undefined {
  const texts = words.map(({ text }) => text)
  if (texts.length === 0 || assigned.length > 0 || texts.some((text) => text === '' || text.includes(HOLE) || /[\s()*'"\\]/.test(text)))
    return undefined
  const exact = { exact: texts.join(' ') }
  if (exactOnly || texts.length === 1) return exact
  const scripts = SCRIPTS.has(texts[0]!) && texts[1] === 'run'
  const length = scripts ? 3 : TWO_WORDS.has(texts[0]!) && !texts[1]!.startsWith('-') ? 2 : 1
  return length === 1 ? exact : { prefix: texts.slice(0, length) }
}

/** Signs that mean something in a pattern: a file with one in its name has no rule of its own. */
const PATTERN = /[*?[\]{}()!\\,"|]|^[#\s]|\s$/

/**
 * One file of the project; outside, for reading, its folder, unless that is home or holds it. A name without a slash would be any file of
 * that name, so it is written from the root. A link has no rule: both its paths would have to fit.
 */
function forPath(tool: 'Read' | 'Edit', { files }: Asked, { workspace }: Rights): Rule | undefined {
  const path = files[0]?.path
  if (path === undefined || path !== files[0]!.real) return undefined
  const shown = shownPath(workspace, path)
  if (PATTERN.test(path) || PATTERN.test(shown)) return undefined
  if (isInside(workspace.cwd, path) && shown.includes('/')) return { tool, match: { path: shown, anchor: 'cwd' } }
  const folder = dirname(path)
  const wide = tool === 'Read' && ![workspace.cwd, workspace.home].some((at) => at !== undefined && isInside(folder, at))
  return { tool, match: { path: wide ? `${folder}/**` : path, anchor: 'root' } }
}
