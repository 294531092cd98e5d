import { isInside } from '../workspace.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import { allowed, type Asked, type AskedFile, type Decision, type Rights, type ShellCall, toAsk } from './asked.ts'
import { permits } from './command-rule.ts'
import { covers } from './covers.ts'
import { UNKNOWN_TARGET } from './lookup.ts'
import { pathFits } from './path-rule.ts'
import { isCritical, isWorkingFile, protection } from './protected.ts'
import { onlyReads } from './reading.ts'
import { programOf, type ShellCommand, withInner } from './shell/command.ts'
import { FILE_COMMANDS } from './shell/programs.ts'
import { HOLE } from './shell/word.ts'
import { suggestion } from './suggestion.ts'
import { written } from './written.ts'

/** Whether every command of a line fits a cap (`tools: Bash(git *)`); a cap knows no commands that run unasked. */
export function withinLimits(shell: ShellCall, limits: readonly Rule[]): boolean {
  const { commands, broken, opaque, vague, text } = shell.line
  if (limits.some(({ match }) => match && 'exact' in match && match.exact === text.trim())) return true
  if (limits.some(({ match }) => match === undefined)) return true
  if ([...broken, ...opaque, ...vague].length > 0 || commands.length === 0) return false
  const fits = (command: ShellCommand): boolean =>
    limits.some((rule) => permits(rule, command)) || (command.through && command.inner.every(fits))
  return commands.every(fits)
}

/** What must be asked about in every mode: what removes whole folders that matter (claude-code-agents.md 5.7). */
export function critical(shell: ShellCall, rights: Rights): string | undefined {
  const commands = shell.line.commands.flatMap(withInner)
  const removes = (at: number): boolean => /^(?:rm|rmdir|shred)$/.test(programOf(commands[at]?.words ?? []))
  if (shell.files.some((file) => file.how === 'write' && removes(file.command) && isCritical(file, rights)))
    return 'it removes a folder that everything depends on'
  const blind = commands.some(
    ({ words }, at) =>
      removes(at) && words.some(({ text }) => text.startsWith(HOLE) && /^\0+(?:\/|$)/.test(text) && words.length > 1 && text !== HOLE),
  )
  return blind ? 'what it removes is known only when it runs' : undefined
}

/** Decides a command line that no rule restricts: by what only reads, by the mode, by the rules that allow. */
export function approveLine(asked: Asked, shell: ShellCall, rights: Rights): Decision {
  const guarded = shell.files.filter(({ how, guessed }) => how === 'write' && !guessed).map((file) => protection(file, rights))
  const reason = guarded.find((item) => item !== undefined)
  if (reason !== undefined) return toAsk(`${reason}, and what it holds is never changed unasked`)
  if (shell.unsure.includes(UNKNOWN_TARGET)) return toAsk(UNKNOWN_TARGET)
  const rules = (rights.allow ?? []).filter((rule) => covers(rule, 'Bash'))
  const line = shell.line.text.trim()
  const own = rules.find(({ match }) => match && 'exact' in match && match.exact === line)
  if (own) return allowed(`allowed by the rule ${written(own)}`, own)
  const bare = rules.find(({ match }) => match === undefined)
  const doubt = doubtOf(shell, rights, bare !== undefined)
  if (doubt !== undefined) return toAsk(`it cannot be judged: ${doubt}`)
  return new Approval(asked, shell, rights, rules, bare).decision()
}

function doubtOf({ line }: ShellCall, { deny, ask, limits }: Rights, all: boolean): string | undefined {
  if (line.broken.length > 0 || line.commands.length === 0) return line.broken[0] ?? 'there is no command in it'
  const restricted = [...deny, ...ask, ...limits].some(({ match }) => match !== undefined)
  if (line.opaque.length > 0 && (!all || restricted)) return line.opaque[0]
  return all ? undefined : line.vague[0]
}

class Approval {
  readonly #asked: Asked
  readonly #shell: ShellCall
  readonly #rights: Rights
  readonly #rules: readonly Rule[]
  readonly #bare: Rule | undefined
  readonly #all: readonly ShellCommand[]
  #rule: Rule | undefined

  constructor(asked: Asked, shell: ShellCall, rights: Rights, rules: readonly Rule[], bare: Rule | undefined) {
    this.#asked = asked
    this.#shell = shell
    this.#rights = rights
    this.#rules = rules
    this.#bare = bare
    this.#all = shell.line.commands.flatMap(withInner)
  }

  decision(): Decision {
    const refused = this.#shell.line.commands.find((command) => !this.#approves(command))
    if (refused) return toAsk(`no rule allows ${named(refused)}`, { would: suggestion(this.#asked, this.#rights, this.#leaf(refused)) })
    const file = this.#shell.files.find((item) => item.redirect && !this.#opens(item, item.how))
    if (file) return toAsk(`no rule allows that its output ${file.how === 'write' ? 'goes into' : 'comes from'} ${file.path}`)
    return this.#rule ? allowed(`allowed by the rule ${written(this.#rule)}`, this.#rule) : allowed('it only reads, or the mode allows it')
  }

  #approves(command: ShellCommand): boolean {
    if (this.#bare) return this.#by(this.#bare)
    const rule = this.#rights.mode === 'plan' ? undefined : this.#rules.find((item) => permits(item, command))
    if (rule) return this.#by(rule)
    if (command.through && command.assigned.length === 0 && command.inner.length > 0 && command.inner.every((item) => this.#approves(item)))
      return true
    const files = this.#shell.files.filter(({ command: at }) => this.#all[at] === command)
    if (onlyReads(command, this.#shell.line.folders.length > 0))
      return this.#shell.unsure.length === 0 && files.every((file) => this.#reads(file))
    const edits = this.#rights.mode === 'acceptEdits' && command.assigned.length === 0 && FILE_COMMANDS.has(command.words[0]!.text)
    return (
      edits &&
      files.length > 0 &&
      !command.words.some(({ text }) => text.includes(HOLE)) &&
      files.every((file) => isWorkingFile(file, this.#rights))
    )
  }

  #by(rule: Rule): true {
    this.#rule ??= rule
    return true
  }

  #reads(file: AskedFile): boolean {
    if (this.#rights.readable?.some((folder) => isInside(folder, file.real)) === true) return true
    return isWorkingFile(file, this.#rights) || this.#allowedPath(file, ['Read', 'Edit'])
  }

  /** A redirection opens a file for the line, whatever rule allows its commands. */
  #opens(file: AskedFile, how: 'read' | 'write' | 'list'): boolean {
    if (how !== 'write') return this.#bare !== undefined || this.#reads(file)
    const working = isWorkingFile(file, this.#rights)
    if (working && (this.#bare || this.#rights.mode === 'acceptEdits')) return true
    return this.#rights.mode !== 'plan' && this.#allowedPath(file, ['Edit'])
  }

  #allowedPath(file: AskedFile, tools: readonly string[]): boolean {
    const { allow = [], workspace } = this.#rights
    return allow.some((rule) => tools.includes(rule.tool) && (!rule.match || pathFits(rule, file, workspace, 'all') === true))
  }

  /** The command to write a rule for: behind wrappers that rules look through. */
  #leaf(command: ShellCommand): ShellCommand {
    return command.through && command.inner.length === 1 ? this.#leaf(command.inner[0]!) : command
  }
}

function named({ words }: ShellCommand): string {
  const text = words.map((word) => word.text.replaceAll(HOLE, '…')).join(' ')
  return `\`${text.length > 100 ? `${text.slice(0, 100)}…` : text}\``
}
