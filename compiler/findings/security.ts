import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** Findings about what a reader does not see, and what must not be shown. */

/** In: the hidden characters of a file, with their names; at least one. All of them are named, up to ten shown. */
export function invisibleText(file: SourceFile, hidden: readonly { name: string; range: Range }[]): Diagnostic {
  const [first, ...others] = hidden as [(typeof hidden)[number], ...typeof hidden]
  const names = [...new Set(hidden.map(({ name }) => name))]
  const count = hidden.length === 1 ? 'A character that nobody sees stands here' : `${hidden.length} characters that nobody sees stand here`
  return finding('security/invisible-text', placeIn(file, first.range), `${count} (${names.join(', ')}), and the model reads them.`, {
    help: 'Delete them: the text then says to the model what it says to people. An editor shows them as "Unicode" or "invisible" characters.',
    ...(others.length > 0 && { related: others.slice(0, 10).map(({ name, range }) => ({ message: name, at: placeIn(file, range) })) }),
  })
}

export function plainSecret(file: SourceFile, at: Range, kind: string): Diagnostic {
  return finding('security/plain-secret', placeIn(file, at), `Here stands ${kind} as plain text; agentc passes it on to nobody.`, {
    help: 'Put it into an environment variable, write `${NAME}` here, and replace the key if others have seen this file.',
  })
}

/** In: a variable or header of a server, whose value the text of the file does not hold any more, and what stands in the manifest for it. */
export function namedSecret(file: SourceFile, at: Range, server: string, key: string, reference: string): Diagnostic {
  const message = `\`${key}\` of the server \`${server}\` has the name of a secret, so its value is not written into the manifest; a run takes \`${reference}\` from its own environment.`
  return finding('security/named-secret', placeIn(file, at), message, {
    help: `Set ${reference.slice(2, -1)} where the agents are run, and write \`${reference}\` here.`,
  })
}

export function secondFrontmatter(file: SourceFile, at: Range): Diagnostic {
  return finding(
    'security/second-frontmatter',
    placeIn(file, at),
    'The prompt begins with the frontmatter of another agent, which does not count here: the model reads it as text.',
    {
      help: 'Delete one of the two blocks; restrictions in the second one have no effect.',
    },
  )
}

export function writableCode(file: SourceFile, at: Range, path: string, what: 'hook' | 'server', tool: string): Diagnostic {
  return finding(
    'security/writable-code',
    placeIn(file, at),
    `This ${what} runs ${path}, a file of the project that the agent itself can change with ${tool}.`,
    {
      help: 'Keep it below `.claude`, which is protected, or deny writing to it in settings.json.',
    },
  )
}
