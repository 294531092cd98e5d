import { expect, test } from 'vitest'
import { readRule } from '../../compiler/permission/rule.ts'
import { AGENTC } from '../../schemas/profile.ts'
import { ruleText } from '../../schemas/rule-text.ts'
import type { Rule } from '../../schemas/shapes/permission.ts'

function read(text: string, path = '.claude/settings.json', list: 'allow' | 'deny' = 'allow'): Rule {
  const file = { kind: 'settings' as const, origin: { source: 'project' as const, path }, text: '', hash: '' }
  return readRule({ text, list, file: file as never, range: [0, 0] }, AGENTC).rule!
}

test.each([
  'Bash',
  'Bash(npm test)',
  'Bash(git push:*)',
  'Bash(git * main)',
  'Read(src/**)',
  'Read(.env)',
  'Read(/src/**)',
  'Read(//etc/hosts)',
  'Read(~/notes/**)',
  'Read(./~/notes)',
  'Edit(~x)',
  'WebFetch(domain:*.example.com)',
  'Skill(review)',
  'Skill(kit:*)',
  'Agent(Explore)',
  'mcp__db__*',
])('%s is written as it was read', (text) => {
  expect(ruleText(read(text))).toBe(text)
})

test('a parameter, of which only rules that restrict can say something, is written as it was read', () => {
  expect(ruleText(read('Agent(model:opus)', undefined, 'deny'))).toBe('Agent(model:opus)')
})

test('a slash that counts from the working directory stays: without it the rule would be about every depth', () => {
  const rule = read('Read(/notes)', '.claude/settings.local.json')
  expect(rule.match).toEqual({ path: '/notes', anchor: 'cwd' })
  expect(ruleText(rule)).toBe('Read(/notes)')
})
