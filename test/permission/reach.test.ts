import { describe, expect, test } from 'vitest'
import { settingsDeny, settingsMcpDeny } from '../../compiler/permission/deny.ts'
import { starFits } from '../../schemas/star.ts'
import { includes } from '../../compiler/permission/reach.ts'
import { readRule } from '../../compiler/permission/rule.ts'
import { AGENTC } from '../../schemas/profile.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'

function rule(text: string, list: 'allow' | 'deny'): Rule {
  const file = { kind: 'settings', form: 'json', origin: { source: 'project', path: '.claude/settings.json' }, text } as const
  return readRule({ text, list, file, range: [0, text.length] }, AGENTC).rule!
}

const denials = (...texts: string[]): Rule[] => texts.map((text) => rule(text, 'deny'))

describe('whether a deny rule makes an allow rule dead', () => {
  test.each([
    ['Bash', 'Bash(git status:*)', true],
    ['*', 'Read(x)', true],
    ['Bash(git:*)', 'Bash(git push:*)', true],
    ['Bash(git:*)', 'Bash(git push)', true],
    ['Bash(git push:*)', 'Bash(git:*)', false],
    ['Bash(git:*)', 'Bash(gitk:*)', false],
    ['Bash(rm*)', 'Bash(rmdir x)', true],
    ['Bash(rm x)', 'Bash(rm x)', true],
    ['Bash(rm x)', 'Bash', false],
    ['Read(src/**)', 'Read(src/**)', true],
    ['Read(/x)', 'Read(/x)', true],
    ['Read(src/**)', 'Read(./a)', false],
    ['mcp__db', 'mcp__db__query', true],
    ['mcp__*', 'mcp__db__get_*', true],
    ['mcp__db__query', 'mcp__db', false],
    ['Agent(a)', 'Agent(a)', true],
    ['Skill(review:*)', 'Skill(review:x)', true],
    ['WebFetch(domain:a.org)', 'WebFetch(domain:a.org)', true],
    ['WebFetch(domain:a.org)', 'WebFetch(domain:b.org)', false],
    ['Read', 'Edit(x)', false],
  ])('deny %s, allow %s: %s', (deny, allow, dead) => {
    expect(includes(rule(deny, 'deny'), rule(allow, 'allow'))).toBe(dead)
  })

  test('a path from the folder of the settings is another one in the settings of another folder', () => {
    const [deny] = denials('Read(/x)')
    const other: Rule = { ...rule('Read(/x)', 'allow'), origin: { source: 'user', path: 'settings.json', line: 1, column: 1 } }
    expect(includes(deny!, other)).toBe(false)
  })
})

describe('what deny rules take from everyone', () => {
  test('whole tools, by name, alias or star, and never because of a rule with brackets', () => {
    expect([...settingsDeny(denials('Bash', 'Task', 'Read(x)', 'mcp__db'), AGENTC)]).toEqual(['Agent', 'Bash'])
    expect([...settingsDeny(denials('Web*'), AGENTC)]).toEqual(['WebFetch', 'WebSearch'])
    expect(settingsDeny(denials('*'), AGENTC).size).toBe(AGENTC.tools.length)
  })

  test.each<[string[], unknown]>([
    [
      ['Bash', 'mcp__db', 'mcp__x__drop'],
      [
        { server: 'db', tool: '*' },
        { server: 'x', tool: 'drop' },
      ],
    ],
    [['mcp__*'], 'all'],
    [['mcp__*__*'], 'all'],
    [['*'], 'all'],
    [['Web*'], []],
  ])('MCP tools: %j', (texts, expected) => {
    expect(settingsMcpDeny(denials(...texts))).toEqual(expected)
  })
})

test.each([
  ['a', 'a', true],
  ['a', 'ab', false],
  ['a*', 'a', true],
  ['*a', 'ba', true],
  ['a*a', 'a', false],
  ['a*b*c', 'axxbyyc', true],
  ['a*b*c', 'acb', false],
  ['a.c', 'abc', false],
])('%s fits %s: %s', (pattern, name, expected) => {
  expect(starFits(pattern, name)).toBe(expected)
})

test('a pattern of stars that is made to be slow is answered', () => {
  expect(starFits(`${'*a'.repeat(2000)}b`, 'a'.repeat(20_000))).toBe(false)
})
