import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile, type Compilation } from '../../compiler/compile.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { agent } from '../support/bin.ts'
import { optionsFor, put, temporary } from '../support/tree.ts'

const hook = (command: string, event = 'PreToolUse') => ({ hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } })

async function compiled(files: Record<string, string | object>): Promise<Compilation> {
  const root = temporary()
  put(root, 'project/.git/HEAD', '')
  put(root, 'project/.claude/agents/a.md', agent('a'))
  for (const [path, file] of Object.entries(files)) put(root, path, typeof file === 'string' ? file : JSON.stringify(file, null, 1))
  if (files['kit/check.sh'] !== undefined) chmodSync(join(root, 'kit/check.sh'), 0o755)
  return compile({ ...optionsFor(root), pluginDirs: [join(root, 'kit')] })
}

const found = ({ diagnostics }: Compilation): string[] =>
  diagnostics.map(({ severity, code, at }) => `${severity} ${code} ${at.origin.path} ${at.text.slice(...at.range)}`)

describe('hooks of plugins', () => {
  test('come into the manifest behind those of the settings, each with its place', async () => {
    const compilation = await compiled({
      'kit/hooks/hooks.json': hook('from-plugin'),
      'home/.claude/settings.json': hook('from-settings'),
    })
    const { header } = readManifest(manifestText(compilation))
    const groups = header.hooks.PreToolUse!
    expect(groups.map(({ handlers }) => handlers)).toEqual([
      [{ type: 'command', command: 'from-settings' }],
      [{ type: 'command', command: 'from-plugin' }],
    ])
    expect(groups[1]!.origin).toEqual({ source: 'plugin', plugin: 'kit', path: 'hooks/hooks.json', line: 4, column: 4 })
    expect(found(compilation)).toEqual([])
  })

  test('are read from files that the manifest of the plugin names, and from the manifest itself', async () => {
    const named = await compiled({
      'kit/.claude-plugin/plugin.json': { name: 'kit', hooks: './more.json' },
      'kit/hooks/hooks.json': hook('usual'),
      'kit/more.json': hook('named', 'Stop'),
    })
    expect(Object.keys(named.settings.hooks)).toEqual(['PreToolUse', 'Stop'])
    for (const hooks of [hook('inline'), hook('inline').hooks]) {
      const inline = await compiled({ 'kit/.claude-plugin/plugin.json': { name: 'kit', hooks } })
      expect(inline.settings.hooks.PreToolUse![0]!.handlers).toEqual([{ type: 'command', command: 'inline' }])
      expect(inline.settings.hooks.PreToolUse![0]!.origin!.path).toBe('.claude-plugin/plugin.json')
      expect(found(inline)).toEqual([])
    }
  })

  test.each([
    [{ disableAllHooks: true }, 'disableAllHooks'],
    [{ allowManagedHooksOnly: true }, 'allowManagedHooksOnly'],
  ])('do not count under %j, which is said at their place', async (managed, key) => {
    const compilation = await compiled({ 'kit/hooks/hooks.json': hook('x'), 'managed/managed-settings.json': managed })
    expect(compilation.settings.hooks).toEqual({})
    expect(compilation.settings.hookCommands).toEqual([])
    expect(found(compilation)).toEqual(['info settings/switched-off hooks/hooks.json "hooks"'])
    expect(compilation.diagnostics[0]!.message).toContain(`\`${key}\``)
  })

  test('still count where only plugins may bring hooks, and those of user, project and agents do not', async () => {
    const compilation = await compiled({
      'kit/hooks/hooks.json': hook('from-plugin'),
      'home/.claude/settings.json': hook('from-user'),
      'project/.claude/settings.json': hook('from-project'),
      'project/.claude/agents/b.md': agent('b', 'hooks:', '  Stop:', '    - hooks:', '        - command: from-agent'),
      'project/.claude/skills/s/SKILL.md':
        '---\nname: s\ndescription: A skill.\nhooks:\n  Stop:\n    - hooks:\n        - command: from-skill\n---\n\nText.\n',
      'managed/managed-settings.json': { strictPluginOnlyCustomization: ['hooks'] },
    })
    expect(manifestText(compilation)).not.toMatch(/from-(?:user|project|agent|skill)/)
    expect(compilation.settings.hookCommands.map(({ value }) => value)).toEqual(['from-plugin'])
    expect(compilation.diagnostics.map(({ code, at }) => `${code} ${at.origin.source}`).sort()).toEqual([
      'settings/switched-off project',
      'settings/switched-off project',
      'settings/switched-off project',
      'settings/switched-off user',
    ])
  })

  test('what is wrong in them is said at its place, and stops nobody', async () => {
    const wrong = { hooks: { BeforeTool: [], Stop: [{ hooks: [{ type: 'command' }] }] } }
    expect(found(await compiled({ 'kit/hooks/hooks.json': wrong }))).toEqual([
      'warning hook/unknown-event hooks/hooks.json "BeforeTool"',
      'warning hook/incomplete hooks/hooks.json "type"',
    ])
    for (const text of ['{', '[]', '{ "PreToolUse": [] }']) {
      const compilation = await compiled({ 'kit/hooks/hooks.json': text })
      expect(found(compilation)[0], text).toContain('warning plugin/invalid-hooks hooks/hooks.json')
      expect(compilation.resolution.agents.has('a')).toBe(true)
    }
  })

  test('a script in the folder of the plugin has to be there and may be executed', async () => {
    const commands = [
      '${CLAUDE_PLUGIN_ROOT}/check.sh',
      '"${CLAUDE_PLUGIN_ROOT}"/gone.sh',
      './not-looked-at.sh',
      'bash $CLAUDE_PLUGIN_ROOT/check.sh',
    ]
    const hooks = { hooks: { Stop: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] } }
    const compilation = await compiled({ 'kit/hooks/hooks.json': hooks, 'kit/check.sh': '#!/bin/sh\n' })
    expect(found(compilation)).toEqual(['warning hook/script-missing hooks/hooks.json "\\"${CLAUDE_PLUGIN_ROOT}\\"/gone.sh"'])
  })
})

describe('skills of people and projects', () => {
  test('do not count where only plugins may bring some', async () => {
    const skill = (name: string) => `---\nname: ${name}\ndescription: A skill.\n---\n\nText.\n`
    const compilation = await compiled({
      'project/.claude/skills/mine/SKILL.md': skill('mine'),
      'project/.claude/commands/go.md': 'Go on.\n',
      'kit/skills/theirs/SKILL.md': skill('theirs'),
      'managed/managed-settings.json': { strictPluginOnlyCustomization: ['skills'] },
    })
    expect([...compilation.skills.skills.keys()]).toEqual(['kit:theirs', 'write-agent'])
    expect([...compilation.skills.commands.keys()]).toEqual([])
    expect(found(compilation).map((line) => line.trim())).toEqual([
      'info settings/switched-off .claude/commands/go.md',
      'info settings/switched-off .claude/skills/mine/SKILL.md',
    ])
  })
})
