import type { NoticeEvent } from './events.ts'
import type { Start } from './context.ts'
import type { Environment } from './environment.ts'

/**
 * What the agent asks for and this version does not do. Nothing of an agent is passed over in silence:
 * each of these is an event at the start of the run and a line on standard error.
 * A row goes when what it names is built.
 */
export function notices(start: Start, environment: Environment): NoticeEvent[] {
  const { agent, header } = start
  const view = agent.toolViews[start.role ?? 'main']
  const offersMcp = view.mcp === 'all' ? Object.keys(header.mcpServers).length > 0 : view.mcp.length > 0
  const usesMcp = offersMcp || agent.servers.length > 0
  const command = agent.initialPrompt?.trimStart().startsWith('/') ?? false
  const hooks = Object.keys(agent.hooks ?? {}).length + Object.keys(header.hooks).length > 0
  const rows: [code: string, asked: boolean, message: string][] = [
    ['hooks', hooks, 'this version does not run hooks'],
    ['mcp-servers', usesMcp, 'this version does not start MCP servers, and offers none of their tools'],
    ['skills', agent.skills.length > 0, `this version does not load skills (${agent.skills.join(', ')})`],
    ['memory', agent.memory !== undefined, 'this version does not read or write the memory of an agent'],
    [
      'isolation',
      agent.isolation !== undefined,
      `this version makes no isolation ${agent.isolation}; the agent works in the folder itself`,
    ],
    ['instructions', environment.instructions && !agent.omitClaudeMd, 'this version does not read CLAUDE.md'],
    ['effort', typeof agent.effort === 'number', `effort ${agent.effort} is not sent: the API knows levels, not numbers`],
    ['context-window', agent.contextWindow !== undefined, `this version does not ask for a context window of ${agent.contextWindow}`],
    ['compaction', agent.autoCompactWindow !== undefined, 'this version does not compact the conversation'],
    ['slash-command', command, 'this version sends the command in initialPrompt as text and does not run it'],
    ['background', agent.background === true, 'this version runs the agent in the foreground'],
  ]
  return rows.filter(([, asked]) => asked).map(([code, , message]) => ({ type: 'system', subtype: 'notice', code, message }))
}

/** Why this version cannot start the agent at all. */
export function obstacle(start: Start): string | undefined {
  const servers = start.agent.requiredServers ?? []
  if (servers.length === 0) return undefined
  return `agent ${start.name} needs the MCP ${servers.length === 1 ? 'server' : 'servers'} ${servers.join(', ')}, and this version of agentc starts none`
}
