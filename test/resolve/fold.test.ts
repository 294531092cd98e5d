import { describe, expect, test } from 'vitest'
import { colorOf } from '../../compiler/resolve/color.ts'
import type { Resolution } from '../../compiler/resolve/resolved.ts'
import { COLORS } from '../../schemas/values.ts'
import { agent } from '../support/bin.ts'
import { resolved, source } from '../support/definitions.ts'

const chainOf = ({ agents }: Resolution, name: string): string[] => {
  const { definition, overrides } = agents.get(name)!
  return [definition, ...overrides].map(({ file }) => `${file.origin.source} ${file.origin.path}`)
}

const BROKEN = '---\nname: a\n---\n\nNo description.\n'

describe('one name in several layers', () => {
  test('the highest wins whole, and the chain below it is kept, highest first', async () => {
    const resolution = await resolved([
      source(agent('a', 'model: haiku'), 'agents/a.md', 'builtin'),
      source(agent('a', 'maxTurns: 3'), 'agents/a.md', 'user'),
      source(agent('a', 'tools: Read'), '.claude/agents/a.md'),
      source(agent('a', 'effort: low'), 'app/.claude/agents/a.md'),
      source(agent('a'), '.claude/agents/a.md', 'policy'),
    ])
    expect(chainOf(resolution, 'a')).toEqual([
      'policy .claude/agents/a.md',
      'project app/.claude/agents/a.md',
      'project .claude/agents/a.md',
      'user agents/a.md',
      'builtin agents/a.md',
    ])
    const { definition } = resolution.agents.get('a')!
    expect([definition.model, definition.maxTurns, definition.effort, definition.tools.kind]).toEqual([
      undefined,
      undefined,
      undefined,
      'all',
    ])
  })

  test('names are compared after normalisation, and nothing else makes two names one', async () => {
    const names = ['u\u0308ber', '\u00fcber', 'Über', 'uber', 'a-b', 'a_b', 'a b']
    const { agents } = await resolved(names.map((name, i) => source(agent(name), `.claude/agents/${i}.md`)))
    expect([...agents.keys()]).toEqual(['a b', 'a-b', 'a_b', 'uber', 'Über', 'über'].sort())
    expect(agents.get('über')!.overrides).toHaveLength(1)
  })

  test('agents come in name order by code units, whatever order the files have', async () => {
    const names = ['b', 'Z', 'a', '10', '2', 'é']
    const { agents } = await resolved(names.map((name, i) => source(agent(JSON.stringify(name)), `.claude/agents/${i}.md`)))
    expect([...agents.keys()]).toEqual([...names].sort())
  })
})

describe('a file that gives no definition', () => {
  test('takes its name with it: nothing of a lower layer takes its place', async () => {
    const { agents, dropped } = await resolved([
      source(agent('a'), 'agents/a.md', 'user'),
      source(agent('a'), '.claude/agents/a.md'),
      source(BROKEN, '.claude/agents/a.md', 'policy'),
    ])
    expect([agents.size, [...dropped.keys()]]).toEqual([0, ['a']])
  })

  test('does not hide a higher file of its name, of a higher layer or a nearer folder', async () => {
    const layer = await resolved([source(BROKEN, 'agents/a.md', 'user'), source(agent('a'), '.claude/agents/a.md')])
    expect([chainOf(layer, 'a'), layer.dropped.size]).toEqual([['project .claude/agents/a.md'], 0])
    const nearer = await resolved([source(BROKEN), source(agent('a'), 'app/.claude/agents/a.md')])
    expect([chainOf(nearer, 'a'), nearer.dropped.size]).toEqual([['project app/.claude/agents/a.md'], 0])
    const farther = await resolved([source(agent('a')), source(BROKEN, 'app/.claude/agents/a.md')])
    expect([farther.agents.size, [...farther.dropped.keys()]]).toEqual([0, ['a']])
  })

  test('hides nothing if it is a plain document, wherever it lies', async () => {
    const notes = 'How this agent came to be.\n'
    for (const files of [
      [source(agent('a')), source(notes, '.claude/agents/docs/a.md')],
      [source(agent('a')), source(notes, 'app/.claude/agents/a.md')],
      [source(agent('a')), source(notes, '.claude/agents/a.md', 'policy')],
    ]) {
      const resolution = await resolved(files)
      expect([chainOf(resolution, 'a'), resolution.dropped.size]).toEqual([['project .claude/agents/a.md'], 0])
    }
    const alone = await resolved([source(notes)])
    expect(alone.dropped.get('a')?.code).toBe('file/document')
  })

  test('hides a healthy file of its name in the same folder, because there no file has precedence', async () => {
    for (const files of [
      [source(BROKEN, '.claude/agents/1.md'), source(agent('a'), '.claude/agents/sub/2.md')],
      [source(agent('a'), '.claude/agents/1.md'), source(BROKEN, '.claude/agents/sub/2.md')],
    ]) {
      const { agents, dropped } = await resolved(files)
      expect([agents.size, [...dropped.keys()]]).toEqual([0, ['a']])
    }
  })

  test('is called by its name if that can be read, else by its file', async () => {
    const { dropped } = await resolved([
      source('---\nname: known\n---\n\nText.\n', '.claude/agents/other.md'),
      source('---\nname: "half" open\n---\n\nText.\n', '.claude/agents/by-file.md'),
    ])
    expect([...dropped.keys()].sort()).toEqual(['by-file', 'known'])
  })
})

describe('colours', () => {
  test('depend on the name alone, so that adding an agent never recolours another', async () => {
    const first = await resolved(['x', 'y'].map((name) => source(agent(name), `.claude/agents/${name}.md`)))
    const more = await resolved(['a', 'b', 'x', 'x2', 'y', 'z'].map((name) => source(agent(name), `.claude/agents/${name}.md`)))
    for (const name of ['x', 'y']) expect(more.agents.get(name)!.color).toBe(first.agents.get(name)!.color)
  })

  test('are those that stand in manifests already: a change here recolours everyone', () => {
    expect(['reviewer', 'tester', 'general-purpose', 'Explore', '🦊'].map(colorOf)).toEqual(['green', 'pink', 'red', 'purple', 'blue'])
  })

  test('use all eight about equally', () => {
    const counts = new Map(COLORS.map((color) => [color, 0]))
    for (let i = 0; i < 4000; i++) counts.set(colorOf(`agent-${i}`), counts.get(colorOf(`agent-${i}`))! + 1)
    for (const [color, count] of counts) expect(count, color).toBeGreaterThan(350)
  })

  test('a declared one is kept', async () => {
    const { agents } = await resolved([source(agent('a', 'color: cyan'))])
    expect(agents.get('a')!.color).toBe('cyan')
  })
})

describe('views', () => {
  test('agents with equal lists share one view, agents whose lists only look alike do not', async () => {
    const lists = [
      ['tools: Read, Grep'],
      ['tools: [Read, Grep]'],
      ['tools: Read', 'mcpServers: ["x,y"]'],
      ['tools: Read', 'mcpServers: [x, y]'],
    ]
    const { agents } = await resolved(lists.map((lines, i) => source(agent(`a${i}`, ...lines), `.claude/agents/${i}.md`)))
    const view = (i: number) => agents.get(`a${i}`)!.views.main
    expect(view(1)).toBe(view(0))
    expect(view(2).mcp).toEqual([{ server: 'x_y', tool: '*' }])
    expect(view(3).mcp).toEqual([
      { server: 'x', tool: '*' },
      { server: 'y', tool: '*' },
    ])
  })
})
