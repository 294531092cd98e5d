import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { discoverSettings, type SettingsDiscovery } from '../../compiler/discover/settings.ts'
import type { DiscoverOptions } from '../../compiler/discover/options.ts'
import { link, optionsFor, put, temporary } from '../support/tree.ts'

function tree(...paths: string[]): string {
  const root = temporary()
  for (const path of ['project/.git/HEAD', 'project/pkg/x', ...paths]) put(root, path, path)
  return root
}

function find(root: string, more: Partial<DiscoverOptions> = {}): SettingsDiscovery {
  return discoverSettings(optionsFor(root, more))
}

const shown = ({ files }: SettingsDiscovery): string[] => files.map(({ origin }) => `${origin.source} ${origin.path}`)

const EVERYWHERE = [
  'home/.claude/settings.json',
  'project/.claude/settings.json',
  'project/.claude/settings.local.json',
  'project/pkg/.claude/settings.json',
  'project/pkg/.claude/settings.local.json',
  'managed/managed-settings.json',
  'managed/managed-settings.d/20-b.json',
  'managed/managed-settings.d/10-a.json',
  'managed/managed-settings.d/.hidden.json',
  'managed/managed-settings.d/notes.txt',
]

describe('where settings are read from', () => {
  test('every layer, lowest first; the nearest folder of the project last, local files after shared ones', () => {
    const root = tree(...EVERYWHERE)
    const found = find(root, { cwd: join(root, 'project/pkg'), settingsFlag: '{}' })
    expect(shown(found)).toEqual([
      'user settings.json',
      'project .claude/settings.json',
      'project pkg/.claude/settings.json',
      'project .claude/settings.local.json',
      'project pkg/.claude/settings.local.json',
      'flag --settings',
      'policy managed-settings.json',
      'policy managed-settings.d/10-a.json',
      'policy managed-settings.d/20-b.json',
    ])
    expect(found.folder).toBe('pkg')
    expect(found.diagnostics).toEqual([])
  })

  test.each([
    ['user', ['user settings.json']],
    ['project', ['project .claude/settings.json', 'project .claude/settings.local.json']],
    ['flag', ['flag --settings']],
    ['policy', ['policy managed-settings.json', 'policy managed-settings.d/10-a.json', 'policy managed-settings.d/20-b.json']],
    ['plugin', []],
  ] as const)('only the layer %s', (layer, expected) => {
    expect(shown(find(tree(...EVERYWHERE), { layers: [layer], settingsFlag: '{}' }))).toEqual(expected)
  })

  test('nothing where nothing is, and every place that was looked at is an input', () => {
    const root = temporary()
    put(root, 'project/.git/HEAD', '')
    const { files, diagnostics, inputs } = find(root)
    expect([files, diagnostics]).toEqual([[], []])
    expect(inputs.filter(({ kind }) => kind === 'absent').map(({ path }) => path.slice(root.length + 1))).toEqual(
      expect.arrayContaining([
        'home/.claude/settings.json',
        'project/.claude/settings.json',
        'managed/managed-settings.json',
        'managed/managed-settings.d',
      ]),
    )
  })

  test('home as the project stays user, with or without the user layer', () => {
    const root = tree('home/.claude/settings.json')
    const cwd = join(root, 'home')
    expect(shown(find(root, { cwd }))).toEqual(['user settings.json'])
    expect(shown(find(root, { cwd, layers: ['project'] }))).toEqual([])
  })

  test('a file given with --settings, with its path below the project', () => {
    const root = tree('project/conf/ci.json', 'elsewhere/s.json')
    expect(shown(find(root, { settingsFlag: 'conf/ci.json' }))).toEqual(['flag conf/ci.json'])
    expect(shown(find(root, { settingsFlag: '../elsewhere/s.json' }))).toEqual(['flag <outside>/s.json'])
  })
})

describe('settings that cannot be read', () => {
  const errors = ({ diagnostics }: SettingsDiscovery): string[] => diagnostics.map(({ code, at }) => `${code} ${at.origin.path}`)

  test('a folder in the place of a file, and a file that is not there', () => {
    const root = tree('project/.claude/settings.json/x')
    expect(errors(find(root))).toEqual(['settings/unreadable .claude/settings.json'])
    expect(errors(find(root, { settingsFlag: 'no.json', layers: ['flag'] }))).toEqual(['settings/unreadable no.json'])
  })

  test('a device is not opened', () => {
    const root = tree()
    link(root, 'project/.claude/settings.json', '/dev/zero')
    expect(errors(find(root))).toEqual(['settings/unreadable .claude/settings.json'])
  })

  test('a file over 1 MiB', () => {
    const root = tree()
    put(root, 'managed/managed-settings.json', ' '.repeat(1_048_577))
    expect(find(root).diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('managed-settings.json is larger than 1 MiB'),
    ])
  })

  test('managed-settings.d that is a file', () => {
    expect(errors(find(tree('managed/managed-settings.d')))).toEqual(['settings/unreadable managed-settings.d'])
  })

  test.skipIf(process.getuid?.() === 0)('a file without the right to read it', () => {
    const root = tree('project/.claude/settings.json')
    chmodSync(join(root, 'project/.claude/settings.json'), 0)
    expect(errors(find(root))).toEqual(['settings/unreadable .claude/settings.json'])
  })
})
