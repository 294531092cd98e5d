import type { ManifestTool } from '../../schemas/shapes/manifest.ts'

/** A tool of a server as the model is offered it; `mcp` says which server's it is, and its name there. */
export type McpTool = Readonly<ManifestTool> & { mcp: { server: string; tool: string } }

/** The tools that servers give a run, by full name, in the order of the prompt. They stay as they are for the whole run. */
export type McpTools = Readonly<Record<string, McpTool>>
