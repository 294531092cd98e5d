import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readRule, type RuleReading } from '../../compiler/permission/rule.ts'
import type { RuleList } from '../../compiler/permission/specifier.ts'
import type { SourceFile } from '../../compiler/source-file.ts'
import { AGENTC } from '../../schemas/profile.ts'
import type { Origin } from '../../schemas/source.ts'
import { ROOT } from '../support/tree.ts'

const PROJECT: Origin = { source: 'project', path: '.claude/settings.json' }

function read(text: string, list: RuleList = 'allow', origin: Origin = PROJECT): RuleReading {
  const file: SourceFile = { kind: 'settings', form: 'json', origin, text: `\n["${text}"]` }
  return readRule({ text, list, file, range: [2, 4 + text.length] }, AGENTC)
}

/** The rule without its place, and the codes of what is said about it. */
function outcome(text: string, list: RuleList = 'allow', origin: Origin = PROJECT): unknown {
  const { rule, found } = read(text, list, origin)
  const codes = found.map(({ severity, code }) => `${severity} ${code}`)
  return rule ? [rule.tool, rule.match ?? 'every call', ...codes] : codes
}

describe('a rule becomes data', () => {
  test.each<[string, RuleList, unknown]>([
    ['Bash', 'allow', ['Bash', 'every call']],
    [' Bash ', 'allow', ['Bash', 'every call']],
    ['Bash(*)', 'deny', ['Bash', 'every call']],
    ['Task(worker)', 'deny', ['Agent', { name: 'worker' }]],
    ['KillShell', 'deny', ['TaskStop', 'every call']],
    ['Bash(npm run build)', 'allow', ['Bash', { exact: 'npm run build' }]],
    ['Bash(npm  run build:*)', 'allow', ['Bash', { prefix: ['npm', 'run', 'build'] }]],
    ['Bash(npm run *)', 'allow', ['Bash', { prefix: ['npm', 'run'] }]],
    ['Bash(ls*)', 'allow', ['Bash', { wildcard: 'ls*' }]],
    ['Bash(* install)', 'allow', ['Bash', { wildcard: '* install' }]],
    ['Bash(git:* push)', 'allow', ['Bash', { wildcard: 'git:* push' }]],
    ['Bash(git * main:*)', 'allow', ['Bash', { wildcard: 'git * main *' }]],
    ['Bash(git * main:*)', 'deny', ['Bash', { wildcard: 'git * main*' }]],
    ['Bash(echo \\(a\\))', 'allow', ['Bash', { exact: 'echo (a)' }]],
    ['Bash(echo (a))', 'allow', ['Bash', { exact: 'echo (a)' }]],
    ['Bash(timeout:*)', 'deny', ['Bash', { prefix: ['timeout'] }]],
    ['PowerShell(Get-Item *)', 'allow', ['PowerShell', { prefix: ['Get-Item'] }]],
    ['Bash(run_in_background:true)', 'deny', ['Bash', { param: 'run_in_background', value: 'true' }]],
    ['Agent(model : opus*)', 'ask', ['Agent', { param: 'model', value: 'opus*' }]],
    ['Agent(kit:helper)', 'deny', ['Agent', { name: 'kit:helper' }]],
    ['Skill(review)', 'allow', ['Skill', { name: 'review' }]],
    ['Skill(/review *)', 'allow', ['Skill', { name: 'review' }]],
    ['Skill(review:*)', 'allow', ['Skill', { namePrefix: 'review:' }]],
    ['WebFetch(domain:Example.ORG.)', 'allow', ['WebFetch', { domain: 'example.org' }]],
    ['WebFetch(domain:*.example.org)', 'allow', ['WebFetch', { domain: '*.example.org' }]],
    ['WebFetch(domain:*)', 'allow', ['WebFetch', 'every call']],
    ['mcp__db', 'allow', ['mcp__db__*', 'every call']],
    ['mcp__db__*', 'deny', ['mcp__db__*', 'every call']],
    ['mcp__db__query', 'allow', ['mcp__db__query', 'every call']],
    ['mcp__my server__query', 'allow', ['mcp__my_server__query', 'every call']],
    ['mcp__db__get_*', 'allow', ['mcp__db__get_*', 'every call']],
    ['mcp__*', 'deny', ['mcp__*', 'every call']],
    ['*', 'deny', ['*', 'every call']],
    ['Web*', 'ask', ['Web*', 'every call']],
    ['my_tool', 'deny', ['my_tool', 'every call']],
    ['Monitor', 'allow', ['Monitor', 'every call']],
    ['MultiEdit', 'allow', ['MultiEdit', 'every call']],
  ])('%s under %s', (text, list, expected) => {
    expect(outcome(text, list)).toEqual(expected)
  })
})

describe('the anchor of a path', () => {
  const local: Origin = { source: 'project', path: '.claude/settings.local.json' }
  test.each<[string, RuleList, Origin, unknown]>([
    ['//etc/**', 'allow', PROJECT, { path: '/etc/**', anchor: 'root' }],
    ['~/.ssh/**', 'deny', PROJECT, { path: '/.ssh/**', anchor: 'home' }],
    ['~', 'deny', PROJECT, { path: '/', anchor: 'home' }],
    ['/docs', 'deny', PROJECT, { path: '/docs', anchor: 'source' }],
    ['/docs', 'deny', local, { path: '/docs', anchor: 'cwd' }],
    ['/docs', 'deny', { source: 'flag', path: '--settings' }, { path: '/docs', anchor: 'cwd' }],
    ['/docs', 'deny', { source: 'flag', path: 'conf/s.json' }, { path: '/docs', anchor: 'source' }],
    ['/docs', 'deny', { source: 'user', path: 'settings.json' }, { path: '/docs', anchor: 'source' }],
    ['.env', 'deny', PROJECT, { path: '.env', anchor: 'cwd' }],
    ['./.env', 'deny', PROJECT, { path: '.env', anchor: 'cwd' }],
    ['src/**', 'allow', PROJECT, { path: 'src/**', anchor: 'cwd' }],
    ['src/**', 'deny', PROJECT, { path: '**/src/**', anchor: 'cwd' }],
    ['src/**', 'ask', PROJECT, { path: '**/src/**', anchor: 'cwd' }],
    ['src/a/**', 'deny', PROJECT, { path: 'src/a/**', anchor: 'cwd' }],
  ])('Read(%s) under %s', (path, list, origin, match) => {
    expect(outcome(`Read(${path})`, list, origin)).toEqual(['Read', match])
  })

  test.each<[Origin, RuleList]>([
    [{ source: 'policy', path: 'managed-settings.json' }, 'deny'],
    [{ source: 'flag', path: '<outside>/s.json' }, 'allow'],
  ])('counts from a folder that a manifest cannot name: %o', (origin, list) => {
    expect(outcome('Read(/x)', list, origin)).toEqual(['Read', { path: '/x', anchor: 'source' }, 'warning permission/anchor'])
  })
})

describe('a rule that cannot be', () => {
  test.each([
    '',
    '  ',
    'Bash(rm',
    'Bash)',
    '(rm)',
    'Bash(rm) x',
    'Bash()',
    'Bash( )',
    'Bash(:*)',
    'Ba sh',
    'mcp__',
    'mcp__db(x)',
    'mcp__db__q(a:b)',
    'Read(../x)',
  ])('is a warning under allow and an error where it was to restrict: %j', (text) => {
    expect(outcome(text, 'allow')).toEqual(['warning permission/malformed'])
    expect(outcome(text, 'deny')).toEqual(['error permission/lost-restriction'])
    expect(outcome(text, 'ask')).toEqual(['error permission/lost-restriction'])
  })

  test.each(['*', 'Web*', 'mcp__*', 'mcp__d*__query'])('is a star under allow without the full name of a server: %s', (text) => {
    expect(outcome(text, 'allow')).toEqual(['warning permission/never-matches'])
    expect(read(text, 'deny').found).toEqual([])
  })

  test('is a star with brackets behind it', () => {
    expect(outcome('*(x)', 'deny')).toEqual(['error permission/lost-restriction'])
  })
})

describe('a rule that never matches', () => {
  test.each<[string, RuleList]>([
    ['Bash(command:rm x)', 'deny'],
    ['Read(file_path:/x)', 'deny'],
    ['WebFetch(url:http://x)', 'ask'],
    ['WebFetch(example.com)', 'deny'],
    ['WebSearch(cats)', 'deny'],
    ['Agent(model:opus)', 'allow'],
    ['Bash(run_in_background:true)', 'allow'],
    ['Write(src/**)', 'allow'],
    ['Glob(src/**)', 'allow'],
  ])('%s under %s is left out', (text, list) => {
    expect(outcome(text, list)).toEqual(['warning permission/never-matches'])
  })

  test.each(['Write', 'NotebookEdit', 'MultiEdit', 'Glob', 'Grep'])(
    'a path of %s that restricts is kept, because agentc enforces it',
    (tool) => {
      expect(outcome(`${tool}(a/b)`, 'deny')).toEqual([tool, { path: 'a/b', anchor: 'cwd' }, 'warning permission/never-matches'])
    },
  )
})

describe('a tool that does not exist', () => {
  test('is a warning, and an error if a restriction is lost by a misspelling', () => {
    expect(outcome('bash(ls)', 'allow')).toEqual(['bash', { exact: 'ls' }, 'warning permission/unknown-tool'])
    expect(read('bash(ls)').found[0]!.help).toBe('Did you mean `Bash`?')
    expect(outcome('bash(ls)', 'deny')).toEqual(['error permission/lost-restriction'])
    expect(outcome('Wirte', 'ask')).toEqual(['error permission/lost-restriction'])
    expect(outcome('SomethingNew', 'deny')).toEqual(['SomethingNew', 'every call', 'warning permission/unknown-tool'])
  })
})

test('an exception makes an allow rule too wide, which is an error, and any other only too strict', () => {
  expect(outcome('Read(!x)', 'allow')).toEqual(['error permission/lost-restriction'])
  expect(outcome('Read(!x)', 'deny')).toEqual(['warning permission/exception'])
})

test('a rule and what is said about it have the place of the text', () => {
  expect(read('Bash(ls)').rule!.origin).toEqual({ ...PROJECT, line: 2, column: 2 })
  expect(read('Bash(', 'deny').found[0]!.at.range).toEqual([2, 9])
})

test('every form of rule in the observations of the real program is understood without a finding', () => {
  const folder = join(ROOT, 'test/conformance/permissions')
  const all = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { settings: { permissions?: Record<RuleList, string[]> } },
  )
  const rules = all.flatMap(({ settings }) => Object.entries(settings.permissions ?? {}) as [RuleList, string[]][])
  expect(rules.length).toBeGreaterThan(4)
  for (const [list, texts] of rules) for (const text of texts) expect(read(text, list).found, text).toEqual([])
})
