import { dirname } from 'node:path'
import { isInside, shownPath } from '../workspace.ts'
import type { Asked, Rights } from './asked.ts'
import { READS, WRITES } from './covers.ts'
import type { ShellCommand } from './shell/command.ts'
import { HOLE } from './shell/word.ts'

/** Programs whose first word after the name says what they do, so that a rule should hold it. */
const TWO_WORDS = new Set(['git', 'npm', 'yarn', 'pnpm', 'docker', 'podman', 'cargo', 'go', 'pip', 'pip3', 'uv', 'kubectl', 'gh', 'brew', 'apt', 'apt-get', 'make', 'just', 'poetry', 'bundle', 'dotnet', 'terraform', 'helm']) // prettier-ignore
const SCRIPTS = new Set(['npm', 'yarn', 'pnpm', 'bun'])

/** The rule, as people write it, that would allow a call next time; `undefined` where none is narrow enough to be proposed. */
export function suggestion(asked: Asked, rights: Rights, command?: ShellCommand): string | undefined {
  const { tool, input } = asked
  if (tool === 'Bash') return command && forCommand(command)
  if (READS.has(tool) || WRITES.has(tool)) return forPath(WRITES.has(tool) ? 'Edit' : 'Read', asked, rights)
  if (tool === 'WebFetch')
    return typeof input.url === 'string' && URL.canParse(input.url) ? `WebFetch(domain:${new URL(input.url).hostname})` : undefined
  if (tool === 'Skill') return typeof input.skill === 'string' ? `Skill(${input.skill.replace(/^\//, '')})` : undefined
  if (tool === 'Agent') return `Agent(${typeof input.subagent_type === 'string' ? input.subagent_type : 'general-purpose'})`
  return tool
}

function forCommand({ words, exactOnly, assigned }: ShellCommand): string | undefined {
  const texts = words.map(({ text }) => text)
  if (texts.length === 0 || assigned.length > 0 || texts.some((text) => text.includes(HOLE) || /[\s()*'"\\]/.test(text))) return undefined
  if (exactOnly || texts.length === 1) return `Bash(${texts.join(' ')})`
  const scripts = SCRIPTS.has(texts[0]!) && texts[1] === 'run'
  const length = scripts ? 3 : TWO_WORDS.has(texts[0]!) && !texts[1]!.startsWith('-') ? 2 : 1
  return length === 1 ? `Bash(${texts.join(' ')})` : `Bash(${texts.slice(0, length).join(' ')}:*)`
}

function forPath(tool: 'Read' | 'Edit', { files }: Asked, { workspace }: Rights): string | undefined {
  const [file] = files
  if (!file) return undefined
  if (isInside(workspace.cwd, file.path)) return `${tool}(${shownPath(workspace, file.path)})`
  return tool === 'Read' ? `Read(/${dirname(file.real)}/**)` : `Edit(/${file.real})`
}
