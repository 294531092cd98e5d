import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Range } from '../../schemas/source.ts'
import { placeIn, type SourceFile } from '../source-file.ts'
import { finding } from './finding.ts'

/** Findings about Markdown files in an agents folder that are no agents, though they look like one. */

export function emptyFile(file: SourceFile): Diagnostic {
  return finding('file/empty', placeIn(file, [0, 0]), 'The file is empty, so it is not an agent.', {
    help: 'Write a frontmatter with `name` and `description`, then the prompt; or delete the file.',
  })
}

export function noFrontmatter(file: SourceFile): Diagnostic {
  const end = file.text.indexOf('\n')
  return finding(
    'file/no-frontmatter',
    placeIn(file, [0, end < 0 ? file.text.length : end]),
    'The file reads like an agent and has no frontmatter, so it is taken for a document and no agent comes of it.',
    { help: 'Put a frontmatter on the first line: `---`, `name: …`, `description: …`, `---`.' },
  )
}

export function textBeforeFence(file: SourceFile, fence: Range): Diagnostic {
  return finding(
    'file/text-before-fence',
    placeIn(file, fence),
    'The frontmatter does not begin on the first line, so the file is taken for a document and no agent comes of it.',
    {
      help: 'Delete everything above this `---`, blank lines included.',
      fix: { title: 'Delete what stands above', edits: [{ range: [0, fence[0]], text: '' }] },
    },
  )
}

/** agentc reads agents only where there is a frontmatter; Claude Code makes one of every file of a plugin (measured.md "Loading"). */
export function pluginDocument(file: SourceFile): Diagnostic {
  return finding(
    'file/plugin-document',
    placeIn(file, [0, 0]),
    'The file has no frontmatter: agentc skips it, and Claude Code makes it an agent that has every tool.',
    {
      help: 'Move documents out of the `agents` folder of the plugin, or put a frontmatter on the first line.',
    },
  )
}

export function plainDocument(file: SourceFile): Diagnostic {
  return finding('file/document', placeIn(file, [0, 0]), 'The file has no frontmatter, so it is a document and no agent.', {
    help: 'Put a frontmatter with `name` and `description` on the first line if it is meant to be an agent.',
  })
}
