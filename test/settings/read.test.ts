import { describe, expect, test } from 'vitest'
import { readSettings } from '../../compiler/settings/read.ts'
import type { SettingsReading } from '../../compiler/settings/settings.ts'
import type { SourceFile } from '../../compiler/source-file.ts'
import { CLAUDE_CODE } from '../../schemas/claude-code.ts'
import { AGENTC, type Profile } from '../../schemas/profile.ts'
import type { Source } from '../../schemas/source.ts'

const PATHS: Partial<Record<Source, string>> = {
  user: 'settings.json',
  project: '.claude/settings.json',
  policy: 'managed-settings.json',
  flag: '--settings',
}

function file(source: Source, value: unknown, path = PATHS[source]!): SourceFile {
  return {
    kind: 'settings',
    form: 'json',
    origin: { source, path },
    text: typeof value === 'string' ? value : JSON.stringify(value, null, 1),
  }
}

function read(...files: SourceFile[]): SettingsReading {
  return readSettings(files, AGENTC)
}

const codes = ({ diagnostics }: SettingsReading): string[] =>
  diagnostics.map(({ severity, code, at }) => `${severity} ${code} ${at.text.slice(...at.range)}`)

describe('several files', () => {
  test('lists add up, lowest first, and keep the place of every rule', () => {
    const { settings } = read(
      file('user', { permissions: { allow: ['Bash(ls:*)'], deny: ['WebFetch'] } }),
      file('project', { permissions: { allow: ['Bash(ls:*)'], ask: ['Bash(git push:*)'], additionalDirectories: ['../docs'] } }),
    )
    const places = settings.permissions.allow.map(({ origin }) => `${origin!.source} ${origin!.path}:${origin!.line}:${origin!.column}`)
    expect(places).toEqual(['user settings.json:4:4', 'project .claude/settings.json:4:4'])
    expect(settings.permissions.deny).toEqual([{ tool: 'WebFetch', origin: { source: 'user', path: 'settings.json', line: 7, column: 4 } }])
    expect(settings.permissions.ask[0]!.match).toEqual({ prefix: ['git', 'push'] })
    expect(settings.values.additionalDirectories).toEqual([
      { value: '../docs', origin: { source: 'project', path: '.claude/settings.json', line: 10, column: 4 } },
    ])
  })

  test('of any other value that of the highest file counts, and the others are kept for explain', () => {
    const { settings } = read(
      file('user', { permissions: { defaultMode: 'acceptEdits' }, agent: 'a', env: { A: '1', B: '1' }, enabledPlugins: { 'x@m': true } }),
      file('project', {
        permissions: { defaultMode: 'manual' },
        env: { B: 2, C: true },
        enabledPlugins: { 'x@m': false, 'y@m': ['1.0.0'] },
      }),
      file('policy', { agent: 'b' }),
    )
    const { values, enabledPlugins, written } = settings
    expect([values.defaultMode!.value, values.agent!.value, values.agent!.origin.source]).toEqual(['default', 'b', 'policy'])
    expect(Object.entries(values.env).map(([name, { value, origin }]) => `${name}=${value} ${origin.source}`)).toEqual([
      'A=1 user',
      'B=2 project',
      'C=true project',
    ])
    expect([...enabledPlugins].map(([name, { value }]) => [name, value])).toEqual([
      ['x@m', false],
      ['y@m', true],
    ])
    expect(written.get('agent')!.map(({ value }) => value)).toEqual(['a', 'b'])
  })

  test('hooks of all files stand under their event, each group with its place', () => {
    const group = (command: string) => ({ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] })
    const { settings, diagnostics } = read(file('user', { hooks: group('./a.sh') }), file('project', { hooks: group('./b.sh') }))
    expect(diagnostics).toEqual([])
    expect(settings.hooks.PreToolUse!.map(({ origin, handlers }) => [origin!.source, origin!.line, handlers])).toEqual([
      ['user', 4, [{ type: 'command', command: './a.sh' }]],
      ['project', 4, [{ type: 'command', command: './b.sh' }]],
    ])
  })

  test('approvals of servers', () => {
    const { settings } = read(
      file('user', { enabledMcpjsonServers: ['a'] }),
      file('project', { enableAllProjectMcpServers: true, disabledMcpjsonServers: ['b'] }),
    )
    const { enableAll, enabled, disabled } = settings.servers
    expect([enableAll!.value, enabled.map(({ value }) => value), disabled.map(({ value }) => value)]).toEqual([true, ['a'], ['b']])
  })

  test('the same rule twice in one list is one rule, without a word', () => {
    const reading = read(file('user', { permissions: { allow: ['Bash(ls:*)', 'Bash(ls *)'] } }))
    expect([reading.settings.permissions.allow.length, codes(reading)]).toEqual([1, []])
  })

  test('an allow rule that a deny rule of another file makes dead is said', () => {
    const reading = read(
      file('user', { permissions: { deny: ['mcp__db'] } }),
      file('project', { permissions: { allow: ['mcp__db__query'] } }),
    )
    expect(codes(reading)).toEqual(['info permission/dead-allow "mcp__db__query"'])
    expect(reading.diagnostics[0]!.related![0]!.at.origin.source).toBe('user')
  })
})

describe('what is wrong in one file', () => {
  test.each<[string, string[]]>([
    ['', []],
    ['  \n', []],
    ['{}', []],
    ['{"whatever":1,"Deny":[]}', []],
    ['{', ['error settings/invalid-json ']],
    ['[]', ['error settings/invalid-json [']],
    ['{"permissions":[]}', ['error settings/lost-restriction []']],
    ['{"permissions":{"deny":"Bash"}}', ['error settings/lost-restriction "Bash"']],
    ['{"permissions":{"ask":{}}}', ['error settings/lost-restriction {}']],
    ['{"permissions":{"allow":"Bash"}}', ['warning settings/invalid-value "Bash"']],
    ['{"permissions":{"deny":[7]}}', ['error permission/lost-restriction 7']],
    ['{"permissions":{"allow":[null]}}', ['warning permission/malformed null']],
    ['{"permissions":{"Deny":["Bash"]}}', ['error settings/lost-restriction "Deny"']],
    ['{"permissions":{"asks":["Bash"]}}', ['error settings/lost-restriction "asks"']],
    ['{"permissions":{"default_mode":"plan"}}', ['warning settings/misspelt-key "default_mode"']],
    ['{"permissions":{"note":1}}', []],
    ['{"permission":{"deny":["Bash"]}}', ['error settings/lost-restriction "permission"']],
    ['{"permissions":{},"permission":{}}', []],
    ['{"hook":7}', []],
    ['{"permissions":{"defaultMode":"yolo"}}', ['warning settings/invalid-value "yolo"']],
    ['{"permissions":{"disableBypassPermissionsMode":true}}', ['error settings/lost-restriction true']],
    ['{"permissions":{"additionalDirectories":["a",1]}}', ['warning settings/invalid-value 1']],
    ['{"permissions":{"deny":[],"deny":[]}}', ['error settings/duplicate-key "deny"']],
    [
      '{"env":[],"agent":"","enabledPlugins":[]}',
      ['warning settings/invalid-value []', 'warning settings/invalid-value ""', 'warning settings/invalid-value []'],
    ],
    ['{"env":{"A":{}},"enabledPlugins":{"a":"yes"}}', ['warning settings/invalid-value {}', 'warning settings/invalid-value "yes"']],
    ['{"hooks":[]}', ['error hook/type []']],
    ['{"hooks":{"PreTool":[]}}', ['warning hook/unknown-event "PreTool"']],
    ['{"disableAllHooks":"yes"}', ['warning settings/invalid-value "yes"']],
    ['{"allowManagedPermissionRulesOnly":true}', ['warning settings/managed-only "allowManagedPermissionRulesOnly"']],
  ])('%s', (text, expected) => {
    expect(codes(read(file('project', text)))).toEqual(expected)
  })

  test('one bad file does not hide the others', () => {
    const reading = read(file('user', '{'), file('project', { permissions: { deny: ['Bash'] } }))
    expect(reading.settings.permissions.deny).toHaveLength(1)
  })

  test('a managed switch of a wrong type is an error', () => {
    expect(codes(read(file('policy', { allowManagedHooksOnly: 'true', strictPluginOnlyCustomization: 1 })))).toEqual([
      'error settings/lost-restriction "true"',
      'error settings/lost-restriction 1',
    ])
  })
})

test('a kind of customisation that is nearly a real one restricts nothing, and others are left to other programs', () => {
  const kinds = { strictPluginOnlyCustomization: ['agent', 'Hooks', 'skills', 'outputStyles'] }
  expect(codes(read(file('policy', kinds)))).toEqual(['error settings/lost-restriction "agent"', 'error settings/lost-restriction "Hooks"'])
})

describe('switches', () => {
  const HOOKS = { Stop: [{ hooks: [{ type: 'command', command: './x' }] }] }

  test('where only managed rules count, other allow rules are left out and said; what restricts stays', () => {
    const own = file('project', { permissions: { allow: ['WebSearch'], ask: ['Edit'], deny: ['Bash'] } })
    const reading = read(own, file('policy', { allowManagedPermissionRulesOnly: true, permissions: { allow: ['Read'] } }))
    const { allow, ask, deny } = reading.settings.permissions
    expect([allow, ask, deny].map((list) => list.map(({ tool }) => tool))).toEqual([['Read'], ['Edit'], ['Bash']])
    expect(codes(reading)).toEqual(['info settings/switched-off "allow"'])
  })

  test('where only managed hooks count, others are left out and said', () => {
    const reading = read(file('user', { hooks: HOOKS }), file('policy', { allowManagedHooksOnly: true, hooks: HOOKS }))
    expect(reading.settings.hooks.Stop!.map(({ origin }) => origin!.source)).toEqual(['policy'])
    expect(codes(reading)).toEqual(['info settings/switched-off "hooks"'])
  })

  test('a project can switch off all hooks but the managed ones, managed settings those too', () => {
    const [own, managed] = [file('project', { disableAllHooks: true, hooks: HOOKS }), file('policy', { hooks: HOOKS })]
    expect(read(own, managed).settings.hooks.Stop!.map(({ origin }) => origin!.source)).toEqual(['policy'])
    expect(read(managed, file('policy', { disableAllHooks: true }, 'managed-settings.d/1.json')).settings.hooks).toEqual({})
    expect(read(own, file('policy', { disableAllHooks: false })).settings.hooks.Stop).toHaveLength(1)
  })

  test('bypassPermissions that any file disables is no default', () => {
    const reading = read(
      file('user', { permissions: { disableBypassPermissionsMode: 'disable' } }),
      file('flag', { permissions: { defaultMode: 'bypassPermissions' } }),
    )
    expect(reading.settings.values).toMatchObject({ bypassDisabled: true })
    expect(reading.settings.values.defaultMode).toBeUndefined()
    expect(codes(reading)).toEqual(['info settings/switched-off "bypassPermissions"'])
  })
})

describe('secrets under env', () => {
  test('are in no value, no text and no finding', () => {
    const reading = read(
      file(
        'user',
        '{"env": {"API_KEY": "hunter22", "DB_PASSWORD": "hunter22", "GH_TOKEN": "${GH_TOKEN}", "KEYBOARD": "us", "TOKENS": 7}, "agent": 1}',
      ),
    )
    expect(JSON.stringify([reading.settings.values, [...reading.settings.written], reading.diagnostics])).not.toContain('hunter22')
    expect(Object.entries(reading.settings.values.env).map(([name, { value }]) => `${name}=${value}`)).toEqual([
      'API_KEY=${API_KEY}',
      'DB_PASSWORD=${DB_PASSWORD}',
      'GH_TOKEN=${GH_TOKEN}',
      'KEYBOARD=us',
      'TOKENS=7',
    ])
    expect(codes(reading)).toEqual([
      'warning settings/secret-env "API_KEY"',
      'warning settings/secret-env "DB_PASSWORD"',
      'warning settings/invalid-value 1',
    ])
  })
})

describe('with a target', () => {
  const host = (profile: Profile, folder: string, ...files: SourceFile[]) => readSettings(files, profile, folder)
  const own = { permissions: { allow: ['WebSearch'], deny: ['Bash'], defaultMode: 'auto', additionalDirectories: ['/x'] }, env: { A: '1' } }

  test('what a project cannot set is said, and nothing of it without a target', () => {
    expect(codes(host(CLAUDE_CODE, '', file('project', own)))).toEqual([
      'info host/needs-trust "env"',
      'info host/needs-trust "allow"',
      'info host/needs-trust "/x"',
      'warning host/ignores-setting "auto"',
    ])
    expect(codes(host(AGENTC, '', file('project', own)))).toEqual([])
    expect(codes(host(CLAUDE_CODE, '', file('user', own)))).toEqual([])
  })

  test('shared settings of another folder than the one it is started in do not count, local ones of the root do', () => {
    const deny = (tool: string) => ({ permissions: { deny: [tool] } })
    const files = [
      file('project', deny('Bash')),
      file('project', deny('Edit'), 'pkg/.claude/settings.json'),
      file('project', deny('Write'), '.claude/settings.local.json'),
    ]
    const tools = (reading: SettingsReading) => reading.settings.permissions.deny.map(({ tool }) => tool)
    const reading = host(CLAUDE_CODE, 'pkg', ...files)
    expect([tools(reading), codes(reading)]).toEqual([['Edit', 'Write'], ['warning host/ignores-setting ']])
    expect(tools(host(AGENTC, 'pkg', ...files))).toEqual(['Bash', 'Edit', 'Write'])
  })

  test('where only managed rules count, that program drops the restrictions of others too', () => {
    const reading = host(
      CLAUDE_CODE,
      '',
      file('user', { permissions: { deny: ['Bash'] } }),
      file('policy', { allowManagedPermissionRulesOnly: true }),
    )
    expect([reading.settings.permissions.deny, codes(reading)]).toEqual([[], ['info settings/switched-off "deny"']])
  })
})
