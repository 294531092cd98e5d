import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../../../compiler/compile.ts'
import { manifestText as textOf } from '../../../compiler/emit/manifest-of.ts'
import type { ManifestSkill } from '../../../schemas/shapes/manifest.ts'
import { skillPlace } from '../../../runner/skills/folder.ts'
import { openWorkspace } from '../../../runner/workspace.ts'
import { optionsFor, temporary } from '../../support/tree.ts'
import { read } from '../calls.ts'
import { on } from '../hooks/stage.ts'
import { agentcRun } from '../kept.ts'
import { manifestText, startOf } from '../manifest-fixture.ts'
import { fakeApi, toolResults } from '../stage.ts'
import { callSkill, ran, rule, skill } from './stage.ts'

/** A skill `notes` of a layer, with a file beside it, and the folders that a run knows. */
async function laid(origin: Partial<ManifestSkill['origin']>) {
  const root = temporary()
  const [cwd, home, plugin, managed] = ['project', 'home', 'kit', 'managed'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const at of [join(cwd, '.claude'), join(home, '.claude'), plugin, join(managed, '.claude')]) {
    mkdirSync(join(at, 'skills/notes'), { recursive: true })
    writeFileSync(join(at, 'skills/notes/more.md'), 'MORE')
  }
  writeFileSync(join(root, 'private.txt'), 'PRIVATE')
  const inside = { user: '', plugin: '', project: '.claude/', policy: '.claude/', builtin: '', flag: '' }
  const source = origin.source ?? 'project'
  const notes = skill('notes', { origin: { path: `${inside[source]}skills/notes/SKILL.md`, source, ...origin } })
  const workspace = { ...(await openWorkspace(cwd, home)), plugins: { kit: plugin }, managed }
  return { root, cwd, home, plugin, managed, notes, workspace }
}

describe('the folder of a skill', () => {
  test('is relative in the project, and absolute where the person, a plugin or policy has it', async () => {
    const of = async (origin: Partial<ManifestSkill['origin']>) => {
      const { root, notes, workspace } = await laid(origin)
      const { folder, opens } = await skillPlace(notes, workspace)
      return [folder?.replace(root, ''), opens?.replace(root, '')]
    }
    expect(await of({})).toEqual(['.claude/skills/notes', undefined])
    expect(await of({ source: 'user' })).toEqual(['/home/.claude/skills/notes', '/home/.claude/skills/notes'])
    expect(await of({ source: 'plugin', plugin: 'kit' })).toEqual(['/kit/skills/notes', '/kit/skills/notes'])
    expect(await of({ source: 'plugin', plugin: 'other' })).toEqual([undefined, undefined])
    expect(await of({ source: 'policy' })).toEqual(['/managed/.claude/skills/notes', '/managed/.claude/skills/notes'])
    expect(await of({ checkout: 'main' })).toEqual([undefined, undefined])
  })

  test('of a plugin that leads out of the plugin is none, and one of a project opens nothing elsewhere', async () => {
    const { root, plugin, cwd, notes, workspace } = await laid({ source: 'plugin', plugin: 'kit' })
    symlinkSync(root, join(plugin, 'skills/linked'))
    const linked = { ...notes, origin: { ...notes.origin, path: 'skills/linked/SKILL.md' } }
    expect(await skillPlace(linked, workspace)).toEqual({})
    symlinkSync(root, join(cwd, '.claude/skills/linked'))
    const own = { ...notes, origin: { source: 'project' as const, path: '.claude/skills/linked/SKILL.md' } }
    expect(await skillPlace(own, workspace)).toEqual({ folder: '.claude/skills/linked' })
  })
})

describe('files of a skill that lies outside the project', () => {
  test('may be read from the call of the skill on, by tools and by commands that read; nothing else beside them may, nor be written', async () => {
    const { home, cwd, root, notes } = await laid({ source: 'user' })
    const more = join(home, '.claude/skills/notes/more.md')
    const calls = [
      read(more),
      read(join(home, '.claude/settings.json')),
      read(join(root, 'private.txt')),
      read(join(home, '.claude/skills/notes/../../../../private.txt')),
      { name: 'Bash', input: { command: `cat ${more}` } },
      { name: 'Write', input: { file_path: join(home, '.claude/skills/notes/new.md'), content: 'x' } },
    ]
    const { url } = await fakeApi({ turns: [{ tools: [read(more), callSkill('notes')] }, { tools: calls }, { text: 'ok' }] })
    const permissions = { allow: [], ask: [], deny: [] }
    const agent = { tools: ['Bash', 'Read', 'Skill', 'Write'] }
    const { events } = await ran(startOf(agent, 'go', { skills: { notes }, permissions }), { cwd, home, url })
    const [before, , after, settings, secret, around, command] = toolResults(events)
    expect([before!.isError, after, command]).toEqual([true, { text: '1\tMORE', isError: false }, { text: 'MORE', isError: false }])
    expect([settings, secret, around].map((result) => result!.isError)).toEqual([true, true, true])
    expect(existsSync(join(home, '.claude/skills/notes/new.md'))).toBe(false)
  })

  test('may be read when it is preloaded, but not against a deny rule', async () => {
    const { home, cwd, notes } = await laid({ source: 'user' })
    const { url, play } = await fakeApi({})
    const result = async (deny: ReturnType<typeof rule>[]) => {
      await play({ turns: [{ tools: [read(join(home, '.claude/skills/notes/more.md'))] }, { text: 'ok' }] })
      const start = startOf({ skills: ['notes'] }, 'go', { skills: { notes }, permissions: { allow: [], ask: [], deny } })
      const { events } = await ran(start, { cwd, home, url })
      return toolResults(events)[0]!.isError
    }
    expect(await result([])).toBe(false)
    expect(await result([rule('Read', { path: '/**/more.md', anchor: 'root' })])).toBe(true)
  })
})

describe('hooks of a skill of a plugin', () => {
  const hooks = on('PostToolUse', 'cat >> seen; echo "$CLAUDE_PLUGIN_ROOT" >> root')

  test('find the folder of the plugin, and where it is not here the skill is refused', async () => {
    const { cwd, plugin, notes } = await laid({ source: 'plugin', plugin: 'kit' })
    const start = startOf({ tools: ['Read', 'Skill'] }, 'go', { skills: { 'kit:notes': { ...notes, hooks } } })
    const { url, play } = await fakeApi({})
    const result = async (pluginFolders: Record<string, string>) => {
      await play({
        turns: [{ tools: [callSkill('kit:notes')] }, { tools: [{ name: 'Read', input: { file_path: 'a.txt' } }] }, { text: 'ok' }],
      })
      writeFileSync(join(cwd, 'a.txt'), 'A')
      return ran(start, { cwd, url, pluginFolders })
    }
    const without = await result({})
    expect(toolResults(without.events)[0]!.text).toContain('its hooks run programs of the folder of its plugin kit, and that is not here')
    expect(existsSync(join(cwd, 'seen'))).toBe(false)
    await result({ kit: plugin })
    expect(existsSync(join(cwd, 'root'))).toBe(true)
  })

  test('a person who calls it is told the same, and nothing is sent', async () => {
    const { cwd, notes } = await laid({ source: 'plugin', plugin: 'kit' })
    const manifest = manifestText({ worker: { tools: ['Skill'] } }, { skills: { 'kit:notes': { ...notes, hooks } } })
    const { code, stderr } = await agentcRun(['worker', '/kit:notes'], { cwd, manifest })
    expect([code, stderr]).toEqual([2, expect.stringContaining('/kit:notes: its hooks run programs of the folder of its plugin kit')])
  })
})

test('a person calls a skill that comes with agentc, with what is wanted', async () => {
  const root = temporary()
  const cwd = join(root, 'project')
  mkdirSync(cwd)
  const compilation = await compile(optionsFor(root, { cwd }))
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
  const { code } = await agentcRun(['general-purpose', '/write-agent one that reads logs'], { cwd, url, manifest: textOf(compilation) })
  expect([code, JSON.stringify(await requests())]).toEqual([
    0,
    expect.stringContaining('Write an agent file for this wish: one that reads logs'),
  ])
})
