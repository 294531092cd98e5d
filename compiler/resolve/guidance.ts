import type { AgentDefinition } from '../define/definition.ts'

/** Stands in the prompts of built-in agents where the advice on searching goes. */
const MARK = '{{search-guidance}}'

/**
 * A built-in agent's prompt with advice that fits the tools it has, decided at build (M11). Other agents' prompts are never touched,
 * whatever they contain.
 */
export function withGuidance(definition: AgentDefinition, tools: readonly string[]): string {
  if (definition.file.origin.source !== 'builtin') return definition.prompt
  return definition.prompt.replaceAll(MARK, guidance(new Set(tools)))
}

function guidance(tools: ReadonlySet<string>): string {
  if (tools.has('Grep') && tools.has('Glob')) {
    return 'Find files by name with Glob and by content with Grep; open only what you need with Read. Send searches that do not depend on each other together.'
  }
  if (tools.has('Bash'))
    return 'Find files with `find` or `git ls-files` and content with `grep -rn` in Bash; open only what you need with Read.'
  return tools.has('Read')
    ? 'You have no tool to search with: read the files that the task names, and follow what they mention.'
    : 'Work from what the task says: you cannot open files.'
}
