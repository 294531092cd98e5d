import fc from 'fast-check'
import { AGENT_KEYS } from '../../compiler/define/keys.ts'
import { COLORS, EFFORTS, HOOK_EVENTS, PERMISSION_MODES } from '../../schemas/values.ts'
import { RETIRED, TOOLS } from '../../schemas/tools.ts'

/** Generators of agent files and trees, for properties: mostly near what people write, sometimes far from it. */

const word = fc.oneof(
  fc.constantFrom(...TOOLS.map((tool) => tool.name), ...Object.keys(RETIRED), ...COLORS, ...EFFORTS, ...PERMISSION_MODES, ...HOOK_EVENTS),
  fc.constantFrom(
    '*',
    'mcp__db',
    'mcp__db__query',
    'mcp__*',
    'Bash(git *)',
    'Agent(a, b)',
    'Read(//etc/**)',
    'sonnet',
    'inherit',
    'opus[1m]',
    '()',
    'Bash(',
    ')',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

const scalar = fc.oneof(
  word,
  fc.integer().map(String),
  fc.constantFrom(
    '',
    'null',
    'true',
    'yes',
    '~',
    '|',
    '>',
    '"',
    "'",
    '#',
    '- x',
    '{a: 1}',
    '[a, b]',
    '[',
    '&a *a',
    '!!js/function "x"',
    '---',
    '...',
  ),
)

const value: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 3, arbitrary: fc.array(word, { maxLength: 5 }).map((words) => words.join(', ')) },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 4 }).map((items) => items.map((item) => `\n  - ${item}`).join('')) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(word, scalar), { maxLength: 3 })
      .map((pairs) => pairs.map(([key, item]) => `\n  ${key}: ${item}`).join('')),
  },
  { weight: 1, arbitrary: scalar.map((item) => JSON.stringify(item)) },
  { weight: 1, arbitrary: scalar.map((item) => `'${item}'`) },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }).map((lines) => `|${lines.map((line) => `\n  ${line}`).join('')}`) },
)

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...AGENT_KEYS) },
  { weight: 1, arbitrary: fc.constantFrom('allowed-tools', 'max_turns', 'Tools', '__proto__', 'constructor', 'tool') },
  { weight: 1, arbitrary: word },
)

const frontmatter = fc
  .array(fc.tuple(key, value), { maxLength: 8 })
  .map((lines) => lines.map(([name, text]) => `${name}: ${text}\n`).join(''))

/** The text of an agent file: usually with a name and a description, so that the later stages have something to do. */
export const agentFile = fc
  .record({
    head: fc.constantFrom('name: a\ndescription: d\n', 'name: b\ndescription: d\n', ''),
    rest: frontmatter,
    open: fc.constantFrom('---\n', '---\n', '---\n', '--- \n', '\ufeff---\n', '---js\n', '', '\n---\n'),
    close: fc.constantFrom('---\n', '---\n', '---\n', '---', '  ---\n', ''),
    body: fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('', 'You are a test.\n', '```\n', '---\nname: c\n')),
    feed: fc.constantFrom('\n', '\n', '\r\n'),
  })
  .map(({ head, rest, open, close, body, feed }) => `${open}${head}${rest}${close}${body}`.replaceAll('\n', feed))

const place = fc.constantFrom(
  'project/.claude/agents/x.md',
  'project/.claude/agents/sub/x.md',
  'project/.claude/agents/y.md',
  'project/sub/.claude/agents/x.md',
  'home/.claude/agents/x.md',
  'managed/.claude/agents/x.md',
  'project/.claude/settings.json',
  'home/.claude/settings.json',
  'managed/managed-settings.json',
  'project/.mcp.json',
  'project/.claude/skills/s/SKILL.md',
  'project/.claude/commands/c.md',
)

const content = fc.oneof(
  { weight: 4, arbitrary: agentFile },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
  {
    weight: 1,
    arbitrary: fc.array(word, { maxLength: 4 }).map((rules) =>
      JSON.stringify({
        permissions: { allow: rules, deny: rules },
        mcpServers: Object.fromEntries(rules.map((rule) => [rule, { command: rule }])),
      }),
    ),
  },
)

/** Files of several layers. */
export const tree = fc.dictionary(place, content, { maxKeys: 6 })
