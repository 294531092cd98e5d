import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentc } from '../../support/bin.ts'
import { put } from '../../support/tree.ts'
import { fakeApi, folder } from '../stage.ts'

const OWN = '.claude/agent-memory/keeper'

/** Builds and runs an agent of a project with the real program, which writes a note and edits it, and reads it in its next run. */
async function runs(frontmatter: string[]) {
  const root = await folder({ 'home/x': '', 'managed/x': '' })
  const cwd = join(root, 'project')
  mkdirSync(cwd)
  put(cwd, '.claude/agents/keeper.md', `---\nname: keeper\ndescription: Keeps notes.\n${frontmatter.join('\n')}\n---\n\nYou keep notes.\n`)
  const file_path = `${OWN}/MEMORY.md`
  const calls = [
    { name: 'Write', input: { file_path, content: '- first\n' } },
    { name: 'Edit', input: { file_path, old_string: 'first', new_string: 'second' } },
    { name: 'Read', input: { file_path } },
  ]
  const turns = [...calls.map((call) => ({ tools: [call] })), { text: 'one' }, { text: 'two' }]
  const { url, requests } = await fakeApi({ turns })
  const env = { HOME: join(root, 'home'), ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'test-key-0123456789' }
  const run = () => agentc(['run', 'keeper', 'go', '--format', 'json', '--managed-dir', join(root, 'managed')], { cwd, env })
  const first = await run()
  const second = await run()
  return { cwd, first, second, requests: await requests() }
}

test('a list of tools without them gets Read, Write and Edit, and the next run has what was noted', async () => {
  const { cwd, first, second, requests } = await runs(['tools: Grep', 'memory: project'])
  expect([first.code, second.code], first.err + second.err).toEqual([0, 0])
  expect(requests[0]!.tools!.map(({ name }) => name)).toEqual(['Grep', 'Write', 'Edit', 'Read'])
  expect(readFileSync(join(cwd, OWN, 'MEMORY.md'), 'utf8')).toBe('- second\n')
  expect(JSON.stringify(requests.at(-1)!.system)).toContain('- second')
})

test('a denial of the agent wins over its memory', async () => {
  const { cwd, requests } = await runs(['tools: Grep', 'disallowedTools: Write', 'memory: local'])
  expect(requests[0]!.tools!.map(({ name }) => name)).toEqual(['Grep', 'Edit', 'Read'])
  expect(existsSync(join(cwd, '.claude/agent-memory-local'))).toBe(false)
  expect(JSON.stringify(requests[1]!.messages.at(-1))).toContain('This agent may not use Write.')
})
