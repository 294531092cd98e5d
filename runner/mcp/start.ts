import type { Start } from '../context.ts'

/**
 * The start of a run with the tools of its servers among those that the manifest describes, and in its view, behind the others. They are
 * a part of what a run was started with (`Start.mcpTools`): its transcript holds them, so a resumed run sends the same prompt whatever its
 * servers have become.
 */
export function withMcpTools(start: Start): Start {
  const tools = start.mcpTools ?? {}
  const names = Object.keys(tools)
  if (names.length === 0) return start
  const { header, agent } = start
  const role = start.role ?? 'main'
  const described = Object.entries(tools).map(([name, { description, input_schema, traits }]) => [
    name,
    { description, input_schema, traits },
  ])
  const view = agent.toolViews[role]
  return {
    ...start,
    header: { ...header, tools: { ...header.tools, ...Object.fromEntries(described) } },
    agent: { ...agent, toolViews: { ...agent.toolViews, [role]: { ...view, tools: [...view.tools, ...names] } } },
  }
}
