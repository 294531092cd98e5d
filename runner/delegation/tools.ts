import { type RunApart, skillTool } from '../skills/skill-tool.ts'
import { isPresent, type ToolSet } from '../tools/registry.ts'
import { agentTool, type ToolsFor } from './agent-tool.ts'
import { sendMessageTool } from './send-message.ts'
import { skillAgent } from './skill-agent.ts'
import type { AgentNode, Tree } from './tree.ts'

/** What runs a skill in an agent of its own, for a person who has called it. */
export function apartFrom(tree: Tree, node: AgentNode, others: ToolSet): RunApart {
  return skillAgent(tree, node, (child) => delegationTools(tree, child, others))
}

/** The tools of one agent of the tree: those that start agents first, then all that it has anyway. */
export function delegationTools(tree: Tree, node: AgentNode, others: ToolSet): ToolSet {
  const toolsFor: ToolsFor = (child) => delegationTools(tree, child, others)
  const agent = agentTool(tree, node, toolsFor)
  const message = sendMessageTool(tree, node, toolsFor)
  const skill = skillTool({ session: tree.session, runApart: skillAgent(tree, node, toolsFor) })
  return (name) => {
    if (name === 'Agent') return agent
    if (name === 'SendMessage') return message
    const other = others(name)
    return name === 'Skill' && isPresent(other) ? skill : other
  }
}
