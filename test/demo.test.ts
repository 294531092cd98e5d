import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectPart } from './support/document.ts'
import { ROOT } from './support/tree.ts'

describe('npm run demo -- delegation', () => {
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'demo/demo.mjs'), 'delegation'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
  })

  it('shows the tree of what a lead, its three agents, a server, a hook and a skill did, each with its end', () => {
    expect(status).toBe(0)
    const tree = stdout.replaceAll(/ +\d+(?:\.\d+)? m?s +(?:\d+(?:\.\d+)? m?s|-) +/g, '').replaceAll(/a[0-9a-f]{12}/g, 'ID')
    const said = (line: string): string | undefined =>
      tree
        .split('\n')
        .find((one) => one.includes(line))
        ?.trim()
    expect(said('Skill checklist')).toBe('call    Skill checklist')
    expect(said('mcp__board__add_card seconds')).toBe("call    mcp__board__add_card seconds('2d') is NaN")
    expect(said('counter (')).toBe('counter (ID), in the background')
    expect(said('reader (')).toBe('reader (ID)')
    expect(said('fixer (')).toBe('fixer (ID)')
    expect(said('Edit src/duration.js')).toBe('call    │ Edit src/duration.js')
    expect(tree.match(/^end .*completed$/gm)).toHaveLength(4)
    expect(tree).toContain('10 turns, 9 calls, 3 agents below')
    expect(said('worktree-agent-')).toMatch(/\.claude\/worktrees\/agent-ID .*\[worktree-agent-ID\]$/)
    expect(tree.trim().split('\n').slice(-3).sort()).toEqual(['counter has stopped', 'fixer has stopped', 'reader has stopped'])
  })
})

/** The demo as a person runs it, without key and colour; README shows parts of what it prints. */
describe('npm run demo', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'demo/demo.mjs')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
  })
  const parts = new Map(
    stdout.split(/^# .*\n/m).flatMap((part) => {
      const command = /^\$ (agentc .*)$/m.exec(part)?.[1]
      return command === undefined ? [] : [[command, part.trim()] as const]
    }),
  )
  const screen = (command: string): string => `\`\`\`text\n${parts.get(command)}\n\`\`\``

  it('goes the whole way without a key', () => {
    expect(stderr).not.toContain('Error')
    expect(status).toBe(0)
    expect([...parts.keys()].map((command) => command.split(' ')[1])).toEqual(['build', 'list', 'explain', 'explain', 'run'])
    expect(stdout).toContain("seconds('2d') is NaN")
  })

  it('prints what the README shows of build', () => expectPart('README.md', 'demo-build', screen('agentc build')))

  it('prints what the README shows of explain', () => expectPart('README.md', 'demo-explain', screen('agentc explain Explore')))
})
