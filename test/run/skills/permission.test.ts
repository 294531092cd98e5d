import { describe, expect, test } from 'vitest'
import { PERMISSION_MODES } from '../../../schemas/values.ts'
import { type Asked, decide, type Rights } from '../../../runner/permission/decide.ts'
import { broughtBy } from '../../../runner/skills/change.ts'
import { isSafe } from '../../../runner/skills/safe.ts'
import { rule, skill } from './stage.ts'

const asked = (name: string, safe: boolean): Asked => ({ tool: 'Skill', input: { skill: name }, files: [], search: false, safe })
const rights = (more: Partial<Rights> = {}): Rights => ({
  limits: [],
  deny: [],
  ask: [],
  allow: [],
  workspace: { root: '/p', cwd: '/p', told: '/p' },
  ...more,
})
const named = (name: string) => rule('Skill', { name })
const prefix = (namePrefix: string) => rule('Skill', { namePrefix })

describe('a call of the tool Skill is decided on by the name of the skill', () => {
  const ROWS: [what: string, name: string, safe: boolean, more: Partial<Rights>, outcome: string][] = [
    ['a safe skill passes alone', 'deploy', true, {}, 'allow'],
    ['another is asked about', 'deploy', false, {}, 'ask'],
    ['a rule allows it', 'deploy', false, { allow: [named('deploy')] }, 'allow'],
    ['a rule for another does not', 'deploy', false, { allow: [named('deploys')] }, 'ask'],
    ['a rule for a prefix allows it', 'kit:deploy', false, { allow: [prefix('kit:')] }, 'allow'],
    ['a prefix is no part of a name', 'my-kit:deploy', false, { allow: [prefix('kit:')] }, 'ask'],
    ['a rule for all skills allows it', 'deploy', false, { allow: [rule('Skill')] }, 'allow'],
    ['a deny rule wins over safety', 'deploy', true, { deny: [named('deploy')] }, 'deny'],
    ['a deny rule wins over an allow rule', 'kit:deploy', true, { deny: [prefix('kit:')], allow: [named('kit:deploy')] }, 'deny'],
    ['a slash hides no skill from a deny rule', '/deploy', true, { deny: [named('deploy')] }, 'deny'],
    ['nor does another form of the same letters', 'cafe\u0301', true, { deny: [named('caf\u00e9')] }, 'deny'],
    ['an ask rule wins over safety', 'deploy', true, { ask: [named('deploy')] }, 'ask'],
    ['an ask rule wins over an allow rule', 'deploy', true, { ask: [prefix('de')], allow: [named('deploy')] }, 'ask'],
    ['a limit of the agent caps it', 'deploy', true, { limits: [named('review')] }, 'deny'],
    ['a limit allows nothing by itself', 'deploy', false, { limits: [named('deploy')] }, 'ask'],
    ['dontAsk denies what would be asked', 'deploy', false, { mode: 'dontAsk' }, 'deny'],
    ['bypassPermissions allows it', 'deploy', false, { mode: 'bypassPermissions' }, 'allow'],
    ['but not what is denied', 'deploy', false, { mode: 'bypassPermissions', deny: [named('deploy')] }, 'deny'],
    ['a rule about its arguments holds', 'deploy', true, { deny: [rule('Skill', { param: 'skill', value: 'dep*' })] }, 'deny'],
  ]
  test.each(ROWS)('%s', (_, name, safe, more, outcome) => {
    expect(decide(asked(name, safe), rights(more)).outcome).toBe(outcome)
  })

  test('a safe skill passes in every mode, and one that is not in no mode but bypassPermissions', () => {
    const outcomes = (safe: boolean) => PERMISSION_MODES.map((mode) => `${mode} ${decide(asked('x', safe), rights({ mode })).outcome}`)
    expect(new Set(outcomes(true).map((text) => text.split(' ')[1]))).toEqual(new Set(['allow']))
    expect(outcomes(false)).toEqual(['default ask', 'acceptEdits ask', 'auto ask', 'bypassPermissions allow', 'dontAsk deny', 'plan ask'])
  })

  test('who is asked is told what the skill would do beyond its text, and which rule would allow it', () => {
    const greedy = skill('deploy', { allowedTools: [rule('Bash', { prefix: ['git', 'push'] })], hooks: { Stop: [] } })
    expect(decide({ ...asked('deploy', false), brings: broughtBy(greedy) }, rights())).toMatchObject({
      reason: 'no rule allows Skill, and while it is at work it may do unasked: Bash(git push:*), and it brings hooks for Stop',
      would: { tool: 'Skill', match: { name: 'deploy' } },
    })
  })
})

test('safe is a skill that has only words and what narrows; a key that is not known is not safe', () => {
  const words = {
    whenToUse: 'w', argumentHint: 'h', arguments: ['a'], disableModelInvocation: false, userInvocable: false,
    disallowedTools: [rule('Bash')], model: 'm', contextWindow: '1m' as const, effort: 'high' as const, context: 'fork' as const,
    agent: 'a', background: true, paths: ['**'], shell: 'bash' as const,
  } // prettier-ignore
  expect(isSafe(skill('x', words))).toBe(true)
  expect(isSafe(skill('x', { allowedTools: [rule('Read')] }))).toBe(false)
  expect(isSafe(skill('x', { hooks: {} }))).toBe(false)
  expect(isSafe({ ...skill('x'), later: 1 } as never)).toBe(false)
})
