/** A rule's text, taken apart: a tool with or without brackets behind it. */
export interface RuleParts {
  tool: string
  /** What stands in the brackets; `Tool(*)` is the whole tool and has none. */
  specifier?: string
}

/**
 * Takes `Tool` or `Tool(specifier)` apart (claude-code-agents.md 5.1). Out: the parts, or what is wrong, as the end of a sentence.
 * The specifier ends at the last bracket; brackets in it may be written with a backslash.
 */
export function ruleParts(text: string): RuleParts | { fault: string } {
  const rule = text.trim()
  const open = rule.indexOf('(')
  const tool = (open < 0 ? rule : rule.slice(0, open)).trimEnd()
  if (rule === '') return { fault: 'is empty' }
  if (tool === '') return { fault: 'names no tool before the bracket' }
  if (tool.includes(')')) return { fault: 'closes a bracket that it does not open' }
  if (/\s/.test(tool) && !tool.startsWith('mcp__')) return { fault: 'has a blank in the name of the tool' }
  if (open < 0) return { tool }
  if (!rule.endsWith(')')) return { fault: rule.includes(')') ? 'goes on after its closing bracket' : 'has no closing bracket' }
  const specifier = rule
    .slice(open + 1, -1)
    .trim()
    .replaceAll(/\\([()])/g, '$1')
  if (specifier === '' || specifier === ':*') return { fault: 'has nothing in its brackets' }
  return specifier === '*' ? { tool } : { tool, specifier }
}
