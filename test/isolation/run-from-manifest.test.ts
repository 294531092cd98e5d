import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { fakeApi } from '../run/stage.ts'
import { agent, agentc, project, type Ran } from '../support/bin.ts'
import { put, ROOT, temporary } from '../support/tree.ts'

/** Issue 4: a run needs the manifest and nothing else; settings, hooks, skills, servers and agent files are never read again. */

const SOURCE =
  /settings(?:\.local)?\.json$|\.mcp\.json$|\.claude\.json$|SKILL\.md$|\.claude\/(?:agents|skills|commands|hooks|tools)\b|hooks\.json$|plugin\.json$|\/agents\/[^/]*\.md$|lock\.json$|(?:CLAUDE(?:\.local)?|AGENTS)\.md$|\/rules\b/
const SCRIPT = { turns: [{ tool: 'Read', input: { file_path: 'notes.txt' } }, { text: 'It says hello.' }] }

const root = temporary()
let manifest = ''
let cwd = ''

beforeAll(async () => {
  cwd = project({
    '.claude/agents/reader.md': agent(
      'reader',
      'tools: Read',
      'skills: [notes]',
      'hooks:',
      '  Stop:',
      '    - hooks: [{ command: "true" }]',
    ),
    '.claude/settings.json': JSON.stringify({
      permissions: { allow: ['Read'] },
      hooks: { PostToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] },
      env: { COLOUR: 'red' },
    }),
    '.claude/skills/notes/SKILL.md': '---\nname: notes\ndescription: Notes.\n---\n\nKeep notes.\n',
    '.claude/commands/go.md': 'Go.\n',
    'CLAUDE.md': 'Be kind.\n',
    '.mcp.json': JSON.stringify({ mcpServers: { db: { command: 'no-such-server' } } }),
    'notes.txt': 'hello\n',
  })
  await agentc(['build'], { cwd })
  manifest = join(root, 'frozen.json')
  cpSync(join(cwd, '.agentc/manifest.json'), manifest)
})

/** A folder with nothing in it but the file that the agent is to read, beside an empty home. */
function empty(): string {
  const place = temporary()
  mkdirSync(join(place, 'home'))
  put(place, 'work/notes.txt', 'hello\n')
  return join(place, 'work')
}

let runs = 0

async function traced(argv: readonly string[], where: string, env: Record<string, string>): Promise<{ ran: Ran; files: string[] }> {
  const log = join(root, `trace-${runs++}`)
  const hook = pathToFileURL(join(ROOT, 'test/isolation/trace-files.mjs')).href
  const ran = await agentc(argv, { cwd: where, env: { ...env, NODE_OPTIONS: `--import ${hook}`, TRACE_FILES: log } })
  return { ran, files: [...new Set(readFileSync(log, 'utf8').trim().split('\n'))] }
}

const RUN = ['run', 'reader', 'What do the notes say?', '--format', 'json']
const sources = (files: readonly string[]): string[] => files.filter((file) => SOURCE.test(file))

describe('a run from a copied manifest', () => {
  test('works in an empty folder, live and replayed, and looks at no source', async () => {
    const { url } = await fakeApi(SCRIPT)
    const recording = join(root, 'recording.jsonl')
    const live = await traced([...RUN, '--manifest', manifest, '--record', recording], empty(), {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
    })
    expect(live.ran).toMatchObject({ code: 0, out: expect.stringContaining('It says hello.') })
    expect(live.files).toContain(manifest)
    expect(sources(live.files)).toEqual([])

    const place = empty()
    const replayed = await traced([...RUN, '--manifest', manifest, '--replay', recording], place, {})
    expect(replayed.ran).toMatchObject({ code: 0, out: expect.stringContaining('It says hello.') })
    expect(sources(replayed.files)).toEqual([])
    expect(readdirSync(place).sort()).toEqual(['.agentc', 'notes.txt'])
  })

  test('looks at no source of a project either, and a changed agent file changes nothing', async () => {
    writeFileSync(join(cwd, '.claude/agents/reader.md'), agent('reader', 'tools: Bash'))
    const { url } = await fakeApi(SCRIPT)
    const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none' }
    const { ran, files } = await traced([...RUN, '--manifest', manifest], cwd, env)
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('It says hello.') })
    expect(sources(files)).toEqual([])
  })

  test('and what this looks for can be seen: a build reads them all', async () => {
    const { files } = await traced(['build'], cwd, {})
    for (const file of [
      '.claude/agents/reader.md',
      '.claude/settings.json',
      '.claude/skills/notes/SKILL.md',
      '.claude/commands/go.md',
      '.mcp.json',
    ])
      expect(files).toContain(join(cwd, file))
  })
})
