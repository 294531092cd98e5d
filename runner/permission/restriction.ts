import type { Rule } from '../../schemas/shapes/permission.ts'
import type { Asked, AskedFile, Rights, ShellCall } from './asked.ts'
import { type CommandTexts, restricts, textsOf } from './command-rule.ts'
import { covers, coversDenied, namedMatch, READS, WRITES } from './covers.ts'
import { pathFits } from './path-rule.ts'
import { withInner } from './shell/command.ts'

/** The first rule of a list that is about a call, or else the first that may be. */
export interface Restriction {
  rule: Rule
  verdict: 'yes' | 'maybe' | 'undecided'
}

/** Looks a call up in a list of rules that restrict. A rule that this program cannot decide counts. */
export function restriction(asked: Asked, rules: readonly Rule[], rights: Rights, list: 'deny' | 'ask'): Restriction | undefined {
  const about = list === 'deny' ? coversDenied : covers
  const shell = asked.tool === 'Bash' ? asked.shell : undefined
  const commands = shell ? commandsOf(shell) : []
  let maybe: Restriction | undefined
  for (const rule of rules) {
    const verdict = about(rule, asked.tool) ? ofCall(rule, asked, rights, commands) : shell ? ofFiles(rule, shell, rights, list) : 'no'
    if (verdict === 'yes') return { rule, verdict }
    if (verdict !== 'no') maybe ??= { rule, verdict }
  }
  return maybe
}

type Verdict = Restriction['verdict'] | 'no'
const told = new WeakMap<ShellCall, readonly CommandTexts[]>()

function commandsOf(shell: ShellCall): readonly CommandTexts[] {
  let all = told.get(shell)
  if (!all) told.set(shell, (all = shell.line.commands.flatMap(withInner).map(textsOf)))
  return all
}

function ofCall(rule: Rule, asked: Asked, rights: Rights, commands: readonly CommandTexts[]): Verdict {
  const named = namedMatch(rule, asked)
  if (named !== undefined) return named ? 'yes' : 'no'
  if (asked.tool === 'Bash') return ofCommands(rule, commands)
  if (rule.match && 'path' in rule.match) return asked.search ? 'no' : ofPaths(rule, asked.files, rights)
  return 'undecided'
}

function ofCommands(rule: Rule, commands: readonly CommandTexts[]): Verdict {
  let maybe: Verdict = 'no'
  for (const texts of commands) {
    const verdict = restricts(rule, texts)
    if (verdict === 'yes') return 'yes'
    if (verdict === 'maybe') maybe = 'maybe'
  }
  return maybe
}

function ofPaths(rule: Rule, files: readonly AskedFile[], rights: Rights): Verdict {
  for (const file of files) {
    const fits = pathFits(rule, file, rights.workspace, 'any')
    if (fits === 'undecided') return 'undecided'
    if (fits) return 'yes'
  }
  return 'no'
}

/** Path rules hold for the files that commands open too: rules for Read about what they read, rules for Edit about what they write. */
function ofFiles(rule: Rule, shell: ShellCall, rights: Rights, list: 'deny' | 'ask'): Verdict {
  if (!rule.match || !('path' in rule.match)) return 'no'
  const hides = READS.has(rule.tool)
  if (!hides && !WRITES.has(rule.tool)) return 'no'
  const files = shell.files.filter(({ how }) => (how === 'write' ? !hides || list === 'deny' : how === 'read' && hides))
  const verdict = ofPaths(rule, files, rights)
  return verdict === 'no' && shell.unsure.length > 0 ? 'maybe' : verdict
}
