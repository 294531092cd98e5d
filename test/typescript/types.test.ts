import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agent, agentc, project } from '../support/bin.ts'
import { put, ROOT } from '../support/tree.ts'

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const TOOL = "/** Counts. */\nexport default async function () { return '' }\n"

test('agentc types writes declarations by which tsc finds wrong names of agents and tools', async () => {
  const cwd = project({
    '.claude/agents/reviewer.md': agent('reviewer', 'tools: Read, CountIn'),
    '.claude/agents/idle.md': agent('idle', 'tools: []'),
    '.claude/agents/odd.md': agent('"it\'s `odd` \\"${x}\\""'),
    '.claude/tools/CountIn.ts': TOOL,
  })
  expect(await agentc(['types'], { cwd })).toEqual({ code: 0, out: 'wrote agents.d.ts\n', err: '' })
  expect(await agentc(['types'], { cwd })).toEqual({ code: 0, out: 'unchanged: agents.d.ts\n', err: '' })
  put(
    cwd,
    'use.ts',
    [
      "import type { AgentName, AgentViews, ToolName } from './agents.js'",
      "export const name: AgentName = 'reviewer'",
      "export const tool: ToolName = 'CountIn'",
      "export const seen: AgentViews['reviewer']['sub'] = 'CountIn'",
      "export const none: AgentViews['idle']['main'][] = []",
    ].join('\n'),
  )
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--moduleResolution', 'nodenext']
  execFileSync(process.execPath, [TSC, ...options, 'use.ts'], { cwd })
  put(
    cwd,
    'wrong.ts',
    "import type { AgentName, AgentViews } from './agents.js'\nexport const a: AgentName = 'reviewr'\nexport const b: AgentViews['reviewer']['sub'] = 'Write'\n",
  )
  const { status, stdout } = spawnSync(process.execPath, [TSC, ...options, 'wrong.ts'], { cwd, encoding: 'utf8' })
  expect(status).not.toBe(0)
  expect(stdout.match(/error TS/g)).toHaveLength(2)
})

test('--out names the file; broken agents are left out and said so', async () => {
  const cwd = project({
    '.claude/agents/reviewer.md': agent('reviewer'),
    '.claude/agents/broken.md': '---\nname: broken\n---\n\nYou work.\n',
  })
  const ran = await agentc(['types', '--out', 'generated/agents.d.ts'], { cwd })
  expect(ran).toMatchObject({ code: 0, err: '1 error: broken agents are left out (agentc build shows why)\n' })
  const text = readFileSync(join(cwd, 'generated/agents.d.ts'), 'utf8')
  expect(text).toContain('"reviewer"')
  expect(text).not.toContain('"broken"')
  expect(await agentc(['types', 'x'], { cwd })).toMatchObject({ code: 2 })
})
