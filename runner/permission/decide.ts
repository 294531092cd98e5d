import type { Rule } from '../../schemas/shapes/permission.ts'
import { ruleText } from '../../schemas/rule-text.ts'
import { neverWritten } from '../never-written.ts'
import { allowed, type Asked, type AskedFile, type Decide, type Decision, denied, type Rights, toAsk } from './asked.ts'
import { covers, coversAllowed, namedMatch, READS, WRITES } from './covers.ts'
import { pathFits } from './path-rule.ts'
import { isPlain, isWorkingFile, protection } from './protected.ts'
import { restriction } from './restriction.ts'
import { approveLine, critical, withinLimits } from './shell-approval.ts'
import { suggestion } from './suggestion.ts'
import { isInside } from '../workspace.ts'
import { written } from './written.ts'

export type { Asked, AskedFile, Decide, Decision, Rights } from './asked.ts'
export { written } from './written.ts'

/** Asks a person about a call; `reason` says why one is asked, in a sentence. */
export type Ask = (asked: Asked, reason: string, signal: AbortSignal, more?: AskMore) => Promise<Answered>

export interface AskMore {
  /** The rule that would allow it next time. */
  would?: Rule | undefined
  /** The names of the agents between the person and the call, the one that calls first. */
  agents?: readonly string[]
}

/** What a person says. `rule` is to hold for the rest of the run; `nobody`: there was none, or none who answered. */
export type Answered = { allow: true; rule?: Rule } | { allow: false; reason: string; nobody?: true }

/** Where there is no person, a call that needs one is denied at once: waiting would be for ever. */
export const nobody: Ask = (_, reason, _signal, { would } = {}) => {
  const how = would ? `; the rule ${ruleText(would)} would allow it` : ''
  return Promise.resolve({ allow: false, reason: `${reason}, and nobody can be asked here${how}`, nobody: true })
}

/**
 * Decides a call, without asking the disk, in the order of M19: deny rules, rules that ask a person, the mode, rules that allow, the person.
 * The agent's own limits are a cap: one of them must match, and none allows anything. A deny rule of any layer wins over all that allow;
 * a rule that cannot be decided counts against the call.
 */
export const decide: Decide = (asked, rights) => {
  const decision = judged(asked, rights)
  if (decision.outcome !== 'ask' || rights.mode !== 'dontAsk') return decision
  return { ...decision, outcome: 'deny', reason: `${decision.reason}, and the mode dontAsk asks nobody` }
}

function judged(asked: Asked, rights: Rights): Decision {
  const deny = restriction(asked, rights.deny, rights, 'deny')
  if (deny?.verdict === 'yes') return denied(`denied by the rule ${written(deny.rule)}`, deny.rule)
  if (deny?.verdict === 'undecided') return denied(`the deny rule ${written(deny.rule)} cannot be decided for this call`, deny.rule)
  const limit = limited(asked, rights)
  if (limit) return limit
  if (deny) return toAsk(`the deny rule ${written(deny.rule)} may be about this call`, { rule: deny.rule })
  const ask = restriction(asked, rights.ask, rights, 'ask')
  if (ask) return toAsk(`the rule ${written(ask.rule)} wants a person to be asked`, { rule: ask.rule })
  return byMode(asked, rights)
}

/** What the agent's definition caps (design 7): a call outside is denied, a call inside goes on to the other rules. */
function limited(asked: Asked, rights: Rights): Decision | undefined {
  if (areIn(rights.uncapped, asked.files)) return undefined
  const own = rights.limits.filter((rule) => rule.tool === asked.tool)
  const limits = own.length > 0 ? own : rights.limits.filter((rule) => covers(rule, asked.tool))
  if (limits.length === 0 || limits.some((rule) => matchesAll(rule, asked, rights))) return undefined
  if (asked.tool === 'Bash' && asked.shell && withinLimits(asked.shell, limits)) return undefined
  return denied(`the agent may use ${asked.tool} only within ${limits.map(written).join(', ')}`, limits[0])
}

/** Whether a call is about files of these folders and nothing else. */
function areIn(folders: readonly string[] | undefined, files: readonly AskedFile[]): boolean {
  return folders !== undefined && files.length > 0 && files.every(({ real }) => folders.some((folder) => isInside(folder, real)))
}

/** Whether a rule is about the whole call: every file of it, by both of its paths. A search is applied to what it finds. */
function matchesAll(rule: Rule, asked: Asked, rights: Rights): boolean {
  const named = namedMatch(rule, asked)
  if (named !== undefined) return named
  if (!rule.match || !('path' in rule.match)) return false
  if (asked.search) return true
  return asked.files.length > 0 && asked.files.every((file) => pathFits(rule, file, rights.workspace, 'all') === true)
}

/** Tools that touch nothing by themselves; what they start is judged when it acts. */
const HARMLESS = new Set(['Agent', 'AskUserQuestion', 'EnterPlanMode', 'ListMcpResources', 'ReadMcpResource', 'SendMessage', 'TaskOutput', 'TaskStop', 'TodoWrite']) // prettier-ignore

function byMode(asked: Asked, rights: Rights): Decision {
  const { tool, shell } = asked
  const { mode = 'default' } = rights
  const danger = shell && critical(shell, rights)
  if (danger !== undefined) return toAsk(danger)
  if (tool === 'ExitPlanMode') return toAsk('a person has to approve the plan')
  if (mode === 'bypassPermissions') return allowed('the mode bypassPermissions allows what no rule restricts')
  if (HARMLESS.has(tool) || (tool === 'Skill' && asked.safe === true)) return allowed(`${tool} touches nothing by itself`)
  if (tool === 'Bash') return line(asked, rights)
  if (READS.has(tool)) return reading(asked, rights)
  if (WRITES.has(tool)) return writing(asked, rights)
  return byRule(asked, rights) ?? needsRule(asked, rights)
}

function line(asked: Asked, rights: Rights): Decision {
  const { shell } = asked
  if (!shell) return toAsk('its command has not been read')
  const decision = approveLine(asked, shell, rights)
  if (decision.allow || rights.mode !== 'plan') return decision
  return denied('in plan mode only commands that read are run')
}

/** Files of the project are read unasked, in every mode (5.3). A file that leads nowhere is left to the tool, which refuses it. */
function reading(asked: Asked, rights: Rights): Decision {
  if (asked.files.every((file) => isWorkingFile(file, rights))) return allowed('files of the project may be read')
  if (areIn(rights.own, asked.files)) return allowed('it is the memory of the agent')
  if (areIn(rights.readable, asked.files)) return allowed('it belongs to a skill')
  if (rights.mode === 'plan' && rights.looksAround && asked.files.every(isPlain))
    return allowed('in plan mode a person looks around, outside the project too')
  return byRule(asked, rights) ?? toAsk('it lies outside the project', { would: suggestion(asked, rights) })
}

/** What no tool writes, whatever the rules say, a person is not asked about for nothing. */
function writing(asked: Asked, rights: Rights): Decision {
  const decision = changing(asked, rights)
  if (decision.outcome !== 'ask') return decision
  const never = asked.files.map(({ path, real }) => neverWritten(rights.workspace.root, path, real)).find((item) => item !== undefined)
  return never === undefined ? decision : denied(`${never}, and no tool writes it`)
}

function changing(asked: Asked, rights: Rights): Decision {
  const { files } = asked
  if (rights.mode === 'plan') return denied('in plan mode nothing is changed')
  const reason = files.map((file) => protection(file, rights)).find((item) => item !== undefined)
  if (reason !== undefined) return toAsk(`${reason}, and what it holds is never changed unasked`)
  if (areIn(rights.own, files)) return allowed('it is the memory of the agent')
  const working = files.length > 0 && files.every((file) => isWorkingFile(file, rights))
  if (rights.mode === 'acceptEdits' && working) return allowed('the mode acceptEdits allows it')
  return byRule(asked, rights) ?? needsRule(asked, rights)
}

/**
 * A rule for all of Read or Edit is about the project: outside of it only rules that name the path allow anything. The two paths of a file
 * may fit two rules.
 */
function byRule(asked: Asked, rights: Rights): Decision | undefined {
  const { files, tool } = asked
  const outside = (READS.has(tool) || WRITES.has(tool)) && !files.every((file) => isWorkingFile(file, rights))
  const rules = (rights.allow ?? []).filter((rule) => coversAllowed(rule, tool) && !(outside && rule.match === undefined))
  const rule = rules.find((item) => matchesAll(item, asked, rights)) ?? ofBothPaths(rules, asked, rights)
  return rule && allowed(`allowed by the rule ${written(rule)}`, rule)
}

function ofBothPaths(rules: readonly Rule[], { files, search }: Asked, { workspace }: Rights): Rule | undefined {
  const fitting = (path: string): Rule | undefined =>
    rules.find(({ match }, at) => match && 'path' in match && pathFits(rules[at]!, { path, real: path }, workspace, 'all') === true)
  const found = files.flatMap(({ path, real }) => [fitting(path), fitting(real)])
  return search || found.includes(undefined) ? undefined : found.at(-1)
}

function needsRule(asked: Asked, rights: Rights): Decision {
  return toAsk(`no rule allows ${asked.tool}${asked.brings === undefined ? '' : `, and ${asked.brings}`}`, {
    would: suggestion(asked, rights),
  })
}

/** The same decision for a file that a search has found. */
export function mayShow(asked: Asked, file: AskedFile, rights: Rights, choose: Decide): boolean {
  return choose({ ...asked, files: [file], search: false }, rights).allow
}

/** Whether any rule may keep files from a search. */
export function hides(tool: string, rights: Rights): boolean {
  return [...rights.deny, ...rights.ask, ...rights.limits, ...(rights.above ?? [])].some((rule) => covers(rule, tool))
}
