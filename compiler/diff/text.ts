import { ROLES } from '../../schemas/values.ts'
import type { Change, ChangeKind, Finding } from './change.ts'

/** What each kind is called in a sentence. */
const NAMES: Record<ChangeKind, string> = {
  agent: 'the agent',
  origin: 'its file',
  overrides: 'files that it overrides',
  source: 'its file',
  tools: 'tools',
  planTools: 'tools in plan mode',
  limits: 'caps',
  deny: 'deny rules',
  spawns: 'agents that it may start',
  permissionMode: 'permission mode',
  background: 'background',
  isolation: 'isolation',
  memory: 'memory',
  maxTurns: 'maxTurns',
  model: 'model',
  effort: 'effort',
  color: 'colour',
  hooks: 'hooks',
  servers: 'MCP servers',
  requiredServers: 'required MCP servers',
  mcpTools: 'locked MCP tools',
  skills: 'preloaded skills',
  prompt: 'prompt',
  description: 'description',
  initialPrompt: 'first prompt',
  reminder: 'reminder',
  omitClaudeMd: 'omitClaudeMd',
  guidance: 'guidance for its model',
  cacheTtl: 'cache time',
  autoCompactWindow: 'autoCompactWindow',
  allowRules: 'allow rules',
  askRules: 'ask rules',
  denyRules: 'deny rules',
  defaultMode: 'default permission mode',
  bypassDisabled: 'bypassPermissions disabled',
  additionalDirectories: 'additional folders',
  env: 'environment variables',
  mainAgent: 'main agent',
  profile: 'profile',
  models: 'model aliases',
  runLimits: 'limit of a run',
  sandbox: 'sandbox',
  features: 'features',
  toolCatalogue: 'tools in the catalogue',
  skillFiles: 'skills',
  commands: 'commands',
  remoteSkills: 'remote skills',
  memoryText: 'memory texts',
  guidanceText: 'guidance for models',
  instructions: 'instructions',
  header: 'the header',
}

/** A finding in words, without the agent's name: `gains Bash (main, sub)`, `permission mode: default → plan`. */
export function sentence(item: Finding): string {
  const list = item.items?.join(', ') ?? ''
  if (item.kind === 'agent') return item.change === 'removed' ? 'is gone' : `is new (${item.after}): ${list || 'no tools'}`
  if (item.kind === 'source') return 'its sources changed, without effect'
  if (item.kind === 'header') return 'the header changed, without effect on power'
  if (item.kind === 'origin') return `now comes from ${item.after} instead of ${item.before}`
  if (item.kind === 'tools') return toolSentence(item, list)
  if (item.lines)
    return `${NAMES[item.kind]}: ${item.lines.added} line${item.lines.added === 1 ? '' : 's'} added, ${item.lines.removed} removed`
  if (!item.items) return `${NAMES[item.kind]}: ${item.before ?? 'none'} → ${item.after ?? 'none'}`
  const rest = item.after === undefined ? '' : `; left: ${item.after}`
  return `${NAMES[item.kind]} ${item.change}: ${list}${rest}`
}

function toolSentence({ change, roles = [] }: Finding, list: string): string {
  const where = roles.length === ROLES.length ? '' : ` (${roles.join(', ')})`
  if (change === 'changed') return `is offered its tools in another order${where}: ${list}`
  return `${change === 'added' ? 'gains' : 'loses'} ${list}${where}`
}

/** One line without colour: `! reviewer: gains Bash`. `!` marks a gain, `~` anything else. */
export function changeLine({ gain, agent, message }: Change): string {
  return `${gain ? '!' : '~'} ${agent ?? 'all agents'}: ${message}`
}
