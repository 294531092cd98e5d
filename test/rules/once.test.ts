import { describe, expect, test } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { manifestText } from '../../compiler/emit/manifest-of.ts'
import { agent } from '../support/bin.ts'
import { optionsFor, put, temporary } from '../support/tree.ts'

async function compiled(files: Record<string, string>) {
  const root = temporary()
  put(root, 'project/.git/HEAD', '')
  for (const [path, text] of Object.entries(files)) put(root, `project/${path}`, text)
  const compilation = await compile(optionsFor(root))
  const found = compilation.diagnostics.map(({ severity, code, at }) => `${severity} ${code} ${at.text.slice(...at.range)}`)
  return { found, text: manifestText(compilation) }
}

/** Put together here, so that no scanner takes this file for a leak. */
const TOKEN = ['ghp', 'Zk3vQ8mW1xR5tB7nC2pL6sD9fG4hJ0aE7uY1'].join('_')

describe('one fault, one finding', () => {
  test('a secret under a secret name is said for its looks only, and a reference to its variable takes its place', async () => {
    const { found, text } = await compiled({
      '.claude/settings.json': JSON.stringify({ env: { DEPLOY_TOKEN: TOKEN, OTHER_TOKEN: 'letmein' } }),
      '.claude/agents/a.md': agent('a', 'mcpServers:', '  - own:', '      command: x', '      env:', `        API_KEY: ${TOKEN}`),
    })
    expect(found.map((line) => line.replace(/ AGENTC_REDACTED_*/, ' (hidden)'))).toEqual([
      'warning security/plain-secret (hidden)',
      'warning security/plain-secret (hidden)',
      'warning settings/secret-env "OTHER_TOKEN"',
    ])
    for (const name of ['DEPLOY_TOKEN', 'OTHER_TOKEN', 'API_KEY']) expect(text).toContain(`"\${${name}}"`)
    expect(text).not.toContain('AGENTC_REDACTED')
  })

  test('a retired tool in other letters is a retired tool', async () => {
    const { found } = await compiled({ '.claude/agents/a.md': agent('a', 'tools: Read, ls', 'disallowedTools: multiedit') })
    expect(found).toEqual(['info tool/retired ls', 'info tool/retired multiedit'])
  })
})

test('brackets behind the name of an MCP tool restrict nothing, which is said of grants and denials', async () => {
  const { found } = await compiled({
    '.mcp.json': JSON.stringify({ mcpServers: { db: { command: 'x' } } }),
    '.claude/agents/a.md': agent(
      'a',
      'tools: mcp__db__query(select *), mcp__db__list(*)',
      'disallowedTools: mcp__db__drop(prod), mcp__db__x()',
    ),
  })
  expect(found).toEqual(['error tool/mcp-specifier mcp__db__query(select *)', 'warning tool/denied-specifier mcp__db__drop(prod)'])
})

test('what is suggested begins like what was written, unless one letter is all that differs', async () => {
  const helps = async (line: string): Promise<string> => {
    const root = temporary()
    put(root, 'project/.claude/agents/a.md', agent('a', line))
    return (await compile(optionsFor(root))).diagnostics[0]!.help!
  }
  expect(await helps('memory: global')).toBe('Write one of user, project, local, or remove the key.')
  expect(await helps('memory: projcet')).toBe('Did you mean `project`?')
  expect(await helps('memory: cocal')).toBe('Did you mean `local`?')
})
