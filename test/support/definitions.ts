import { define, type Definitions } from '../../compiler/define/define.ts'
import type { AgentDefinition } from '../../compiler/define/definition.ts'
import { parse } from '../../compiler/parse/parse.ts'
import type { ResolveOptions } from '../../compiler/resolve/one.ts'
import { resolve } from '../../compiler/resolve/resolve.ts'
import type { Resolution } from '../../compiler/resolve/resolved.ts'
import type { SourceFile } from '../../compiler/source-file.ts'
import { AGENTC, type Profile } from '../../schemas/profile.ts'
import type { Source } from '../../schemas/source.ts'
import { agent } from './bin.ts'

/** The stages from text to agents, without a disk. */

export function source(text: string, path = '.claude/agents/a.md', layer: Source = 'project'): SourceFile {
  return { kind: 'agent', form: 'markdown', origin: { source: layer, path }, text }
}

export async function definitionsOf(...files: SourceFile[]): Promise<Definitions> {
  return define(await parse(files))
}

/** An agent called `a` with these lines in its frontmatter. */
export async function definitionOf(...lines: string[]): Promise<AgentDefinition> {
  const { agents, diagnostics } = await definitionsOf(source(agent('a', ...lines)))
  if (!agents[0]) throw new Error(diagnostics.map((item) => item.message).join('\n'))
  return agents[0]
}

/** Resolves files that come lowest precedence first. */
export async function resolved(files: SourceFile[], profile: Profile = AGENTC): Promise<Resolution> {
  const { agents, dropped } = await definitionsOf(...files)
  const rank: ResolveOptions['rank'] = new Map(files.map((file, index) => [file, index]))
  return resolve(agents, dropped, { profile, settingsDeny: new Set(), rank })
}
