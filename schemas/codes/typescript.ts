import type { CodeDoc } from './code-doc.ts'

const PATH = '.claude/tools/CountLines.ts'

/** A tool with nothing wrong in it, but for its parts. */
function tool(parts: { head?: string; doc?: string; signature?: string } = {}): Record<string, string> {
  const {
    head = '',
    doc = '/** Counts the lines of a text. */',
    signature = 'export default async function (input: { text: string })',
  } = parts
  return { [PATH]: `${head}${doc}\n${signature} {\n  return String(JSON.stringify(input).split('\\\\n').length)\n}\n` }
}

const GOOD = tool()
const [TEXT] = Object.values(GOOD) as [string]

export const TYPESCRIPT_CODES = {
  'typescript/syntax': {
    severity: 'error',
    what: 'The file of a tool is not TypeScript.',
    why: 'It cannot be read, so the tool is missing.',
    todo: 'Correct the place that is shown.',
    bad: tool({ signature: 'export default async function (input: { text: string }' }),
    good: GOOD,
  },
  'typescript/name': {
    severity: 'error',
    what: 'The name of the file is no name that a tool can have.',
    why: 'A tool is called like its file, and a model can call only names of letters, digits, `_` and `-`.',
    todo: 'Rename the file.',
    bad: { '.claude/tools/count lines.ts': TEXT },
    good: GOOD,
  },
  'typescript/name-clash': {
    severity: 'error',
    what: 'The tool is called like one that is there already, or differs from it by letter case only.',
    why: 'People and models would mix them up, and a custom tool never replaces a built-in one.',
    todo: 'Rename the file.',
    bad: { '.claude/tools/read.ts': TEXT },
    good: GOOD,
  },
  'typescript/default-export': {
    severity: 'error',
    what: 'The file exports no async function as default.',
    why: 'That function is the tool; without it there is nothing to call.',
    todo: 'Begin the function with `export default async function`.',
    bad: tool({ signature: 'export default function (input: { text: string })' }),
    good: GOOD,
  },
  'typescript/parameter': {
    severity: 'error',
    what: 'The function does not have one parameter with a type.',
    why: 'The type becomes the schema by which a model fills in the input.',
    todo: 'Give the function one parameter, and write its type.',
    bad: tool({ signature: 'export default async function (input)' }),
    good: GOOD,
  },
  'typescript/unsupported-type': {
    severity: 'error',
    what: 'A type in the input of a tool cannot be said in JSON Schema, or is not covered.',
    why: 'Types are read as they are written and never computed, so the model would not know what to pass.',
    todo: 'Write strings, numbers, booleans, null, literals, unions, arrays, tuples, `Record<string, T>` or objects of these in this file.',
    bad: tool({ signature: 'export default async function (input: { since: Date })' }),
    good: tool({
      head: "interface Input {\n  /** ISO 8601 */\n  since?: string\n  kind: 'lines' | 'words'\n}\n\n",
      signature: 'export default async function (input: Input)',
    }),
  },
  'typescript/import': {
    severity: 'error',
    what: 'The tool loads something that is no module of Node.',
    why: 'Only its own file is stored beside the manifest, so nothing else is there when it runs.',
    todo: 'Import from `node:…` only, and put everything else into the file.',
    bad: tool({ head: "import { count } from './count.ts'\nexport const used = count\n\n" }),
    good: tool({ head: "import { EOL } from 'node:os'\nexport const used = EOL\n\n" }),
  },
  'typescript/no-description': {
    severity: 'warning',
    what: 'The function of a tool has no comment that says what it does.',
    why: 'The comment is the description by which a model chooses the tool.',
    todo: 'Put `/** … */` before the function.',
    bad: tool({ doc: '' }),
    good: GOOD,
  },
  'typescript/annotation': {
    severity: 'warning',
    what: 'A tag in the comment of a tool is nearly one of its annotations.',
    why: 'It has no effect: the tool is treated as one that may change things.',
    todo: 'Write `@readOnly`, `@background` or `@mainOnly` exactly so.',
    bad: tool({ doc: '/**\n * Counts the lines of a text.\n * @readonly\n */' }),
    good: tool({ doc: '/**\n * Counts the lines of a text.\n * @readOnly\n */' }),
  },
} as const satisfies Record<string, CodeDoc>
