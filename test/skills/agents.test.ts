import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import type { CompileOptions } from '../../compiler/options.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { explainAgent } from '../../compiler/explain/agent.ts'
import { agentText } from '../../compiler/explain/text.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { agent } from '../support/bin.ts'
import { optionsFor, put } from '../support/tree.ts'
import { laid, pluginDirs, skill, told } from './tree.ts'

const AGENT = 'project/.claude/agents/writer.md'

async function compiled(root: string, more: Partial<CompileOptions> = {}) {
  const compilation = await compile(optionsFor(root, more))
  const open = readManifest(manifestText(compilation))
  const own = Object.entries(open.header.skills).filter(([, { origin }]) => origin.source !== 'builtin')
  const header = { ...open.header, skills: Object.fromEntries(own) }
  return { ...compilation, header, writer: open.agents.get('writer')!, found: told(compilation.diagnostics), compilation }
}

describe('skills of agents', () => {
  test('the names that lead somewhere are in the agent, the skills themselves in the header', async () => {
    const root = laid({
      [AGENT]: agent('writer', 'skills: [tone, "/tone", nowhere]'),
      'project/.claude/skills/tone/SKILL.md': skill('tone', 'allowed-tools: Bash(git log *)', 'model: haiku'),
    })
    const { header, writer, found } = await compiled(root)
    expect(writer.skills).toEqual(['tone'])
    expect(header.skills).toEqual({
      tone: {
        description: 'Does what tone does.',
        content: 'Text of tone.',
        hash: expect.stringMatching(/^sha256:/),
        origin: { source: 'project', path: '.claude/skills/tone/SKILL.md' },
        allowedTools: [
          {
            tool: 'Bash',
            match: { prefix: ['git', 'log'] },
            origin: { source: 'project', path: '.claude/skills/tone/SKILL.md', line: 4, column: 16 },
          },
        ],
        model: 'claude-haiku-5-5',
      },
    })
    expect(found).toEqual(['warning reference/unknown-skill .claude/agents/writer.md'])
  })

  test('where only managed rules count, a skill allows nothing, which is said; what it denies stays, and one of policy keeps all', async () => {
    const text = (name: string) => skill(name, 'allowed-tools: Read', 'disallowed-tools: Write')
    const root = laid({
      'project/.claude/skills/tone/SKILL.md': text('tone'),
      'managed/.claude/skills/strict/SKILL.md': text('strict'),
      'managed/managed-settings.json': JSON.stringify({ allowManagedPermissionRulesOnly: true }),
    })
    const { header, diagnostics } = await compiled(root)
    expect(
      Object.values(header.skills).map(({ allowedTools, disallowedTools }) => [allowedTools?.length, disallowedTools?.length]),
    ).toEqual([
      [1, 1],
      [undefined, 1],
    ])
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'settings/switched-off `allowed-tools` of `tone` does not count, because `allowManagedPermissionRulesOnly` is set in managed-settings.json.',
    ])
  })

  test('a near miss is suggested', async () => {
    const root = laid({ [AGENT]: agent('writer', 'skills: tones'), 'project/.claude/skills/tone/SKILL.md': skill('tone') })
    expect((await compiled(root)).diagnostics[0]!.help).toBe('Did you mean `tone`?')
  })

  test('an unknown skill is only an info where the project keeps no skills, also if the person does', async () => {
    const root = laid({ [AGENT]: agent('writer', 'skills: nowhere'), 'home/.claude/skills/tone/SKILL.md': skill('tone') })
    expect((await compiled(root)).found).toEqual(['info reference/unlisted-skill .claude/agents/writer.md'])
  })

  test('a bare name in an agent of a plugin is the plugin’s own skill first, then one of that name', async () => {
    const root = laid({
      'plugins/kit/agents/writer.md': agent('writer', 'skills: [report, tone]'),
      'plugins/kit/skills/report/SKILL.md': skill('report'),
      'project/.claude/skills/report/SKILL.md': skill('report'),
      'project/.claude/skills/tone/SKILL.md': skill('tone'),
    })
    const { resolution, found } = await compiled(root, pluginDirs(root, 'kit'))
    expect([resolution.agents.get('kit:writer')!.skills, found]).toEqual([['kit:report', 'tone'], []])
  })

  test('a skill for people only is not preloaded, and the finding shows the key', async () => {
    const root = laid({
      [AGENT]: agent('writer', 'skills: tone'),
      'project/.claude/skills/tone/SKILL.md': skill('tone', 'disable-model-invocation: true'),
    })
    const { writer, header, found, diagnostics } = await compiled(root)
    expect([writer.skills, Object.keys(header.skills), found]).toEqual([
      [],
      ['tone'],
      ['warning reference/disabled-skill .claude/agents/writer.md'],
    ])
    expect(diagnostics[0]!.related![0]!.at.origin.path).toBe('.claude/skills/tone/SKILL.md')
  })

  test('a skill that cannot be read is named as the cause, and a lower one does not take its place', async () => {
    const root = laid({
      [AGENT]: agent('writer', 'skills: tone'),
      'home/.claude/skills/tone/SKILL.md': '---\nname: tone\n',
      'project/.claude/skills/tone/SKILL.md': skill('tone'),
    })
    const { writer, header, found } = await compiled(root)
    expect([writer.skills, header.skills]).toEqual([[], {}])
    expect(found.sort()).toEqual([
      'warning reference/unknown-skill .claude/agents/writer.md',
      'warning skill/unreadable skills/tone/SKILL.md',
    ])
  })

  test('the agent of a skill is looked up, in the same plugin first', async () => {
    const root = laid({
      'plugins/kit/agents/writer.md': agent('writer'),
      'plugins/kit/skills/report/SKILL.md': skill('report', 'context: fork', 'agent: writer'),
      'project/.claude/skills/tone/SKILL.md': skill('tone', 'context: fork', 'agent: writre'),
    })
    const { header, found } = await compiled(root, pluginDirs(root, 'kit'))
    expect(header.skills['kit:report']).toMatchObject({ context: 'fork', agent: 'kit:writer' })
    expect(found).toEqual(['warning skill/unknown-agent .claude/skills/tone/SKILL.md'])
  })

  test('commands are in the header, with the fields of a skill', async () => {
    const root = laid({ 'project/.claude/commands/git/tag.md': '---\nargument-hint: [version]\nmodel: opus\n---\nTag $1.\n' })
    expect((await compiled(root)).header.commands).toEqual({
      'git:tag': {
        description: 'Tag $1.',
        content: 'Tag $1.',
        hash: expect.stringMatching(/^sha256:/),
        origin: { source: 'project', path: '.claude/commands/git/tag.md' },
        argumentHint: '[version]',
        model: 'claude-opus-5-5',
      },
    })
  })

  test('explain shows the file and line of each skill, what it replaced, and what leads nowhere', async () => {
    const root = laid({
      [AGENT]: agent('writer', 'skills: [tone, nowhere]'),
      'home/.claude/skills/tone/SKILL.md': skill('tone'),
      'project/.claude/skills/tone/SKILL.md': skill('tone'),
    })
    const { compilation, resolution } = await compiled(root)
    const explanation = explainAgent('writer', resolution.agents.get('writer')!, compilation)
    expect(explanation.skills).toEqual([
      { name: 'tone', from: expect.stringMatching(/skills\/tone\/SKILL\.md:2:7$/), overruled: ['.claude/skills/tone/SKILL.md:2:7'] },
      { name: 'nowhere', from: 'not found: left out', overruled: [] },
    ])
    const text = agentText(explanation, (_, part) => part)
    expect(text).toMatch(
      /\nskills\n {2}tone .*SKILL\.md:2:7 \(in place of \.claude\/skills\/tone\/SKILL\.md:2:7\)\n {2}nowhere .*left out\n/,
    )
  })

  test('a new skill makes a manifest stale: its absence is an input', async () => {
    const root = laid({ [AGENT]: agent('writer', 'skills: tone') })
    const { discovery } = await compiled(root)
    expect(discovery.inputs).toContainEqual({ path: join(root, 'project/.claude/skills'), kind: 'absent' })
    put(root, 'project/.claude/skills/tone/SKILL.md', skill('tone'))
    expect((await compiled(root)).writer.skills).toEqual(['tone'])
  })
})

describe('memory in the manifest', () => {
  test('a section is there for each scope that an agent uses, and no other', async () => {
    const root = laid({ [AGENT]: agent('writer', 'memory: local') })
    const { header, writer } = await compiled(root)
    expect([Object.keys(header.memory), writer.memory]).toEqual([['local'], 'local'])
    expect(header.memory['local']).toContain('{{folder}}')
  })
})
