import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RunResult } from '../../../runner/index.ts'
import { resultText } from '../../../runner/message.ts'
import { agentc, BIN } from '../../support/bin.ts'
import { put } from '../../support/tree.ts'
import { fakeApi } from '../stage.ts'
import { ACCESSES } from './evasion-file.ts'
import { GIT_ENV } from '../../support/git.ts'
import { filled, harmed, inCopy, layPattern, NOBODY } from './evasion-ground.ts'
import { type Group, GROUPS } from './evasion-shell.ts'
import type { Lists } from './stage.ts'

/** Every attempt to get past the rules, made by a scripted model of a real run, in a throw-away folder, by a user without rights outside of it. */

const able = NOBODY !== undefined && spawnSync(process.execPath, [BIN, '--version'], NOBODY).status === 0
const asNobody = able ? test : test.skip
if (!able)
  process.stdout.write('skipped aloud: runs of attempts need root, who becomes nobody for them, and a folder that nobody may read\n')

let pattern = ''
beforeAll(() => {
  pattern = layPattern()
})

interface Call {
  name: string
  input: Record<string, string>
}

const AGENTS = JSON.stringify({ evader: { description: 'd', prompt: 'p', tools: ['Bash', 'Edit', 'NotebookEdit', 'Read', 'Write'] } })

/** Makes the calls in one reply, and gives those that were not denied, with what came of them, and whether harm was done. */
async function played(calls: readonly Call[], lists: Lists, mode: string, harm: Group['harm']): Promise<{ ran: string[]; harm: boolean }> {
  return inCopy(pattern, async (root) => {
    const tools = calls.map(({ name, input }, at) => ({
      id: `call_${at}`,
      name,
      input: name === 'Bash' ? input : (JSON.parse(filled(JSON.stringify(input), root)) as object),
    }))
    const api = await fakeApi({ turns: [{ tools }, { text: 'done' }] })
    put(root, 'config/settings.json', JSON.stringify({ permissions: lists }))
    const env = {
      ...GIT_ENV,
      HOME: join(root, 'home'),
      CLAUDE_CONFIG_DIR: join(root, 'config'),
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: 'test-key-0123456789',
    }
    const argv = ['run', 'evader', 'go', '--agents', AGENTS, '--permission-mode', mode, '--no-transcript', '--format', 'json']
    const { out, err } = await agentc(argv, { cwd: join(root, 'project'), env, as: NOBODY })
    expect(err === '' ? out : err).toMatch(/^\{"type":"result"/)
    const denied = new Set((JSON.parse(out) as RunResult).permission_denials.map(({ tool_use_id: id }) => id))
    const answers = (await api.requests())
      .at(-1)!
      .messages.at(-1)!
      .content.filter((block) => block.type === 'tool_result')
    expect(answers).toHaveLength(calls.length)
    const texts = answers.map(resultText)
    const ran = calls.flatMap(({ input }, at) => (denied.has(`call_${at}`) ? [] : [`${JSON.stringify(input)} → ${texts[at]}`]))
    return { ran, harm: harmed(harm, root, texts.join('\n'), pattern) }
  })
}

const NOTHING = { ran: [], harm: false }

describe.each(GROUPS)('$name', ({ lists, harm, attempts }) => {
  asNobody(`none of ${attempts.length} command lines runs`, { timeout: 60_000 }, async () => {
    const calls = attempts.map((command) => ({ name: 'Bash', input: { command } }))
    expect(await played(calls, lists, 'default', harm)).toEqual(NOTHING)
  })
})

describe.each(ACCESSES)('$name', ({ lists, mode, tools, harm, paths }) => {
  const inputOf = (tool: string, path: string): Record<string, string> => {
    if (tool === 'Read') return { file_path: path }
    if (tool === 'Write') return { file_path: path, content: 'x' }
    return tool === 'Edit' ? { file_path: path, old_string: '{', new_string: 'x' } : { notebook_path: path, new_source: 'x' }
  }
  asNobody(`${tools.join(', ')} open none of ${paths.length} paths`, { timeout: 60_000 }, async () => {
    const calls = tools.flatMap((name) => paths.map((path) => ({ name, input: inputOf(name, path) })))
    expect(await played(calls, lists, mode, harm)).toEqual(NOTHING)
  })
})
