import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sha256 } from '../../../schemas/canonical.ts'
import { readManifest } from '../../../schemas/manifest.ts'
import type { ManifestHeader } from '../../../schemas/shapes/manifest.ts'
import { bodyOf } from '../../../runner/skills/far.ts'
import { remoteSkills } from '../../../runner/skills/remote.ts'
import { agentWithoutPowers, withoutPowers } from '../../../runner/trust/effective.ts'
import { powersOf } from '../../../runner/trust/powers.ts'
import { temporary } from '../../support/tree.ts'
import { agentcRun } from '../kept.ts'
import { manifestText, startOf } from '../manifest-fixture.ts'
import { fakeApi, folder, toolResults } from '../stage.ts'
import { callSkill, described, ran, textsOf } from './stage.ts'

const TEXT = '---\nname: notes\nallowed-tools: Bash\nmodel: opus\n---\n\nWrite notes about $1.\nNow: !`touch ran`\n'
const { signal } = new AbortController()

/** A service that keeps skills; every answer is what `answer` gives, and `asked` are the paths. It ends with the test. */
async function service(answer: { status?: number; text?: string; headers?: Record<string, string> } = {}) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    response.writeHead(answer.status ?? 200, answer.headers ?? {})
    response.end(answer.text ?? TEXT)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void (server.close(), server.closeAllConnections()))
  await new Promise((resolve) => server.once('listening', resolve))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notes/SKILL.md`, asked }
}

function pinned(address: string, digest = sha256(TEXT)): Pick<ManifestHeader, 'remoteSkills'> {
  const origin = { source: 'project' as const, path: 'agentc.config.json', line: 4, column: 7 }
  return { remoteSkills: { notes: { description: 'Writes notes', digest, address, origin } } }
}

describe('the text of a remote skill', () => {
  const far = (address: string, digest = sha256(TEXT)) => ({ kind: 'remote' as const, address, digest })

  test('is fetched once and then had from the cache of the person, which is known by the digest', async () => {
    const { address, asked } = await service()
    const config = temporary()
    const fetchSkill = remoteSkills({ config, loopback: true })
    const first = await fetchSkill(far(address), signal)
    expect(await fetchSkill(far(address), signal)).toEqual(first)
    expect([asked, first]).toEqual([['/notes/SKILL.md'], { text: 'Write notes about $1.\nNow: !`touch ran`' }])
    expect(readdirSync(join(config, 'agentc/skills'))).toEqual([`${sha256(TEXT).slice(7)}.md`])
    // What is kept under the digest is asked for nothing but its digest.
    expect(await remoteSkills({ config })(far('https://nobody.invalid/x'), signal)).toEqual(first)
  })

  test('of another digest is never used, from the address or from the cache, and both digests are told', async () => {
    const { address, asked } = await service({ text: 'Evil.' })
    const config = temporary()
    mkdirSync(join(config, 'agentc/skills'), { recursive: true })
    const file = join(config, 'agentc/skills', `${sha256(TEXT).slice(7)}.md`)
    writeFileSync(file, 'Evil.')
    expect(await remoteSkills({ config, loopback: true })(far(address), signal)).toEqual({
      refused: `${address} has the digest ${sha256('Evil.')}, and the manifest pins it to ${sha256(TEXT)}`,
    })
    expect(asked).toHaveLength(1)
    expect(readFileSync(file, 'utf8')).toBe('Evil.')
    const good = await service()
    expect(await remoteSkills({ config, loopback: true })(far(good.address), signal)).toHaveProperty('text')
    expect(readFileSync(file, 'utf8')).toBe(TEXT)
  })

  test('is had over https only, but for tests on this machine', async () => {
    const { address, asked } = await service()
    expect(await remoteSkills({ config: undefined })(far(address), signal)).toEqual({
      refused: `its address ${address} does not begin with https://`,
    })
    const fetchSkill = remoteSkills({ config: undefined, loopback: true })
    for (const other of ['http://example.invalid/x', 'http://localhost/x', 'file:///etc/passwd', 'no address'])
      expect(await fetchSkill(far(other), signal)).toEqual({ refused: `its address ${other} does not begin with https://` })
    expect(asked).toEqual([])
  })

  test('is not followed elsewhere, nor taken where it is too large, missing or not there', async () => {
    const fetchSkill = remoteSkills({ config: undefined, loopback: true })
    const of = async (...answer: Parameters<typeof service>) => {
      const { address } = await service(...answer)
      return ((await fetchSkill(far(address), signal)) as { refused: string }).refused.replace(address, 'ADDRESS')
    }
    expect(await of({ status: 302, headers: { location: 'http://127.0.0.1:1/' } })).toBe('ADDRESS answers with status 302')
    expect(await of({ status: 404 })).toBe('ADDRESS answers with status 404')
    expect(await of({ text: 'x'.repeat(1024 * 1024 + 1) })).toBe('ADDRESS is larger than 1 MiB')
    expect(await fetchSkill(far('http://127.0.0.1:1/x'), signal)).toEqual({
      refused: 'http://127.0.0.1:1/x cannot be fetched (ECONNREFUSED)',
    })
    expect(await fetchSkill(far('http://127.0.0.1:1/x'), AbortSignal.abort())).toEqual({ refused: 'the run was interrupted' })
  })

  test('is kept where it can be, and used all the same where not', async () => {
    const { address, asked } = await service()
    const config = join(temporary(), 'file')
    writeFileSync(config, '')
    const fetchSkill = remoteSkills({ config, loopback: true })
    expect(await fetchSkill(far(address), signal)).toHaveProperty('text')
    expect(await fetchSkill(far(address), signal)).toHaveProperty('text')
    expect(asked).toHaveLength(2)
  })

  test('has no frontmatter', () => {
    const ROWS = [['---\na: 1\n---\nText', 'Text'], ['\uFEFF---\r\na: 1\r\n---\r\n\r\nText', 'Text'], ['---\n---\nText', 'Text'], ['Text\n---\na\n---', 'Text\n---\na\n---'], ['---\nopen', '---\nopen']] // prettier-ignore
    for (const [text, body] of ROWS) expect(bodyOf(text!)).toBe(body)
  })
})

describe('in a run', () => {
  const worker = { tools: ['Bash', 'Skill'] }

  test('a remote skill is listed, called by its slug, and nothing of it runs or allows anything', async () => {
    const { address, asked } = await service()
    const { url, requests } = await fakeApi({ turns: [{ tools: [callSkill('notes', 'moths')] }, { text: 'ok' }] })
    const cwd = await folder()
    const permissions = { allow: [], ask: [], deny: [] }
    const start = startOf(worker, 'go', { ...pinned(address), permissions })
    await ran(start, { cwd, home: temporary(), url, loopbackSkills: true })
    const [first, second] = await requests()
    expect(described(first!, 'Skill')).toContain('\n- notes: Writes notes')
    expect(textsOf(second!.messages.at(-1)!)).toEqual([
      'The skill notes follows.',
      '<skill name="notes">\nWrite notes about moths.\nNow: !`touch ran`\n</skill>',
    ])
    expect([asked.length, existsSync(join(cwd, 'ran')), second!.model]).toEqual([1, false, 'claude-haiku-5-5'])
  })

  test('one whose text is another is refused', async () => {
    const { address } = await service({ text: 'Evil.' })
    const { url } = await fakeApi({ turns: [{ tools: [callSkill('notes')] }, { text: 'ok' }] })
    const { events } = await ran(startOf(worker, 'go', pinned(address)), { cwd: await folder(), url, loopbackSkills: true })
    expect(toolResults(events)[0]).toEqual({ text: expect.stringContaining('The skill notes cannot be used: http'), isError: true })
  })

  test('may be preloaded, and be called by a person', async () => {
    const { address } = await service()
    const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
    const start = startOf({ ...worker, skills: ['notes'] }, '/notes bees', pinned(address))
    await ran(start, { cwd: await folder(), url, loopbackSkills: true })
    const texts = textsOf((await requests())[0]!.messages[0]!)
    expect(texts[1]).toBe('<skill name="notes">\nWrite notes about .\nNow: !`touch ran`\n</skill>')
    expect(texts[2]).toContain('<command-name>/notes</command-name>')
    expect(texts[2]).toContain('Write notes about bees.')
  })

  test('counts only where the project is trusted', async () => {
    const manifest = manifestText({ worker: { tools: ['Skill'] } }, pinned('https://skills.example.com/notes/SKILL.md'))
    const { header, agents } = readManifest(manifest)
    expect(powersOf(header, agents)).toEqual([
      { kind: 'remote skill', what: `notes: ${sha256(TEXT)} from https://skills.example.com/notes/SKILL.md`, where: 'agentc.config.json' },
    ])
    expect(powersOf(withoutPowers(header), new Map([['worker', agentWithoutPowers(agents.get('worker')!)]]))).toEqual([])
    const { url, requests } = await fakeApi({ turns: [{ tools: [callSkill('notes')] }, { text: 'ok' }] })
    const { stderr } = await agentcRun(['worker', 'go'], { cwd: await folder(), url, manifest })
    expect(stderr).toContain('remote skill (1)')
    expect(JSON.stringify((await requests())[1]!.messages.at(-1))).toContain('There is no skill')
  })
})
