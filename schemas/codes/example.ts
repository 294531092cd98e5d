/** Parts that the examples of all tables are put together from. */

export const PATH = '.claude/agents/example.md'
export const HEAD = 'name: example\ndescription: Reviews changes before they are merged.\n'
export const PROSE = 'You read the change set and report what you found.\n'

/** An agent file with nothing wrong in it, but for what `lines` add to its frontmatter. */
export function agent(...lines: string[]): string {
  return file(HEAD + lines.map((line) => `${line}\n`).join(''))
}

/** An agent file with exactly this frontmatter. */
export function file(frontmatter: string, body = PROSE): string {
  return `---\n${frontmatter}---\n\n${body}`
}
