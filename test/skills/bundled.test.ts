import { describe, expect, test } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { CLAUDE_CODE } from '../../schemas/claude-code.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { optionsFor } from '../support/tree.ts'
import { laid, skill } from './tree.ts'

async function skillsIn(root: string, more: object = {}) {
  const compilation = await compile(optionsFor(root, more))
  const { header } = readManifest(manifestText(compilation))
  return { skills: header.skills, found: compilation.diagnostics.map(({ code, at }) => `${code} ${at.origin.path}`) }
}

describe('the skills that come with agentc', () => {
  test('are in every manifest, for people only, and nothing is wrong with them', async () => {
    const { skills, found } = await skillsIn(laid({}))
    expect(Object.entries(skills).map(([name, { origin, disableModelInvocation }]) => [name, origin, disableModelInvocation])).toEqual([
      ['write-agent', { source: 'builtin', path: 'agents/skills/write-agent/SKILL.md' }, true],
    ])
    expect(found).toEqual([])
  })

  test('give way to a skill of that name of any other layer, and go with the layer', async () => {
    const root = laid({ 'project/.claude/skills/write-agent/SKILL.md': skill('write-agent') })
    expect((await skillsIn(root)).skills['write-agent']!.origin.source).toBe('project')
    expect((await skillsIn(laid({}), { layers: ['user', 'project'] })).skills).toEqual({})
  })

  test('come with no other program', async () => {
    expect((await skillsIn(laid({}), { profile: CLAUDE_CODE })).skills).toEqual({})
  })
})
