import { canonicalJson } from '../../schemas/canonical.ts'
import type { Change, ChangeKind } from '../../schemas/shapes/output.ts'

export type { Change, ChangeKind }

/** A change before its sentence and its place are added. */
export type Finding = Omit<Change, 'agent' | 'message' | 'file' | 'line'>

/**
 * What counts as a gain of power (issue 5, item 3). A gain is anything after which an agent can do something that it could not do
 * before, or that can happen with fewer people asked. What cannot be decided counts as a gain: a gate that is wrong has to be wrong
 * on this side. Words are no power: a prompt, a description or a model decides what an agent tries, not what it may.
 *
 * | about | a gain | why |
 * |---|---|---|
 * | agent | added | one more that can be started, with all that it has |
 * | origin | no longer from the policy layer; now a link out of the layer's folder | others than before can change it from now on |
 * | tools, plan tools | any tool or MCP pattern more in any role, a denied pattern less | it can be called |
 * | limits | the last cap of a tool that it has is gone; a rule that no old one covers | calls pass that were refused |
 * | deny | a rule less that no other covers, for a tool that it has | calls pass that were refused |
 * | spawns | a name more, or all, while it has the Agent tool | it can have others do what it cannot |
 * | permissionMode, defaultMode | looser: plan < dontAsk < default (or none) < acceptEdits < auto < bypassPermissions | fewer questions |
 * | isolation | weaker: remote < worktree < none | it works on the real files |
 * | memory | a scope, or another one | it writes files that later runs read as their prompt |
 * | maxTurns | more, or no bound | the bound of a run |
 * | hooks | added or changed in any way; one less at an event where hooks can refuse | code runs by itself; a guard may be gone |
 * | servers | added, or changed in more than its timeout | a program is started or a service is called |
 * | mcpTools | a tool more in a locked server, another description of one, a lock less | what was agreed on is no longer what is offered |
 * | allow rules | one that no old rule of its layer covers | nobody is asked any more; a layer can be trusted more than another |
 * | ask rules | one less that neither an ask nor a deny rule covers | nobody is asked any more |
 * | deny rules | one less that no deny rule covers | calls pass that were refused |
 * | bypassDisabled | no longer | the mode that asks nothing can be chosen |
 * | additionalDirectories | one more | more files |
 * | env | a variable more, or another value | it decides which programs run and which service answers |
 * | mainAgent | any other | another set of powers is at the top |
 * | runLimits | a greater spawn depth | sub-agents of sub-agents |
 * | sandbox | no longer required, or no longer by policy | commands can run without walls |
 * | features | one switched on | behaviour that was off |
 * | toolCatalogue | new or changed code, a tool that now counts as read-only | code runs; calls are no longer held one by one |
 * | skillFiles, commands | allowed tools more, denied less, a new shell line, a gain in its hooks, may now be started by the model | calls pass; code runs |
 * | remoteSkills | added, or another digest or address | a service is asked; nobody has looked at the new text here |
 *
 * Everything else is told and is no gain: agents, tools, rules, hooks or servers less, tighter values, models, effort, background (nobody
 * can be asked there, and its pool is smaller), skills that are preloaded, all texts, colours and caches.
 */
export function finding(
  kind: ChangeKind,
  change: Change['change'],
  gain: boolean,
  parts: Partial<Pick<Change, 'roles' | 'items' | 'before' | 'after' | 'lines'>> = {},
): Finding {
  return { kind, change, gain, ...parts }
}

/** A finding about some items, or nothing where there are none. */
export function listed(kind: ChangeKind, change: Change['change'], gain: boolean, items: readonly string[]): Finding[] {
  return items.length === 0 ? [] : [finding(kind, change, gain, { items: [...new Set(items)] })]
}

/** A finding about one value that may be absent, or nothing where both are the same. */
export function valueChange(kind: ChangeKind, gain: boolean, before: string | undefined, after: string | undefined): Finding[] {
  if (before === after) return []
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  return [finding(kind, change, gain, { ...(before !== undefined && { before }), ...(after !== undefined && { after }) })]
}

function equal(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b))
}

/** What came, what went and what is there with another value, of two records, by key in the order of code units. */
export function compareRecords<T>(
  old: Readonly<Record<string, T>>,
  now: Readonly<Record<string, T>>,
  same: (a: T, b: T) => boolean = equal,
) {
  const keys = (record: object): string[] => Object.keys(record).sort()
  return {
    added: keys(now).filter((key) => !Object.hasOwn(old, key)),
    removed: keys(old).filter((key) => !Object.hasOwn(now, key)),
    changed: keys(now).filter((key) => Object.hasOwn(old, key) && !same(old[key]!, now[key]!)),
  }
}
