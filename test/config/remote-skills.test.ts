import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { explainAgent } from '../../compiler/explain/agent.ts'
import { compareManifests } from '../../compiler/diff/diff.ts'
import { ROOT } from '../support/tree.ts'
import { compiled, POLICY, PROJECT } from './stage.ts'

const [A, B] = ['a1', 'b2'].map((byte) => `sha256:${byte.repeat(32)}`) as [string, string]
const notes = (digest = A, description = 'Writes notes.') => ({ notes: { description, digest } })
const config = (remote: unknown, address: unknown = 'https://skills.example.com/v1') => ({ skills: { address, remote } })

async function built(files: Record<string, unknown>, agent = 'skills: [notes, tone]') {
  const { compilation, manifest } = await compiled({
    'project/.claude/agents/worker.md': `---\nname: worker\ndescription: Does the work.\n${agent}\n---\n\nYou work.\n`,
    'project/.claude/skills/tone/SKILL.md': '---\nname: tone\ndescription: How to write.\n---\n\nBe plain.\n',
    ...files,
  })
  const codes = compilation.diagnostics.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)
  return { compilation, manifest, remote: manifest.header.remoteSkills, worker: manifest.agents.get('worker')!, codes }
}

describe('a skill that is kept elsewhere', () => {
  test('is in the manifest by its address and its digest, and may be one of an agent’s skills', async () => {
    const { remote, worker, codes, manifest } = await built({ [PROJECT]: config(notes()) })
    expect(codes).toEqual([])
    expect(remote).toEqual({
      notes: {
        description: 'Writes notes.',
        digest: A,
        address: 'https://skills.example.com/v1/notes/SKILL.md',
        origin: { source: 'project', path: 'agentc.config.json', line: 5, column: 7 },
      },
    })
    expect(worker.skills).toEqual(['notes', 'tone'])
    expect(Object.keys(manifest.header.skills)).not.toContain('notes')
  })

  test('is policy’s where policy has one of that slug, which is said when the digests differ; its address serves the project too', async () => {
    const { remote, codes } = await built({
      [PROJECT]: { skills: { remote: { ...notes(), mine: notes().notes } } },
      [POLICY]: config(notes(B), 'https://policy.example.com/'),
    })
    expect(remote).toMatchObject({
      mine: { digest: A, address: 'https://policy.example.com/mine/SKILL.md', origin: { source: 'project' } },
      notes: { digest: B, origin: { source: 'policy' } },
    })
    expect(codes).toEqual(['warning skill/digest-differs: Policy pins the remote skill `notes` to another digest, and that one counts.'])
  })

  test('gives way to a skill or command of that name', async () => {
    const files = { 'project/.claude/commands/notes.md': 'Note it.\n', [PROJECT]: config({ ...notes(), tone: notes().notes }) }
    const { remote, codes } = await built(files, 'skills: tone')
    expect(remote).toBeUndefined()
    expect(codes).toEqual([
      'info skill/hides-remote: `notes` is the command in .claude/commands/notes.md, so the remote skill of that name can never be called.',
      'info skill/hides-remote: `tone` is the skill in .claude/skills/tone/SKILL.md, so the remote skill of that name can never be called.',
    ])
  })

  test('of the project does not count where only plugins and policy may bring skills', async () => {
    const switches = { 'managed/managed-settings.json': { strictPluginOnlyCustomization: ['skills'] } }
    const { remote, codes } = await built(
      { ...switches, [PROJECT]: config(notes()), [POLICY]: config({ ruled: notes().notes }) },
      'tools: Read',
    )
    expect(Object.keys(remote!)).toEqual(['ruled'])
    expect(codes).toContainEqual(expect.stringContaining('settings/switched-off: The remote skill `notes` does not count'))
  })

  test('is explained with its address, its digest and its place, and a near miss is suggested', async () => {
    const { compilation, codes } = await built({ [PROJECT]: config(notes()) }, 'skills: [notes, note]')
    const { skills } = explainAgent('worker', compilation.resolution.agents.get('worker')!, compilation)
    expect(skills[0]).toEqual({
      name: 'notes',
      from: 'https://skills.example.com/v1/notes/SKILL.md, pinned to sha256:a1a1a1a1a1a1… at agentc.config.json:5:7',
      overruled: [],
    })
    expect(codes).toHaveLength(1)
    expect(compilation.diagnostics[0]!.help).toBe('Did you mean `notes`?')
  })

  test('that comes, or has another digest or address, is a gain in a comparison', async () => {
    const [none, first, second] = await Promise.all(
      [{}, { [PROJECT]: config(notes()) }, { [PROJECT]: config(notes(B)) }].map(
        async (files) => (await built(files, 'tools: Read')).manifest,
      ),
    )
    const found = (old: typeof none, now: typeof none) =>
      compareManifests(old!, now!)
        .filter(({ kind }) => kind === 'remoteSkills')
        .map(({ change, gain, items }) => [change, gain, items])
    expect(found(none, first)).toEqual([['added', true, ['notes']]])
    expect(found(first, second)).toEqual([['changed', true, ['notes']]])
    expect(found(first, none)).toEqual([['removed', false, ['notes']]])
  })
})

describe('what is wrong is an error, and nothing is run without the skill', () => {
  test.each([
    [config(notes('sha256:12')), 'skill/unpinned: The remote skill `notes` has no digest'],
    [config({ notes: { description: 'x' } }), 'skill/unpinned: The remote skill `notes` has no digest'],
    [config({ notes: { digest: A } }), 'config/invalid-skill: the remote skill `notes` has no `description`'],
    [config(notes(), 'http://127.0.0.1/'), 'config/invalid-skill: `address` is not an address that begins with https://'],
    [config(notes(), 'https://me:secret@example.com/'), 'config/invalid-skill: `address` is not an address'],
    [config(notes(), 5), 'config/invalid-skill: `address` is not an address'],
    [config({ No_Slug: notes().notes }), 'config/invalid-skill: `No_Slug` is no slug'],
    [config({ '../up': notes().notes }), 'config/invalid-skill: `../up` is no slug'],
    [config({ notes: 'text' }), 'config/invalid-skill: `notes` is not an object'],
    [config([]), 'config/invalid-skill: `remote` is not an object'],
    [{ skills: 1 }, 'config/invalid-skill: `skills` is not an object'],
    [{ skills: { remote: notes() } }, 'config/invalid-skill: there is no `address`'],
    [config({ notes: { ...notes().notes, url: 'x' } }), 'config/unknown-key: `url` is not a key'],
  ])('%j', async (value, message) => {
    const { codes } = await built({ [PROJECT]: value }, 'tools: Read')
    expect(codes).toContainEqual(expect.stringContaining(`error ${message}`))
  })
})

test('the published schema takes what is right, limits and skills', () => {
  const schema = JSON.parse(readFileSync(join(ROOT, 'schemas/config.schema.json'), 'utf8')) as object
  const validate = new Ajv({ strict: false }).compile(schema)
  expect(validate({ $schema: 'x', limits: { usd: 2.5, compact: { tokens: 9 } }, ...config(notes()) })).toBe(true)
  expect([config(notes('x')), config(notes(), 'http://x/'), { limits: { usd: 0 } }, { limit: {} }].map((value) => validate(value))).toEqual([
    false, false, false, false,
  ]) // prettier-ignore
})
