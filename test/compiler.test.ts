import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createCompiler } from '../compiler/compiler.ts'
import { DISK, type FileSystem } from '../compiler/discover/file-system.ts'
import { headerOf, manifestText } from '../compiler/emit/manifest-of.ts'
import { compile } from '../compiler/compile.ts'
import { agent } from './support/bin.ts'
import { optionsFor, put, temporary } from './support/tree.ts'

/** A compiler that stays gives what a new one gives, and works out again only what a change can have to do with. */

/** Files that are older than two seconds are known by their stat. */
const later = (): bigint => BigInt(Date.now()) * 1_000_000n + 5_000_000_000n

function project(files: Record<string, string>) {
  const root = temporary()
  for (const [path, text] of Object.entries({ 'project/.git/HEAD': '', 'home/.keep': '', ...files })) put(root, path, text)
  const options = optionsFor(root)
  const compiler = createCompiler(options)
  return {
    root,
    compiler,
    change: async (path: string, text: string) => {
      put(root, path, text)
      const stayed = await compiler.compile(later(), [join(root, path)])
      const fresh = await compile(options)
      expect(manifestText(stayed)).toBe(manifestText(fresh))
      expect(stayed.diagnostics.map(({ message }) => message)).toEqual(fresh.diagnostics.map(({ message }) => message))
      return stayed
    },
    first: () => compiler.compile(later()),
  }
}

const FOLDER = 'project/.claude/agents'
const CONFIG = 'project/agentc.config.json'

describe('a compiler that stays', () => {
  test('resolves only the agent whose text was changed', async () => {
    const { first, change } = project({ [`${FOLDER}/a.md`]: agent('a'), [`${FOLDER}/b.md`]: agent('b') })
    const before = await first()
    const after = await change(`${FOLDER}/a.md`, agent('a', 'tools: Read'))
    expect(after.resolution.agents.get('b')).toBe(before.resolution.agents.get('b'))
    expect(after.resolution.agents.get('a')!.views.sub.tools).toEqual(['Read'])
  })

  test('sees that an agent is no longer there for the list of another', async () => {
    const { first, change } = project({ [`${FOLDER}/a.md`]: agent('a', 'tools: Agent(b)'), [`${FOLDER}/b.md`]: agent('b') })
    expect((await first()).resolution.agents.get('a')!.spawns).toEqual(['b'])
    const after = await change(`${FOLDER}/b.md`, agent('c'))
    expect(after.resolution.agents.get('a')!.spawns).toEqual([])
    expect(after.diagnostics.map(({ code }) => code)).toContain('reference/unknown-agent')
  })

  test('sees that a broken file takes the name of its agent with it, and gives it back', async () => {
    const { first, change } = project({ [`${FOLDER}/a.md`]: agent('a'), [`${FOLDER}/b.md`]: agent('b') })
    await first()
    expect((await change(`${FOLDER}/a.md`, '---\nname: a\ntools: [\n---\nx\n')).resolution.agents.has('a')).toBe(false)
    expect((await change(`${FOLDER}/a.md`, agent('a'))).resolution.agents.has('a')).toBe(true)
  })

  test('sees that a change in the layer below is overridden still', async () => {
    const home = 'home/.claude/agents/a.md'
    const { first, change } = project({ [`${FOLDER}/a.md`]: agent('a'), [home]: agent('a', 'tools: Read') })
    await first()
    const after = await change(home, agent('a', 'tools: Bash'))
    expect(after.resolution.agents.get('a')!.overrides.map(({ tools }) => tools.kind === 'only' && tools.entries[0]!.text)).toEqual([
      'Bash',
    ])
  })

  test('reads a skill again when it changes', async () => {
    const skill = (text: string): string => `---\nname: s\ndescription: Is a skill.\n---\n\n${text}\n`
    const { first, change } = project({ 'project/.claude/skills/s/SKILL.md': skill('One.'), [`${FOLDER}/a.md`]: agent('a', 'skills: s') })
    const before = (await first()).skills.skills.get('s')!.definition
    expect((await change(`${FOLDER}/a.md`, agent('a', 'skills: s', 'tools: Read'))).skills.skills.get('s')!.definition.content).toBe(
      before.content,
    )
    const after = await change('project/.claude/skills/s/SKILL.md', skill('Two.'))
    expect(after.skills.skills.get('s')!.definition.content).toContain('Two.')
  })

  test('reads a program of a plugin again when it changes, and only then', async () => {
    const root = temporary()
    put(root, 'project/.git/HEAD', '')
    put(root, 'home/.keep', '')
    put(root, 'kit/.claude-plugin/plugin.json', '{"name":"kit"}')
    const hook = { type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/x.sh' }
    put(root, 'kit/hooks/hooks.json', JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }))
    const script = join(root, 'kit/x.sh')
    writeFileSync(script, '#!/bin/sh\n')
    let reads = 0
    const read: FileSystem['read'] = (path, ...rest) => ((reads += path === script ? 1 : 0), DISK.read(path, ...rest))
    const compiler = createCompiler(optionsFor(root, { pluginDirs: [join(root, 'kit')] }), { ...DISK, read })
    const hash = async (changed?: string[]) => headerOf(await compiler.compile(later(), changed)).plugins!['kit']!.files['x.sh']
    const before = await hash()
    expect([await hash([]), await hash(), reads]).toEqual([before, before, 1])
    writeFileSync(script, '#!/bin/no\n')
    expect(await hash([script])).not.toBe(before)
    expect(reads).toBe(2)
  })

  test('sees a remote skill that the configuration adds for an agent that has not changed', async () => {
    const remote = { notes: { description: 'How notes are taken.', digest: `sha256:${'a'.repeat(64)}` } }
    const { first, change } = project({ [`${FOLDER}/a.md`]: agent('a', 'skills: notes'), [CONFIG]: '{}' })
    expect((await first()).resolution.agents.get('a')!.skills).toEqual([])
    const after = await change(CONFIG, JSON.stringify({ skills: { address: 'https://skills.example.com/v1', remote } }))
    expect(after.resolution.agents.get('a')!.skills).toEqual(['notes'])
  })
})
