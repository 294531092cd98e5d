/** Skills that servers offer, as they were when the run began; by the name that each is called by. */
export type McpSkills = Record<string, { server: string; uri: string; description: string }>
