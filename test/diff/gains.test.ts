// The table of what counts as a gain of power, a row each; long because every member of the manifest has its rows.
import { describe, expect, test } from 'vitest'
import { compareManifests } from '../../compiler/diff/diff.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { headerShape, agentShape, type ManifestAgent, type ManifestHeader } from '../../schemas/shapes/manifest.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'
import { PERMISSION_MODES } from '../../schemas/values.ts'
import { manifestText, type AgentParts, type HeaderParts } from '../run/manifest-fixture.ts'

const HASH = `sha256:${'1'.repeat(64)}`
const place = { source: 'project', path: '.claude/settings.json', line: 1, column: 1 } as const

type Agents = Record<string, AgentParts>

const changesOf = (old: [Agents, HeaderParts?], now: [Agents, HeaderParts?]) =>
  compareManifests(readManifest(manifestText(...old)), readManifest(manifestText(...now)))

/** `!hooks added: Stop: command x` for each change of one agent. */
const agentLines = (old: AgentParts, now: AgentParts): string[] => shown(changesOf([{ worker: old }], [{ worker: now }]))
const headerLines = (old: HeaderParts, now: HeaderParts): string[] => shown(changesOf([{}, old], [{}, now]))
const shown = (changes: ReturnType<typeof changesOf>): string[] => changes.map(({ gain, message }) => `${gain ? '!' : '~'} ${message}`)

const view = (tools: string[], mcp: 'all' | string[] = [], mcpDeny: 'all' | string[] = [], plan?: string[]) => {
  const patterns = (list: 'all' | string[]) =>
    list === 'all' ? list : list.map((text) => ({ server: text.split('.')[0]!, tool: text.split('.')[1]! }))
  return { tools, mcp: patterns(mcp), mcpDeny: patterns(mcpDeny), ...(plan && { plan }) }
}
type TestView = ReturnType<typeof view>
const views = (all: TestView, more: Partial<Record<'main' | 'sub' | 'leaf' | 'background', TestView>> = {}): AgentParts =>
  ({ toolViews: { main: all, sub: all, leaf: all, background: all, ...more } }) as AgentParts
const bash = (...prefix: string[]): Rule => ({ tool: 'Bash', match: { prefix } })
const read = (path: string): Rule => ({ tool: 'Read', match: { path, anchor: 'cwd' } })
const command = (text: string, more = {}) => ({ type: 'command' as const, command: text, ...more })

const AGENT: [what: string, old: AgentParts, now: AgentParts, lines: string[]][] = [
  ['a tool more and one less', { tools: ['Read', 'Grep'] }, { tools: ['Read', 'Bash'] }, ['! gains Bash', '~ loses Grep']],
  [
    'tools in another order',
    { tools: ['Read', 'Grep'] },
    { tools: ['Grep', 'Read'] },
    ['~ is offered its tools in another order: Grep, Read'],
  ],
  [
    'a tool in one role',
    views(view(['Read'])),
    views(view(['Read']), { background: view(['Read', 'Bash']) }),
    ['! gains Bash (background)'],
  ],
  ['a tool in plan mode', views(view([])), views(view([], [], [], ['ExitPlanMode'])), ['! tools in plan mode added: ExitPlanMode']],
  ['all MCP tools instead of one server', views(view([], ['db.*'])), views(view([], 'all')), ['! gains mcp__*']],
  ['one server instead of all', views(view([], 'all')), views(view([], ['db.*'])), ['~ loses mcp__* (without mcp__db__*)']],
  [
    'a tool of a server it has',
    views(view([], ['db.*'])),
    views(view([], ['db.*', 'db.query'])),
    ['~ its sources changed, without effect'],
  ],
  ['another server', views(view([], ['db.query'])), views(view([], ['db.*'])), ['! gains mcp__db__*']],
  ['a denial less', views(view([], 'all', ['db.*'])), views(view([], 'all')), ['! gains mcp__db__*']],
  ['a denial more', views(view([], 'all')), views(view([], 'all', ['db.*'])), ['~ loses mcp__db__*']],
  [
    'a denial less of what is not granted',
    views(view([], ['a.*'], ['db.*'])),
    views(view([], ['a.*'])),
    ['~ its sources changed, without effect'],
  ],
  ['all but a denial', views(view([], [])), views(view([], 'all', ['db.*'])), ['! gains mcp__* (without mcp__db__*)']],
  ['a denial of everything less', views(view([], ['db.*'], 'all')), views(view([], ['db.*'])), ['! gains mcp__db__*']],
  [
    'a denial that becomes narrower',
    views(view([], 'all', ['db.*'])),
    views(view([], 'all', ['db.drop'])),
    ['! gains mcp__db__* (without mcp__db__drop)'],
  ],

  ['the cap of a tool gone', { tools: ['Bash'], limits: [bash('git')] }, { tools: ['Bash'] }, ['! caps removed: Bash(git:*)']],
  [
    'a cap gone together with its tool',
    { tools: ['Bash'], limits: [bash('git')] },
    { tools: [] },
    ['~ loses Bash', '~ caps removed: Bash(git:*)'],
  ],
  ['a first cap', { tools: ['Bash'] }, { tools: ['Bash'], limits: [bash('git')] }, ['~ caps added: Bash(git:*)']],
  [
    'a second way',
    { tools: ['Bash'], limits: [bash('git')] },
    { tools: ['Bash'], limits: [bash('git'), bash('rm')] },
    ['! caps added: Bash(rm:*)'],
  ],
  [
    'one way less',
    { tools: ['Bash'], limits: [bash('git'), bash('rm')] },
    { tools: ['Bash'], limits: [bash('git')] },
    ['~ caps removed: Bash(rm:*)'],
  ],
  [
    'a narrower cap',
    { tools: ['Bash'], limits: [bash('git')] },
    { tools: ['Bash'], limits: [bash('git', 'log')] },
    ['~ caps added: Bash(git log:*)', '~ caps removed: Bash(git:*)'],
  ],
  [
    'a wider cap',
    { tools: ['Bash'], limits: [bash('git', 'log')] },
    { tools: ['Bash'], limits: [bash('git')] },
    ['! caps added: Bash(git:*)', '~ caps removed: Bash(git log:*)'],
  ],
  [
    'a prefix of letters is none of words',
    { tools: ['Bash'], limits: [bash('git')] },
    { tools: ['Bash'], limits: [bash('gitk')] },
    ['! caps added: Bash(gitk:*)', '~ caps removed: Bash(git:*)'],
  ],
  [
    'the cap of Read gone, which held for Grep',
    { tools: ['Grep'], limits: [read('src/**')] },
    { tools: ['Grep'] },
    ['! caps removed: Read(src/**)'],
  ],
  [
    'Grep freed from the cap of Read by one of its own',
    { tools: ['Grep', 'Read'], limits: [read('src/**')] },
    { tools: ['Grep', 'Read'], limits: [read('src/**'), { ...read('**'), tool: 'Grep' }] },
    ['! caps added: Grep(**)', '~ caps removed: Grep(src/**)'],
  ],
  [
    'the cap of Read written again for Grep',
    { tools: ['Grep', 'Read'], limits: [read('src/**')] },
    { tools: ['Grep', 'Read'], limits: [read('src/**'), { ...read('src/**'), tool: 'Grep' }] },
    ['~ its sources changed, without effect'],
  ],

  ['a deny rule less', { tools: ['Bash'], deny: [bash('rm')] }, { tools: ['Bash'] }, ['! deny rules removed: Bash(rm:*)']],
  [
    'a deny rule about a file of every folder instead of one',
    { tools: ['Read'], deny: [read('/x')] },
    { tools: ['Read'], deny: [read('x')] },
    ['! deny rules removed: Read(/x)', '~ deny rules added: Read(x)'],
  ],
  [
    'a deny rule less, and its tool',
    { tools: ['Bash'], deny: [bash('rm')] },
    { tools: ['Read'] },
    ['! gains Read', '~ loses Bash', '~ deny rules removed: Bash(rm:*)'],
  ],
  [
    'a deny rule that a wider one replaces',
    { tools: ['Bash'], deny: [bash('rm', '-rf')] },
    { tools: ['Bash'], deny: [bash('rm')] },
    ['~ deny rules removed: Bash(rm -rf:*)', '~ deny rules added: Bash(rm:*)'],
  ],
  [
    'a rule about paths less, which held for other tools',
    { tools: ['Grep'], deny: [read('.env')] },
    { tools: ['Grep'] },
    ['! deny rules removed: Read(.env)'],
  ],
  [
    'an anchor that moves with its file',
    { tools: ['Read'], deny: [{ ...read('x'), match: { path: 'x', anchor: 'source' }, origin: { ...place, path: 'a/x.md' } }] },
    { tools: ['Read'], deny: [{ ...read('x'), match: { path: 'x', anchor: 'source' }, origin: { ...place, path: 'b/x.md' } }] },
    ['! deny rules removed: Read(/x)', '~ deny rules added: Read(/x)'],
  ],
  [
    'a rule that only moved',
    { deny: [{ ...bash('rm'), origin: place }] },
    { deny: [{ ...bash('rm'), origin: { ...place, line: 9 } }] },
    ['~ its sources changed, without effect'],
  ],

  [
    'an agent more that it may start',
    { tools: ['Agent'], spawns: ['a'] },
    { tools: ['Agent'], spawns: ['a', 'b'] },
    ['! agents that it may start added: b'],
  ],
  [
    'every agent',
    { tools: ['Agent'], spawns: ['every agent'] },
    { tools: ['Agent'], spawns: 'all' },
    ['! agents that it may start added: every agent'],
  ],
  [
    'every agent without the tool',
    { tools: [], spawns: [] },
    { tools: [], spawns: 'all' },
    ['~ agents that it may start added: every agent'],
  ],
  [
    'only some agents',
    { tools: ['Agent'], spawns: 'all' },
    { tools: ['Agent'], spawns: ['b'] },
    ['~ agents that it may start removed: every other; left: b'],
  ],

  ['worktree gone', { isolation: 'worktree' }, {}, ['! isolation: worktree → none']],
  ['worktree instead of remote', { isolation: 'remote' }, { isolation: 'worktree' }, ['! isolation: remote → worktree']],
  ['isolated', {}, { isolation: 'worktree' }, ['~ isolation: none → worktree']],
  ['memory', {}, { memory: 'project' }, ['! memory: none → project']],
  ['no memory', { memory: 'project' }, {}, ['~ memory: project → none']],
  ['more turns', { maxTurns: 5 }, { maxTurns: 6 }, ['! maxTurns: 5 → 6']],
  ['no bound of turns', { maxTurns: 5 }, {}, ['! maxTurns: 5 → none']],
  ['a bound of turns', {}, { maxTurns: 5 }, ['~ maxTurns: none → 5']],
  ['another model', { model: 'a' }, { model: 'b', contextWindow: '1m' }, ['~ model: a → b[1m]']],
  ['background', {}, { background: true }, ['~ background: none → true']],
  ['effort', { effort: 'low' }, { effort: 'high' }, ['~ effort: low → high']],
  ['prompt', { prompt: 'a\nb\nc' }, { prompt: 'a\nx\ny\nc' }, ['~ prompt: 2 lines added, 1 removed']],
  ['a skill', { skills: ['a'] }, { skills: ['b'] }, ['~ preloaded skills added: b', '~ preloaded skills removed: a']],

  [
    'a hook',
    {},
    { hooks: { SessionStart: [{ handlers: [command('./go.sh --token abc')] }] } },
    ['! hooks added: SessionStart: command ./go.sh …'],
  ],
  [
    'a guard less',
    { hooks: { PreToolUse: [{ matcher: { names: ['Bash'] }, handlers: [command('./guard.sh')] }] } },
    {},
    ['! hooks removed: PreToolUse(Bash): command ./guard.sh'],
  ],
  [
    'a hook less that guards nothing',
    { hooks: { SessionEnd: [{ handlers: [command('x')] }] } },
    {},
    ['~ hooks removed: SessionEnd: command x'],
  ],
  [
    'a guard that no longer blocks',
    { hooks: { PreToolUse: [{ handlers: [command('x', { onFailure: 'block' })] }] } },
    { hooks: { PreToolUse: [{ handlers: [command('x')] }] } },
    ['! hooks changed: PreToolUse: command x'],
  ],
  [
    'a guard whose condition only moved to another line',
    { hooks: { PreToolUse: [{ handlers: [command('x', { if: { ...bash('rm'), origin: place } })] }] } },
    { hooks: { PreToolUse: [{ handlers: [command('x', { if: { ...bash('rm'), origin: { ...place, line: 9, column: 9 } } })] }] } },
    ['~ its sources changed, without effect'],
  ],
  [
    'a guard with another condition',
    { hooks: { PreToolUse: [{ handlers: [command('x', { if: { ...bash('rm'), origin: place } })] }] } },
    { hooks: { PreToolUse: [{ handlers: [command('x', { if: { ...bash('mv'), origin: place } })] }] } },
    ['! hooks changed: PreToolUse: command x'],
  ],
  [
    'a guard for fewer tools',
    { hooks: { PreToolUse: [{ handlers: [command('x')] }] } },
    { hooks: { PreToolUse: [{ matcher: { names: ['Bash'] }, handlers: [command('x')] }] } },
    ['! hooks added: PreToolUse(Bash): command x', '! hooks removed: PreToolUse: command x'],
  ],
  ['a server by name', {}, { servers: [{ ref: 'db' }] }, ['! MCP servers added: db']],
  [
    'a server of its own',
    {},
    { servers: [{ name: 'db', config: { type: 'http', url: 'https://u:secret@db.example/mcp?key=secret' } }] },
    ['! MCP servers added: db (http https://db.example/mcp)'],
  ],
  [
    'another program',
    { servers: [{ name: 'db', config: { type: 'stdio', command: 'a' } }] },
    { servers: [{ name: 'db', config: { type: 'stdio', command: 'b', env: { T: 'secret' } } }] },
    ['! MCP servers changed: db: command, env'],
  ],
  [
    'another timeout',
    { servers: [{ name: 'db', config: { type: 'stdio', command: 'a' } }] },
    { servers: [{ name: 'db', config: { type: 'stdio', command: 'a', timeout: 9 } }] },
    ['~ MCP servers changed: db: timeout'],
  ],
  ['a server less', { servers: [{ ref: 'db' }] }, {}, ['~ MCP servers removed: db']],

  [
    'a file of another layer',
    { origin: { source: 'builtin', path: 'agents/x.md', hash: HASH } },
    { origin: { source: 'project', path: '.claude/agents/x.md', hash: HASH } },
    ['~ now comes from .claude/agents/x.md instead of <builtin>/agents/x.md'],
  ],
  [
    'the policy no longer decides',
    { origin: { source: 'policy', path: 'x.md', hash: HASH } },
    { origin: { source: 'project', path: '.claude/agents/x.md', hash: HASH } },
    ['! now comes from .claude/agents/x.md instead of <managed>/x.md'],
  ],
  [
    'a link out of the project',
    { origin: { source: 'project', path: 'x.md', hash: HASH } },
    { origin: { source: 'project', path: 'x.md', link: '<outside>', hash: HASH } },
    ['! now comes from x.md → <outside> instead of x.md'],
  ],
  [
    'a file that it hides',
    {},
    { overrides: [{ source: 'user', path: 'agents/x.md', hash: HASH }] },
    ['~ files that it overrides added: ~/.claude/agents/x.md'],
  ],
  [
    'other bytes without effect',
    { origin: { source: 'project', path: 'x.md', hash: HASH } },
    { origin: { source: 'project', path: 'x.md', hash: HASH.replaceAll('1', '2') } },
    ['~ its sources changed, without effect'],
  ],
]

describe('one agent', () => {
  test.each(AGENT)('%s', (_what, old, now, lines) => {
    expect(agentLines(old, now)).toEqual(lines)
  })

  test('each permission mode is looser than those before it, and none is as loose as default', () => {
    const order = ['plan', 'dontAsk', 'default', 'acceptEdits', 'auto', 'bypassPermissions'] as const
    expect([...order].sort()).toEqual([...PERMISSION_MODES].sort())
    for (const [i, old] of order.entries()) {
      for (const [j, now] of order.entries()) {
        if (i !== j)
          expect(agentLines({ permissionMode: old }, { permissionMode: now })).toEqual([
            `${j > i ? '!' : '~'} permission mode: ${old} → ${now}`,
          ])
      }
    }
    expect(agentLines({ permissionMode: 'plan' }, {})).toEqual(['! permission mode: plan → none'])
    expect(agentLines({}, { permissionMode: 'default' })).toEqual(['~ permission mode: none → default'])
  })

  test('a new agent is a gain and says what it brings along; one that is gone is none', () => {
    expect(
      shown(changesOf([{}], [{ worker: { tools: ['Bash'], permissionMode: 'auto', memory: 'user', servers: [{ ref: 'db' }] } }])),
    ).toEqual(['! is new (.claude/agents/worker.md, auto, memory user, MCP servers): Bash, mcp__*'])
    expect(shown(changesOf([{ worker: {} }], [{}]))).toEqual(['~ is gone'])
  })

  test('a change names the file and the line where it is written', () => {
    const provenance = { tools: { source: 'project', path: 'x', line: 4, column: 1 } } as const
    const [tools, model] = changesOf([{ worker: { model: 'a' } }], [{ worker: { tools: ['Bash'], model: 'b', provenance } }])
    expect(tools).toMatchObject({
      kind: 'tools',
      agent: 'worker',
      roles: ['main', 'sub', 'leaf', 'background'],
      items: ['Bash'],
      file: '.claude/agents/worker.md',
      line: 4,
    })
    expect(model).toMatchObject({ kind: 'tools', change: 'removed' })
  })
})

const allow = (rule: Rule, source: 'project' | 'user' = 'project'): Rule => ({ ...rule, origin: { ...place, source } })
const permissions = (parts: Partial<ManifestHeader['permissions']>): HeaderParts => ({
  permissions: { allow: [], ask: [], deny: [], ...parts },
})
const settings = (parts: Partial<ManifestHeader['settings']>): HeaderParts => ({
  settings: { bypassDisabled: false, additionalDirectories: [], env: {}, ...parts },
})
const skill = (content: string, more = {}) => ({
  description: 'd',
  content,
  hash: HASH,
  origin: { source: 'project' as const, path: 's' },
  ...more,
})
const tool = (more: object) => ({ T: { description: 'd', input_schema: {}, traits: { readOnly: false }, ...more } })
const lock = (hash: string) => ({ name: 'q', description: 'd', input_schema: {}, hash })
const value = (text: string) => ({ value: text, origin: place })

const HEADER: [what: string, old: HeaderParts, now: HeaderParts, lines: string[]][] = [
  ['an allow rule', permissions({}), permissions({ allow: [allow(bash('git'))] }), ['! allow rules added: Bash(git:*) (project)']],
  ['an allow rule less', permissions({ allow: [allow(bash('git'))] }), permissions({}), ['~ allow rules removed: Bash(git:*) (project)']],
  [
    'a narrower allow rule',
    permissions({ allow: [allow(bash('git'))] }),
    permissions({ allow: [allow(bash('git', 'log'))] }),
    ['~ allow rules added: Bash(git log:*) (project)', '~ allow rules removed: Bash(git:*) (project)'],
  ],
  [
    'an allow rule of a more trusted layer',
    permissions({ allow: [allow(bash('git'))] }),
    permissions({ allow: [allow(bash('git'), 'user')] }),
    ['! allow rules added: Bash(git:*) (user)', '~ allow rules removed: Bash(git:*) (project)'],
  ],
  ['an ask rule less', permissions({ ask: [bash('rm')] }), permissions({}), ['! ask rules removed: Bash(rm:*)']],
  [
    'an ask rule that became a deny rule',
    permissions({ ask: [bash('rm')] }),
    permissions({ deny: [bash('rm')] }),
    ['~ ask rules removed: Bash(rm:*)', '~ deny rules added: Bash(rm:*)'],
  ],
  [
    'a deny rule that became an ask rule',
    permissions({ deny: [bash('rm')] }),
    permissions({ ask: [bash('rm')] }),
    ['! deny rules removed: Bash(rm:*)', '~ ask rules added: Bash(rm:*)'],
  ],
  [
    'a deny rule that one for the whole tool covers',
    permissions({ deny: [bash('rm')] }),
    permissions({ deny: [{ tool: 'Bash' }] }),
    ['~ deny rules removed: Bash(rm:*)', '~ deny rules added: Bash'],
  ],
  [
    'a looser default mode',
    settings({}),
    settings({ defaultMode: { value: 'auto', origin: place } }),
    ['! default permission mode: none → auto'],
  ],
  ['bypass possible again', settings({ bypassDisabled: true }), settings({}), ['! bypassPermissions disabled: true → false']],
  ['a folder more', settings({}), settings({ additionalDirectories: [value('../x')] }), ['! additional folders added: ../x']],
  [
    'variables, whose values are not shown',
    settings({ env: { A: value('secret-1'), C: value('x') } }),
    settings({ env: { A: value('secret-2'), B: value('secret-3') } }),
    ['! environment variables added: B', '! environment variables changed: A', '~ environment variables removed: C'],
  ],
  ['another main agent', settings({}), settings({ agent: value('boss') }), ['! main agent: none → boss']],
  [
    'a hook',
    {},
    { hooks: { Stop: [{ handlers: [{ type: 'http', url: 'https://a.example/x?k=secret' }] }] } },
    ['! hooks added: Stop: http https://a.example/x'],
  ],
  [
    'a server',
    {},
    { mcpServers: { db: { config: { type: 'stdio', command: 'A=secret npx db' }, origin: place } } },
    ['! MCP servers added: db (npx …)'],
  ],
  [
    'a deeper spawn',
    {},
    { limits: { spawnDepth: 2, parallelReads: 10, resultChars: 100_000 } },
    ['! limit of a run: spawnDepth 1 → spawnDepth 2'],
  ],
  ['a feature', { features: { a: true } }, { features: { a: false, b: true } }, ['! features added: b', '~ features changed: a']],
  [
    'code of a tool',
    { tools: tool({}) },
    { tools: tool({ code: { hash: HASH, origin: { source: 'project', path: 't' } } }) },
    ['! tools in the catalogue changed: T'],
  ],
  [
    'a tool that now counts as read-only',
    { tools: tool({}) },
    { tools: tool({ traits: { readOnly: true } }) },
    ['! tools in the catalogue changed: T'],
  ],
  ['another description of a tool', { tools: tool({}) }, { tools: tool({ description: 'e' }) }, ['~ tools in the catalogue changed: T']],
  ['a skill', {}, { skills: { s: skill('text') } }, ['~ skills added: s']],
  ['a skill with a shell line', { skills: { s: skill('a') } }, { skills: { s: skill('a !`id`') } }, ['! skills changed: s']],
  [
    'a skill that allows tools',
    { skills: { s: skill('a') } },
    { skills: { s: skill('a', { allowedTools: [bash('rm')] }) } },
    ['! skills changed: s'],
  ],
  [
    'a skill with another command in its block',
    { skills: { s: skill('a\n```!\nls\n```js\n```\nb') } },
    { skills: { s: skill('a\n```!\nls\n```js\nrm x\n```\nb') } },
    ['! skills changed: s'],
  ],
  [
    'a skill with another text behind its block',
    { skills: { s: skill('a\n```!\nls\n```\nb') } },
    { skills: { s: skill('a\n```!\nls\n```\nc') } },
    ['~ skills changed: s'],
  ],
  [
    'a skill that brings a hook',
    { skills: { s: skill('a') } },
    { skills: { s: skill('a', { hooks: { PostToolUse: [{ handlers: [command('x')] }] } }) } },
    ['! skills changed: s'],
  ],
  [
    'a skill that no longer guards',
    { commands: { c: skill('a', { hooks: { PreToolUse: [{ handlers: [command('x')] }] } }) } },
    { commands: { c: skill('a') } },
    ['! commands changed: c'],
  ],
  [
    'a skill that denies fewer tools',
    { skills: { s: skill('a', { disallowedTools: [bash('rm'), bash('mv')] }) } },
    { skills: { s: skill('a', { disallowedTools: [bash('rm')] }) } },
    ['! skills changed: s'],
  ],
  [
    'a skill that denies more tools',
    { skills: { s: skill('a') } },
    { skills: { s: skill('a', { disallowedTools: [bash('rm')] }) } },
    ['~ skills changed: s'],
  ],
  [
    'a skill that the model may now start',
    { skills: { s: skill('a', { disableModelInvocation: true }) } },
    { skills: { s: skill('a') } },
    ['! skills changed: s'],
  ],
  [
    'a command',
    {},
    { commands: { c: { content: 'x', hash: HASH, origin: { source: 'project', path: 'c' }, allowedTools: [bash('rm')] } } },
    ['! commands added: c'],
  ],
  ['a lock less', { mcpTools: { db: [lock('a')] } }, {}, ['! locked MCP tools removed: the lock of db']],
  [
    'another description of a locked tool',
    { mcpTools: { db: [lock('a')] } },
    { mcpTools: { db: [lock('b')] } },
    ['! locked MCP tools changed: mcp__db__q'],
  ],
  ['a lock', {}, { mcpTools: { db: [lock('a')] } }, ['~ locked MCP tools added: the lock of db']],
]

describe('the header, which concerns every agent', () => {
  test.each(HEADER)('%s', (_what, old, now, lines) => {
    expect(headerLines(old, now)).toEqual(lines)
  })
})

/** Another value for each member of an agent; a member that the shape gains has to be given one here. */
const OTHER: Record<Exclude<keyof ManifestAgent, 'hash' | 'provenance' | 'toolViews'>, AgentParts> = {
  description: { description: 'x' },
  prompt: { prompt: 'x' },
  model: { model: 'x' },
  contextWindow: { contextWindow: '1m' },
  effort: { effort: 3 },
  maxTurns: { maxTurns: 3 },
  permissionMode: { permissionMode: 'plan' },
  color: { color: 'red' },
  background: { background: true },
  initialPrompt: { initialPrompt: 'x' },
  isolation: { isolation: 'remote' },
  memory: { memory: 'local' },
  omitClaudeMd: { omitClaudeMd: true },
  guidance: { guidance: true },
  reminder: { reminder: 'x' },
  cacheTtl: { cacheTtl: '1h' },
  autoCompactWindow: { autoCompactWindow: 9 },
  limits: { limits: [bash('x')] },
  deny: { deny: [bash('x')] },
  spawns: { spawns: [] },
  servers: { servers: [{ ref: 'x' }] },
  mcpTools: { mcpTools: { x: [lock('a')] } },
  requiredServers: { requiredServers: ['x'] },
  hooks: { hooks: { Stop: [{ handlers: [command('x')] }] } },
  skills: { skills: ['x'] },
  origin: { origin: { source: 'user', path: 'x', hash: HASH } },
  overrides: { overrides: [{ source: 'user', path: 'x', hash: HASH }] },
}

describe('nothing changes unseen', () => {
  const before = readManifest(manifestText({ worker: { deny: [] } }))

  test('each member of an agent has a kind of change of its own, in both directions', () => {
    const members = Object.keys(agentShape.shape).filter((key) => !['hash', 'provenance', 'toolViews'].includes(key))
    expect(Object.keys(OTHER).sort()).toEqual(members.sort())
    for (const [member, parts] of Object.entries(OTHER)) {
      const after = readManifest(manifestText({ worker: { deny: [], ...parts } }))
      for (const changes of [compareManifests(before, after), compareManifests(after, before)]) {
        expect(changes.length, member).toBeGreaterThan(0)
        expect(
          changes.map(({ kind }) => kind),
          member,
        ).not.toContain('source')
      }
    }
  })

  test('any other header is at least told', () => {
    for (const member of Object.keys(headerShape.shape).filter((key) => key !== 'hash' && key !== 'agentc')) {
      const header = { ...before.header, [member]: { other: true } } as unknown as ManifestHeader
      const known = ['permissions', 'settings', 'hooks', 'tools', 'skills', 'commands', 'mcpServers', 'mcpTools']
      if (known.includes(member)) continue
      expect(compareManifests(before, { ...before, header }), member).not.toEqual([])
    }
  })

  test('equal manifests have no difference, and gains come first', () => {
    expect(compareManifests(before, before)).toEqual([])
    const changes = changesOf([{ a: { model: 'x' }, b: { tools: [] } }], [{ a: { model: 'y' }, b: { tools: ['Read'] }, c: {} }])
    expect(changes.map(({ agent, gain }) => [agent, gain])).toEqual([
      ['b', true],
      ['c', true],
      ['a', false],
    ])
  })

  test('a hostile name or prompt is compared like any other, and a huge one in a bounded time', () => {
    expect(shown(changesOf([{}], [JSON.parse('{"__proto__": {}, "constructor": {}}') as Agents]))).toHaveLength(2)
    const lines = (word: string): string => Array.from({ length: 200_000 }, (_, i) => `${word} ${i}`).join('\n')
    expect(agentLines({ prompt: lines('a') }, { prompt: `${lines('b')}\na 1` })).toEqual(['~ prompt: 200000 lines added, 199999 removed'])
  })
})
