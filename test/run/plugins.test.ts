import { chmodSync, cpSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { readManifest } from '../../schemas/manifest.ts'
import { run } from '../../runner/commands/run.ts'
import { agent, agentc } from '../support/bin.ts'
import { optionsFor, put, temporary } from '../support/tree.ts'
import { fakeApi } from './stage.ts'

const STUB = new URL('mcp/stub.mjs', import.meta.url).pathname
const GUARD = '#!/bin/sh\ncat > /dev/null\necho "kept by $(basename "$(dirname "$0")")" >&2\nexit 2\n'
const HOOKS = { hooks: { PreToolUse: [{ matcher: 'Read', hooks: [{ type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}"/guard.sh' }] }] } }

/** A project, and a marketplace with the plugin `kit`: a hook that refuses Read, and a server that is started from its folder. */
async function compiled(given = 'market') {
  const root = temporary()
  put(root, 'project/.git/HEAD', 'ref: refs/heads/main\n')
  put(root, 'project/a.txt', 'A')
  put(root, 'project/.claude/agents/worker.md', agent('worker', 'tools: Read, mcp__*'))
  put(root, 'market/.claude-plugin/marketplace.json', JSON.stringify({ name: 'm', plugins: [{ name: 'kit', source: './parts/kit' }] }))
  const server = { type: 'stdio', command: process.execPath, args: ['${CLAUDE_PLUGIN_ROOT}/serve.mjs', 'plain'] }
  put(root, 'market/parts/kit/.claude-plugin/plugin.json', JSON.stringify({ name: 'kit', mcpServers: { own: server } }))
  put(root, 'market/parts/kit/hooks/hooks.json', JSON.stringify(HOOKS))
  put(root, 'market/parts/kit/guard.sh', GUARD)
  put(root, 'market/parts/kit/serve.mjs', `await import(${JSON.stringify(STUB)})\n`)
  chmodSync(join(root, 'market/parts/kit/guard.sh'), 0o755)
  put(root, 'home/.claude/settings.json', JSON.stringify({ permissions: { allow: ['mcp__plugin_kit_own'] } }))
  const text = manifestText(await compile(optionsFor(root, { pluginDirs: [join(root, given)] })))
  return { root, text, cwd: join(root, 'project') }
}

async function ran(cwd: string, text: string, pluginDirs: string[], argv: string[] = ['worker', 'go']) {
  const { url } = await fakeApi({
    turns: [
      {
        tools: [
          { name: 'Read', input: { file_path: 'a.txt' } },
          { name: 'mcp__plugin_kit_own__say', input: {} },
        ],
      },
      { text: 'done', repeat: 9 },
    ],
  })
  const written = { stdout: '', stderr: '' }
  const code = await run(
    [...argv, '--format', 'stream-json'],
    {
      stdout: { write: (chunk) => (written.stdout += chunk) },
      stderr: { write: (chunk) => (written.stderr += chunk) },
      stdin: Object.assign((async function* (): AsyncGenerator<string> {})(), { isTTY: true }),
      env: { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: url },
      cwd,
      pluginDirs,
      signal: new AbortController().signal,
    },
    () => Promise.resolve(text),
  )
  return { code, ...written }
}

describe('a plugin in the manifest', () => {
  test('is known by its place in the folder that was given and by the hashes of its files and programs; no absolute path is in it', async () => {
    const { root, text } = await compiled()
    const { plugins } = readManifest(text).header
    expect(Object.keys(plugins!)).toEqual(['kit'])
    expect(plugins!.kit!.folder).toBe('parts/kit')
    expect(Object.keys(plugins!.kit!.files)).toEqual(['.claude-plugin/plugin.json', 'guard.sh', 'hooks/hooks.json', 'serve.mjs'])
    expect(text).not.toContain(root)
    const itself = await compiled('market/parts/kit')
    expect(readManifest(itself.text).header.plugins!.kit).toEqual({ ...plugins!.kit, folder: '.' })
  })

  test('is run from wherever it lies: its hook refuses the call, and its server answers', async () => {
    const { root, text, cwd } = await compiled()
    cpSync(join(root, 'market'), join(root, 'elsewhere/there'), { recursive: true })
    const { code, stdout } = await ran(cwd, text, ['../nothing', '../elsewhere/there'])
    expect(stdout).toContain('kept by kit')
    const results = stdout
      .split('\n')
      .filter((line) => line.includes('"tool_result"'))
      .map((line) => /"is_error":true/.test(line))
    expect(results).toEqual([true, false])
    expect(code).toBe(0)
  })

  test('is found by the program itself, where it is given to build and to run', async () => {
    const { root, cwd } = await compiled()
    const { url } = await fakeApi({ turns: [{ tool: 'Read', input: { file_path: 'a.txt' } }, { text: 'told: {{last_tool_result}}' }] })
    const env = { ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: url }
    const where = ['--plugin-dir', '../market', '--managed-dir', join(root, 'managed')]
    expect(await agentc(['build', ...where], { cwd })).toMatchObject({ code: 0 })
    const ran = await agentc(['run', 'worker', 'go', ...where], { cwd, env })
    expect(ran.out, ran.err).toContain('kept by kit')
    // Without the folder agentc builds again, and there is no such plugin at all.
    const without = await agentc(['run', 'worker', 'go', '--managed-dir', join(root, 'managed')], { cwd, env })
    expect(without.out, without.err).toContain('told: 1\tA')
    const fixed = await agentc(['run', 'worker', 'go', '--manifest', '.agentc/manifest.json'], { cwd, env })
    expect([fixed.code, fixed.err]).toEqual([1, expect.stringContaining('give it with --plugin-dir')])
  })

  test('that is not given, or is another one than was compiled, keeps a run from beginning that its hooks were to watch', async () => {
    const { root, text, cwd } = await compiled()
    const none = await ran(cwd, text, [])
    expect(none).toEqual({
      code: 1,
      stdout: '',
      stderr: 'agentc: The hooks of the plugin kit run programs of its folder, and it is not here: give it with --plugin-dir.\n',
    })
    writeFileSync(join(root, 'market/parts/kit/hooks/hooks.json'), JSON.stringify({ hooks: {} }))
    const other = await ran(cwd, text, [join(root, 'market')])
    expect(other.code).toBe(1)
    expect(other.stderr).toContain('its hooks/hooks.json is not as it was when the manifest was built. Run agentc build again.')
  })

  test.each([
    ['is another one', (script: string) => writeFileSync(script, '#!/bin/sh\nexit 0\n')],
    ['is gone', (script: string) => unlinkSync(script)],
  ])('whose script %s keeps a run from beginning, too', async (_, change) => {
    const { root, text, cwd } = await compiled()
    change(join(root, 'market/parts/kit/guard.sh'))
    const { code, stdout, stderr } = await ran(cwd, text, [join(root, 'market')])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('its guard.sh is not as it was when the manifest was built. Run agentc build again.')
  })

  test('whose server is another program is not started', async () => {
    const { root, cwd } = await compiled()
    writeFileSync(join(root, 'market/parts/kit/hooks/hooks.json'), JSON.stringify({ hooks: {} }))
    const plain = manifestText(await compile(optionsFor(root, { pluginDirs: [join(root, 'market')] })))
    expect((await ran(cwd, plain, [join(root, 'market')])).stdout).toContain('said {} by')
    writeFileSync(join(root, 'market/parts/kit/serve.mjs'), 'throw new Error("another one")\n')
    const other = await ran(cwd, plain, [join(root, 'market')])
    expect(other.stdout).not.toContain('said {} by')
    expect(other.stderr).toContain(
      'agentc: Nothing is run from the plugin kit: its serve.mjs is not as it was when the manifest was built.',
    )
    expect(other.stdout).toContain('plugin:kit:own cannot be used')
  })

  test('makes a build stale with each of its scripts, as with each of its files', async () => {
    const { root, cwd } = await compiled()
    const where = ['--plugin-dir', '../market', '--managed-dir', join(root, 'managed')]
    const kept = () => readManifest(readFileSync(join(cwd, '.agentc/manifest.json'), 'utf8')).header.plugins!.kit!.files['guard.sh']
    expect(await agentc(['build', ...where], { cwd })).toMatchObject({ code: 0 })
    const before = kept()
    expect(await agentc(['build', '--check', ...where], { cwd })).toMatchObject({ code: 0 })
    writeFileSync(join(root, 'market/parts/kit/guard.sh'), `${GUARD}# another one\n`)
    expect(await agentc(['build', '--check', ...where], { cwd })).toMatchObject({ code: 1 })
    expect(await agentc(['build', ...where], { cwd })).toMatchObject({ code: 0 })
    expect(kept()).not.toBe(before)
  })

  test('is asked for again by a run that is gone on with', async () => {
    const { root, text, cwd } = await compiled()
    const { stdout } = await ran(cwd, text, [join(root, 'market')])
    const { run_id: id } = JSON.parse(stdout.trim().split('\n').at(-1)!) as { run_id: string }
    const argv = ['--resume', id, 'Read it again']
    expect((await ran(cwd, text, [], argv)).stderr).toContain('give it with --plugin-dir')
    const again = await ran(cwd, text, [join(root, 'market')], argv)
    expect(again.stdout).toContain('kept by kit')
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('A')
  })
})
