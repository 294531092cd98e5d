import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { agentc, agents, project } from '../support/bin.ts'
import { ROOT } from '../support/tree.ts'

const schema = JSON.parse(readFileSync(join(ROOT, 'schemas/list.schema.json'), 'utf8')) as object

const MIXED = {
  ...agents({ reviewer: ['tools: Read, mcp__db', 'model: haiku', 'effort: high', 'color: blue'], bystander: ['disallowedTools: bash'] }),
  '.claude/agents/broken.md': '---\nname: broken\ndescription: "Half" quoted\n---\n\nYou work.\n',
  '.claude/agents/explore.md': '---\nname: Explore\ndescription: Looks around here.\ntools: Read\n---\n\nYou look.\n',
}

interface Entry {
  name: string
  [key: string]: unknown
}

describe('agentc list', () => {
  test('--format json gives what schemas/list.schema.json describes, in name order, broken agents among healthy ones', async () => {
    const { code, out, err } = await agentc(['list', '--format', 'json'], { cwd: project(MIXED) })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const list = JSON.parse(out) as Entry[]
    const validate = new Ajv({ strict: false }).compile(schema)
    expect(validate(list), JSON.stringify(validate.errors)).toBe(true)
    const names = list.map(({ name }) => name)
    expect(names).toEqual([...names].sort())
    expect(names).toEqual([
      'Explore',
      'Plan',
      'broken',
      'bystander',
      'claude-code-guide',
      'general-purpose',
      'reviewer',
      'statusline-setup',
    ])
    expect(list.find(({ name }) => name === 'reviewer')).toEqual({
      name: 'reviewer',
      source: 'project',
      path: '.claude/agents/reviewer.md',
      description: 'Does what reviewer does.',
      color: 'blue',
      model: 'claude-haiku-5-5',
      effort: 'high',
      tools: Object.fromEntries(['main', 'sub', 'leaf', 'background'].map((role) => [role, ['Read', 'mcp__db__*']])),
      overrides: 0,
      status: 'active',
    })
    expect(list.find(({ name }) => name === 'Explore')).toMatchObject({ source: 'project', overrides: 1, tools: { sub: ['Read'] } })
    expect(list.find(({ name }) => name === 'broken')).toMatchObject({ status: 'dropped', code: 'yaml/quotes', tools: { main: [] } })
    expect(list.find(({ name }) => name === 'bystander')).toMatchObject({ status: 'active' })
  })

  test('as text it is a table for people, with what became of the broken ones', async () => {
    const { code, out } = await agentc(['list', '--layers', 'project'], { cwd: project(MIXED) })
    expect(code).toBe(0)
    const rows = out.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())
    expect(rows).toContain('● reviewer project claude-haiku-5-5 Read, mcp__db__*')
    expect(rows).toContain('✗ broken project dropped: yaml/quotes')
    expect(rows).toContain('4 agents: 2 errors, 1 info (agentc build shows them)')
  })

  test('with nothing to find it sends nobody to another command, and counts one agent as one', async () => {
    const { out } = await agentc(['list', '--layers', 'project'], { cwd: project(agents({ reviewer: ['tools: Read'] })) })
    expect(out).toMatch(/\n1 agent: no findings\n$/)
  })

  test('without any agent it says so instead of failing', async () => {
    const { code, out } = await agentc(['list', '--layers', 'project', '--format', 'json'], { cwd: project() })
    expect({ code, out }).toEqual({ code: 0, out: '[]\n' })
  })
})
