import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectPart } from './support/document.ts'
import { ROOT } from './support/tree.ts'

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
