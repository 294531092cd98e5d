import type { Past } from '../begun.ts'
import { childBudget } from '../limits/budget.ts'
import { failed, fine, type Tool, type ToolOutput } from '../tools/tool.ts'
import type { ToolSet } from '../tools/registry.ts'
import { historyOf } from '../transcript/history.ts'
import { readTranscript } from '../transcript/read.ts'
import { launch } from './background.ts'
import { MESSAGE, messageText } from './notification.ts'
import type { AgentNode, Known, Spawning, Tree } from './tree.ts'

/**
 * Sends a message to an agent that the caller has started itself: one that works reads it with its next turn, one that has ended goes on
 * with it in the background, from its own transcript. Nobody else can be reached, so no message widens what its sender may do.
 */
export function sendMessageTool(tree: Tree, node: AgentNode, toolsFor: (child: AgentNode) => ToolSet): Tool {
  return {
    repeatable: false,
    async run(input, context) {
      const to = String(input.to)
      const known = node.known.get(to)
      if (!known) return failed(unknownAgent(to, node))
      const message = messageText(node.name, String(input.message))
      if (!context.caller) return failed('Agents cannot be reached here.')
      if (known.running) return delivered(known, message)
      return wake({ tree, parent: node, caller: context.caller, context }, known, message, toolsFor)
    },
  }
}

function delivered({ plan }: Known, message: string): ToolOutput {
  plan.node.inbox.put(message, MESSAGE)
  return fine(`${plan.node.id} is at work and reads the message with its next turn.`)
}

function unknownAgent(to: string, { known }: AgentNode): string {
  const ids = [...new Set([...known.values()].map(({ plan }) => `${plan.node.id} (${plan.node.name})`))]
  return `There is no agent ${JSON.stringify(to)} that you have started. ${ids.length > 0 ? `There are ${ids.join(', ')}.` : 'You have started none.'}`
}

function wake(
  by: Pick<Spawning, 'tree' | 'parent' | 'caller' | 'context'>,
  known: Known,
  message: string,
  toolsFor: (child: AgentNode) => ToolSet,
): ToolOutput {
  const { tree, parent, caller } = by
  const { plan, worktreeGone } = known
  const { id } = plan.node
  if (worktreeGone) return failed(`${id} has ended, and its worktree was removed because it held no changes: start a new agent.`)
  const side = tree.side(id, plan.node.lane.clock)
  const text = side.text()
  if (text === undefined) return failed(`${id} has ended, and this run is not kept, so it cannot go on: start a new agent.`)
  const budget = caller.budget && childBudget(caller.budget, {}, parent.lane.clock.now())
  if (caller.budget && !budget) return failed('The limit of agents in one run was reached, so the agent cannot go on.')
  const past = pastOf(tree, text, message)
  const input = { description: 'goes on after a message', prompt: message }
  const { start, workspace } = plan
  const asBefore = { name: start.name, agent: start.agent, fork: start.fork !== undefined, workspace }
  const spawning = { ...by, ...asBefore, input, background: true }
  return launch({ plan, spawning, side, tools: toolsFor(plan.node), budget, past, known })
}

/** The agent as its transcript tells it; its turns begin anew with the message. */
function pastOf(tree: Tree, text: string, prompt: string): Past {
  const manifest = { header: tree.header, agents: tree.agents, names: [...tree.agents.keys()] }
  return { history: historyOf(readTranscript(text), manifest), prompt }
}
