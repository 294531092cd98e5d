import { describe, expect, test } from 'vitest'
import type { AgentDefinition } from '../compiler/define/definition.ts'
import { decide, type Subject } from '../compiler/tool-view/layers.ts'
import { mcpDenials, mcpGrants } from '../compiler/tool-view/mcp.ts'
import { mcpPattern } from '../schemas/mcp-tools.ts'
import { inToolName } from '../schemas/mcp-tools.ts'
import { builtInView } from '../compiler/tool-view/view.ts'
import { AGENTC, type Profile } from '../schemas/profile.ts'
import { ROLES, type Role } from '../schemas/values.ts'
import { definitionOf } from './support/definitions.ts'

function subjectOf(agent: AgentDefinition, more: Partial<Subject> = {}): Subject {
  return {
    tools: agent.tools,
    denied: agent.disallowedTools,
    builtIn: false,
    memory: agent.memory !== undefined,
    settingsDeny: new Set(),
    ...more,
  }
}

/** With nesting allowed, so that `sub` and `leaf` differ. */
const NESTED: Profile = { ...AGENTC, spawnDepth: 2 }

/** The letters stand for main, sub, leaf and background: where an agent with all tools has this one; `p` for only in plan mode. */
describe('an agent that lists no tools', () => {
  test.each([
    ['Agent', 'msl-'.replace('l', '-')],
    ['AskUserQuestion', 'm---'],
    ['Bash', 'mslb'],
    ['Edit', 'mslb'],
    ['EnterPlanMode', 'm---'],
    ['ExitPlanMode', 'mppp'],
    ['Glob', 'mslb'],
    ['Grep', 'mslb'],
    ['ListMcpResources', 'msl-'],
    ['NotebookEdit', 'mslb'],
    ['Read', 'mslb'],
    ['ReadMcpResource', 'msl-'],
    ['SendMessage', 'mslb'],
    ['Skill', 'mslb'],
    ['TaskOutput', 'm---'],
    ['TaskStop', 'm---'],
    ['TodoWrite', 'mslb'],
    ['WebFetch', 'mslb'],
    ['WebSearch', 'mslb'],
    ['Write', 'mslb'],
  ])('%s: %s', async (name, roles) => {
    const subject = subjectOf(await definitionOf())
    const seen = ROLES.map((role, i) => {
      const { tools, plan } = builtInView(role, subject, NESTED)
      return tools.includes(name) ? 'mslb'[i] : plan.includes(name) ? 'p' : '-'
    })
    expect(seen.join('')).toBe(roles)
  })

  test('the table above has every tool there is', () => {
    expect(AGENTC.tools).toHaveLength(20)
  })

  test('where nesting is off a sub-agent is at the limit already', async () => {
    const subject = subjectOf(await definitionOf())
    expect(builtInView('sub', subject, AGENTC)).toEqual(builtInView('leaf', subject, NESTED))
    expect(builtInView('main', subject, AGENTC).tools).toContain('Agent')
  })
})

describe('a list', () => {
  test.each([
    ['gives its own order, each tool once', ['tools: Write, Read, Write'], ['Write', 'Read']],
    ['takes old names for what they mean today', ['tools: Task, KillShell, ReadMcpResourceTool'], ['Agent', 'TaskStop', 'ReadMcpResource']],
    ['drops names that are none', ['tools: Read, Grpe, bash, LS'], ['Read']],
    ['may be empty', ['tools: []'], []],
    ['loses what is denied', ['tools: Read, Bash, Agent', 'disallowedTools: Bash, Task'], ['Read']],
    ['keeps a tool of which only a part is denied', ['tools: Read, Bash', 'disallowedTools: Bash(rm *)'], ['Read', 'Bash']],
    ['loses everything to a star', ['tools: Read, Bash', 'disallowedTools: "*"'], []],
    ['is widened by memory, in this order', ['tools: Grep', 'memory: user'], ['Grep', 'Write', 'Edit', 'Read']],
    ['keeps its order under memory', ['tools: Read, Grep', 'memory: user'], ['Read', 'Grep', 'Write', 'Edit']],
    ['is widened by memory even when it is empty', ['tools: []', 'memory: user'], ['Write', 'Edit', 'Read']],
    ['is not widened by memory against a denial', ['tools: Grep', 'memory: user', 'disallowedTools: Write, Read'], ['Grep', 'Edit']],
  ])('%s', async (_what, lines, tools) => {
    expect(builtInView('main', subjectOf(await definitionOf(...lines)), AGENTC)).toEqual({ tools, plan: [] })
  })

  test('grants no sub-agent what sub-agents cannot have, and ExitPlanMode only in plan mode', async () => {
    const subject = subjectOf(await definitionOf('tools: AskUserQuestion, Agent, ExitPlanMode, Read, ReadMcpResource'))
    const seen = ROLES.map((role) => builtInView(role, subject, NESTED))
    expect(seen).toEqual([
      { tools: ['AskUserQuestion', 'Agent', 'ExitPlanMode', 'Read', 'ReadMcpResource'], plan: [] },
      { tools: ['Agent', 'Read', 'ReadMcpResource'], plan: ['ExitPlanMode'] },
      { tools: ['Read', 'ReadMcpResource'], plan: ['ExitPlanMode'] },
      { tools: ['Read'], plan: ['ExitPlanMode'] },
    ])
  })
})

describe('the reason of a tool is the first layer that decides', () => {
  const cases: [tool: string, role: Role, lines: string[], more: Partial<Subject>, kept: boolean, layer: string][] = [
    ['Bash', 'main', ['disallowedTools: Bash'], { settingsDeny: new Set(['Bash']) }, false, 'settings'],
    ['TaskOutput', 'sub', ['disallowedTools: TaskOutput'], {}, false, 'sub-agents'],
    ['Agent', 'leaf', ['disallowedTools: Agent'], {}, false, 'depth'],
    ['Agent', 'background', [], {}, false, 'background'],
    ['Bash', 'background', ['disallowedTools: Bash', 'tools: Read'], {}, false, 'disallowedTools'],
    ['Grep', 'sub', ['tools: Read'], {}, false, 'tools'],
    ['Write', 'sub', ['tools: Read', 'memory: user'], {}, true, 'memory'],
    ['Write', 'sub', ['tools: Write', 'memory: user'], {}, true, 'tools'],
    ['ExitPlanMode', 'sub', [], {}, true, 'plan-mode'],
    ['ExitPlanMode', 'sub', ['tools: Read'], {}, false, 'tools'],
    ['ExitPlanMode', 'main', [], {}, true, 'tools'],
  ]
  test.each(cases)('%s, %s, %j', async (name, role, lines, more, kept, layer) => {
    const agent = await definitionOf(...lines)
    expect(decide(AGENTC.byName.get(name)!, role, subjectOf(agent, more), NESTED)).toMatchObject({ kept, layer })
  })

  test('names the entry that decided', async () => {
    const agent = await definitionOf('tools: Read, Bash(git *)', 'disallowedTools: Grep, Task')
    const of = (name: string) => decide(AGENTC.byName.get(name)!, 'main', subjectOf(agent), AGENTC).entry?.text
    expect([of('Bash'), of('Agent'), of('Read'), of('Glob')]).toEqual(['Bash(git *)', 'Task', 'Read', undefined])
  })
})

describe('MCP tools', () => {
  test.each([
    ['mcp__db', 'db', '*'],
    ['mcp__db__*', 'db', '*'],
    ['mcp__db__query', 'db', 'query'],
    ['mcp__db__query__deep', 'db', 'query__deep'],
    ['mcp__*', '*', '*'],
    ['mcp__*__delete', '*', 'delete'],
    ['mcp__my_server__', 'my_server', '*'],
  ])('%s is server %s, tool %s', (name, server, tool) => {
    expect(mcpPattern(name)).toEqual({ server, tool })
  })

  test('a server is called in names of tools with underscores for all that is no letter, digit, hyphen or underscore', () => {
    expect(['my server', 'a.b/c', 'x-y_z', 'ö'].map(inToolName)).toEqual(['my_server', 'a_b_c', 'x-y_z', '_'])
  })

  test.each([
    ['no list grants all', [], 'all'],
    ['a list grants what it names, each once', ['tools: Read, mcp__db__query, mcp__db__query'], [{ server: 'db', tool: 'query' }]],
    [
      'a whole server covers its tools',
      ['tools: mcp__db__query, mcp__db, mcp__x__y'],
      [
        { server: 'db', tool: '*' },
        { server: 'x', tool: 'y' },
      ],
    ],
    ['a star for all servers grants all', ['tools: Read, mcp__*'], 'all'],
    ['one tool of every server is not every tool', ['tools: mcp__*__read'], [{ server: '*', tool: 'read' }]],
    ['a list without any grants none', ['tools: Read'], []],
    [
      'servers of the agent come on top of its list',
      ['tools: Read', 'mcpServers: [my server, {own: {command: ./x}}]'],
      [
        { server: 'my_server', tool: '*' },
        { server: 'own', tool: '*' },
      ],
    ],
  ])('%s', async (_what, lines, granted) => {
    const { tools, mcpServers } = await definitionOf(...lines)
    expect(
      mcpGrants(
        tools,
        (mcpServers?.value ?? []).map(({ value }) => value),
        true,
      ),
    ).toEqual(granted)
  })

  test.each([
    ['nothing', [], []],
    ['one tool', ['disallowedTools: Bash, mcp__db__drop'], [{ server: 'db', tool: 'drop' }]],
    ['one tool of every server, which is not everything', ['disallowedTools: mcp__*__delete'], [{ server: '*', tool: 'delete' }]],
    ['every MCP tool', ['disallowedTools: mcp__*'], 'all'],
    ['everything', ['disallowedTools: "*"'], 'all'],
  ])('are denied: %s', async (_what, lines, denied) => {
    const { disallowedTools } = await definitionOf(...lines)
    expect(mcpDenials(disallowedTools, true)).toEqual(denied)
  })
})
