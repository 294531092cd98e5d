import { manifestText } from '../manifest-fixture.ts'

/** A run of fifty calls as a person would have it: reads, searches, edits, commands, failing ones, a sub-agent, and now and then a word. */

const call = (name: string, input: Record<string, unknown>) => ({ name, input })
const read = (path: string) => call('Read', { file_path: path })
const grep = (pattern: string) => call('Grep', { pattern })
const glob = (pattern: string) => call('Glob', { pattern })
const bash = (command: string) => call('Bash', { command })
const write = (path: string, content: string) => call('Write', { file_path: path, content })
const edit = (path: string, step: number) => call('Edit', { file_path: path, old_string: `step${step} = 0`, new_string: `step${step} = 1` })

const turns: { text?: string; tools: ReturnType<typeof call>[] }[] = [
  { text: 'I look at how the parser is built.', tools: [glob('src/**/*.ts'), read('src/lexer.ts'), read('src/parser.ts'), grep('token')] },
  { tools: [read('src/ast.ts'), read('src/index.ts'), grep('parse\\('), read('test/parser.test.ts')] },
  { tools: [read('src/tokens.ts'), glob('test/**')] },
  {
    text: 'The lexer drops the last token of a line without an end. First a test that shows it.',
    tools: [write('test/last.test.ts', 'expects the last token\n'), bash('sh run-tests.sh last')],
  },
  { text: 'It fails, as it should. Now the lexer.', tools: [edit('src/lexer.ts', 1), bash('sh run-tests.sh last')] },
  { tools: [read('src/lexer.ts'), edit('src/lexer.ts', 2), bash('sh run-tests.sh lexer')] },
  { tools: [edit('src/parser.ts', 1), bash('sh run-tests.sh parser')] },
  { tools: [grep('lastToken'), read('src/index.ts'), edit('src/index.ts', 1)] },
  {
    tools: [
      bash('sh run-tests.sh all'),
      bash('sh run-tests.sh --types --strict --with-a-long-list-of-flags src/lexer.ts src/parser.ts src/ast.ts'),
    ],
  },
  { tools: [edit('src/ast.ts', 1), bash('sh run-tests.sh ast')] },
  { tools: [read('src/ast.ts'), read('src/parser.ts'), read('test/last.test.ts'), grep('TODO')] },
  {
    text: 'A second pair of eyes.',
    tools: [call('Agent', { description: 'look over the change', prompt: 'Look over the change.', subagent_type: 'reviewer' })],
  },
  {
    text: 'The reviewer is right: the column is off by one.',
    tools: [
      edit('src/lexer.ts', 3),
      bash('sh run-tests.sh lexer --columns'),
      read('src/lexer.ts'),
      edit('src/lexer.ts', 4),
      bash('sh run-tests.sh lexer'),
    ],
  },
  { tools: [write('docs/lexer.md', 'How the lexer works.\n'), write('CHANGELOG.md', 'The last token counts.\n')] },
  { tools: [bash('ls src')] },
  { tools: [read('docs/lexer.md'), read('README.md'), grep('lexer'), grep('column')] },
  { tools: [edit('src/parser.ts', 2), edit('src/index.ts', 2), bash('sh run-tests.sh parser'), bash('sh run-tests.sh index')] },
  { tools: [read('src/index.ts'), grep('column - 1'), bash('sh run-tests.sh all')] },
]

const ANSWER = `The last token of a line without an end is no longer dropped.

- src/lexer.ts: the loop ends behind the last character, and columns count from one
- src/parser.ts, src/ast.ts, src/index.ts: they take the new token
- test/last.test.ts shows it; all tests pass`

export const CALLS = turns.reduce((sum, { tools }) => sum + tools.length, 0)

const usage = { input_tokens: 210, output_tokens: 180, cache_creation_input_tokens: 900, cache_read_input_tokens: 14_000 }

export const FIFTY_SCRIPT = {
  rules: [
    {
      when: { system: 'You are reviewer' },
      turns: [{ tools: [read('src/lexer.ts'), grep('column'), read('test/last.test.ts')] }, { text: 'The column is off by one.' }].map(
        (turn) => ({ ...turn, usage }),
      ),
    },
  ],
  turns: [...turns, { text: ANSWER }].map((turn) => ({ ...turn, usage })),
}

const steps = Array.from({ length: 5 }, (_, at) => `export const step${at} = 0\n`).join('')

/** The tests fail until the lexer is mended, and again for the columns. */
const RUN_TESTS = `case "$1$2" in
  last) grep -q "step1 = 1" src/lexer.ts ;;
  lexer--columns) echo "expected column 1, got 0" >&2; exit 1 ;;
  *) echo "12 tests pass" ;;
esac
`

export const FIFTY_FILES = {
  'src/lexer.ts': `// token\n${steps}`,
  'src/parser.ts': `// parse( token\n${steps}`,
  'src/ast.ts': steps,
  'src/index.ts': steps,
  'test/parser.test.ts': 'parse(1)\n',
  'README.md': 'A lexer and a parser.\n',
  'run-tests.sh': RUN_TESTS,
}

export const FIFTY_MANIFEST = manifestText({
  builder: { tools: ['Agent', 'Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write'], color: 'green' },
  reviewer: { tools: ['Grep', 'Read'], color: 'purple' },
})
