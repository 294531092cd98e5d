import { define } from '../../compiler/define/define.ts'
import type { AgentDefinition } from '../../compiler/define/definition.ts'
import { parse } from '../../compiler/parse/parse.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Origin } from '../../schemas/source.ts'
import { markdown } from '../parse/inside.ts'

export interface Read {
  agent: AgentDefinition | undefined
  /** `code at the text of its place`, in the order of the file. */
  found: string[]
  /** What the offered fixes put in. */
  fixes: string[]
}

/** Reads an agent file with these frontmatter lines. */
export async function read(frontmatter: string, origin: Partial<Origin> = {}): Promise<Read> {
  const file = markdown(`---\n${frontmatter}\n---\nYou review.\n`, origin)
  if (origin.plugin !== undefined) file.namespace = origin.plugin
  const { agents, diagnostics } = define(await parse([file]))
  const fixes = diagnostics.flatMap(({ fix }) => fix?.edits.map((edit) => edit.text) ?? [])
  return { agent: agents[0], found: shown(diagnostics), fixes }
}

/** The same, with a name and a description above the lines. */
export function readFields(lines: string, origin: Partial<Origin> = {}): Promise<Read> {
  return read(`name: example\ndescription: Reviews changes.\n${lines}`, origin)
}

export function shown(diagnostics: readonly Diagnostic[]): string[] {
  const sorted = [...diagnostics].sort((a, b) => a.at.range[0] - b.at.range[0])
  return sorted.map(({ code, at }) => `${code} at ${at.text.slice(...at.range)}`)
}
