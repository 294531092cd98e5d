/** A skill whose text is not in the manifest: one that is kept elsewhere and pinned to a digest, or one that an MCP server offers. */
export type FarSkill = RemoteSkill | { kind: 'mcp'; server: string; uri: string }

export interface RemoteSkill {
  kind: 'remote'
  address: string
  digest: string
}

/** Has the text of such a skill, or says why not, as a clause. */
export type FetchSkill = (far: FarSkill, signal: AbortSignal) => Promise<{ text: string } | { refused: string }>

/** A frontmatter at the very top; what it says does not count, because nobody has looked at it when the manifest was built. */
const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n(?:[^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/

/** The text below the frontmatter of a SKILL.md. */
export function bodyOf(text: string): string {
  return text.replace(FRONTMATTER, '').trim()
}
