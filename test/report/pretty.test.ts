import { expect, test } from 'vitest'
import { agent, agentc, project } from '../support/bin.ts'

test('of many infos of one code the first are shown whole, and every other has its line; warnings are always whole', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `a${i}`)
  const cwd = project(Object.fromEntries(names.map((name) => [`.claude/agents/${name}.md`, agent(name, 'tools: Read, LS, Grpe')])))
  const { out } = await agentc(['build'], { cwd })
  expect(out.match(/^warning\[tool\/unknown\] There is/gm)).toHaveLength(8)
  expect(out.match(/^info\[tool\/retired\] The tool/gm)).toHaveLength(5)
  const brief = out.match(/^info\[tool\/retired\] \.claude\/agents\/a[5-7]\.md:4:14 The tool `LS` no longer exists.*\n/gm)
  expect(brief).toHaveLength(3)
  expect(out.match(/\^\^/g)).not.toBeNull()
  expect(out).not.toContain('\n\n\n')
  expect(out).toMatch(/\n\n\d+ agents: 8 warnings, 8 infos\n/)
})
