import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentcRun, linesOf } from '../kept.ts'
import { manifestText } from '../manifest-fixture.ts'
import { fakeApi, folder } from '../stage.ts'

const HASH = `sha256:${'0'.repeat(64)}`
const ORIGIN = { source: 'project' as const, path: '.claude/commands/review.md' }
const commands = { review: { content: 'Review $1 with care.', hash: HASH, origin: ORIGIN } }
const manifest = (agent = {}) => manifestText({ worker: { tools: ['Read', 'Glob'], ...agent } }, { commands })
const firstTexts = (request: { messages: readonly { content: readonly { type: string; text?: string }[] }[] }) =>
  request.messages[0]!.content.map(({ text }) => text ?? '')

test('a command, a file and the initial prompt reach the model expanded, and the transcript holds them so', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
  const cwd = await folder({ 'a.txt': 'the text of a' })
  const { code } = await agentcRun(['worker', 'look at @a.txt'], { cwd, url, manifest: manifest({ initialPrompt: '/review all' }) })
  expect(code).toBe(0)
  const [, first, prompt] = firstTexts((await requests())[0]!)
  expect(first).toContain('Review all with care.')
  expect(prompt).toContain('the text of a')
  expect(JSON.stringify(linesOf(cwd)[0])).toContain('Review all with care.')
})

test('a command that there is not is wrong usage, and nothing is sent', async () => {
  const cwd = await folder()
  const { code, stderr } = await agentcRun(['worker', '/reviw x'], { cwd, manifest: manifest() })
  expect([code, stderr]).toEqual([2, 'agentc: There is no skill or command /reviw. Did you mean /review? There are: /review.\n'])
})

test('a file outside the workspace is not attached', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
  const cwd = await folder()
  const { stderr } = await agentcRun(['worker', 'look at @/etc/passwd'], { cwd, url, manifest: manifest() })
  expect(stderr).toContain('@/etc/passwd is not attached')
  expect(JSON.stringify(await requests())).not.toContain('root:')
})

test('a line of the shell goes through the permissions: an agent without Bash has none', async () => {
  const { url, requests } = await fakeApi({ turns: [{ text: 'ok' }] })
  await agentcRun(['worker', '!echo hi'], { cwd: await folder(), url, manifest: manifest() })
  expect(firstTexts((await requests())[0]!).join('\n')).toContain('<bash-stderr>\nThis agent may not use Bash.')
})

test('a note goes into the memory of the agent, and to no model', async () => {
  const cwd = await folder()
  const { code, stdout } = await agentcRun(['worker', '#the build\nneeds make'], { cwd, manifest: manifest({ memory: 'project' }) })
  const file = join(cwd, '.claude/agent-memory/worker/MEMORY.md')
  expect([code, stdout, readFileSync(file, 'utf8')]).toEqual([0, `agentc: noted in ${file}\n`, '- the build needs make\n'])
  const without = await agentcRun(['worker', '#x'], { cwd, manifest: manifest() })
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('worker has no memory')])
})

test('a link in the place of the memory does not take a note elsewhere', async () => {
  const cwd = await folder({ '.claude/x': '' })
  const other = await folder()
  symlinkSync(other, join(cwd, '.claude/agent-memory'))
  const { code } = await agentcRun(['worker', '#x'], { cwd, manifest: manifest({ memory: 'project' }) })
  expect([code, existsSync(join(other, 'worker/MEMORY.md'))]).toEqual([2, false])
})
