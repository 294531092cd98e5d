import { describe, expect, test } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { agent } from '../support/bin.ts'
import { optionsFor, put, temporary } from '../support/tree.ts'

const MANAGED = 'managed/managed-settings.json'
const PERSON = 'home/.claude/settings.json'
const PROJECT = 'project/.claude/settings.json'
const MCP = {
  db: { command: 'npx', args: ['-y', 'db'] },
  web: { type: 'http', url: 'https://mcp.example.com/v1' },
  late: { command: '${TOOL}' },
}

/** What is left of the servers of a project, under some settings files, and what is said. */
async function left(settings: Record<string, object>) {
  const root = temporary()
  put(root, 'project/.git/HEAD', '')
  put(root, 'project/.mcp.json', JSON.stringify({ mcpServers: MCP }))
  put(root, 'project/.claude/agents/a.md', agent('a', 'mcpServers:\n  - own:\n      command: npx\n      args: [own]\n  - web'))
  for (const [path, value] of Object.entries(settings)) put(root, path, JSON.stringify(value))
  const { mcp, resolution, diagnostics } = await compile(optionsFor(root))
  const uses = resolution.agents.get('a')!.definition.mcpServers?.value ?? []
  const own = uses.flatMap(({ value }) => ('config' in value ? [value.name] : []))
  const said = diagnostics.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)
  return { servers: [...mcp.servers.keys()], own, said }
}

const name = (serverName: string) => ({ serverName })
const command = (...serverCommand: string[]) => ({ serverCommand })
const url = (serverUrl: string) => ({ serverUrl })

describe('lists of MCP servers that may be used', () => {
  test.each<[string, object[], string[], string[]]>([
    ['by its name', [name('db')], ['late', 'web'], ['own']],
    ['of an agent by its name', [name('own')], ['db', 'late', 'web'], []],
    ['by its whole command line, and what is known only when it runs with it', [command('npx', '-y', 'db')], ['web'], ['own']],
    ['by no part of its command line', [command('npx')], ['db', 'web'], ['own']],
    ['by its address, with a star for anything, whatever the case', [url('https://*.EXAMPLE.com/*')], ['db', 'late'], ['own']],
    ['by no other address', [url('https://example.com/*')], ['db', 'late', 'web'], ['own']],
  ])('a server is denied %s', async (_, deniedMcpServers, servers, own) => {
    expect(await left({ [PROJECT]: { deniedMcpServers } })).toMatchObject({ servers, own })
  })

  test.each<[string, object[], string[], string[]]>([
    ['nothing, if it is empty', [], [], []],
    ['by names', [name('db'), name('own')], ['db'], ['own']],
    [
      'programs by their command lines alone, where it has some',
      [name('late'), command('npx', '-y', 'db'), name('web')],
      ['db', 'web'],
      [],
    ],
    ['remote servers by their addresses alone, where it has some', [name('web'), name('db'), url('https://other.com/*')], ['db'], []],
  ])('a list of the organisation allows %s', async (_, allowedMcpServers, servers, own) => {
    expect(await left({ [MANAGED]: { allowedMcpServers } })).toMatchObject({ servers, own })
  })

  test('the person may allow more, unless the organisation says that its own list is all; a project only narrows it', async () => {
    const more = { [PERSON]: { allowedMcpServers: [name('web')] } }
    const only = { allowedMcpServers: [name('db')], allowManagedMcpServersOnly: true }
    expect(await left({ [MANAGED]: { allowedMcpServers: [name('db')] }, ...more })).toMatchObject({ servers: ['db', 'web'] })
    expect(await left({ [MANAGED]: only, ...more })).toMatchObject({ servers: ['db'] })
    const project = { [PROJECT]: { allowedMcpServers: [name('web'), name('late')] } }
    expect(await left({ [MANAGED]: { allowedMcpServers: [name('db'), name('web')] }, ...project })).toMatchObject({ servers: ['web'] })
  })

  test('what is denied anywhere is not allowed', async () => {
    const settings = { [MANAGED]: { allowedMcpServers: [name('db'), name('web')] }, [PERSON]: { deniedMcpServers: [name('db')] } }
    expect(await left(settings)).toMatchObject({ servers: ['web'] })
  })

  test('each server that is missing for it is said where it is set up', async () => {
    const { said } = await left({ [MANAGED]: { deniedMcpServers: [name('db'), name('own')] } })
    expect(said).toEqual([
      expect.stringMatching(/^info settings\/switched-off: The server `own` of `a` does not count, because `deniedMcpServers` is set/),
      expect.stringMatching(/^info server\/switched-off: `deniedMcpServers` of the settings switches off `db`/),
    ])
  })

  test('an entry that is none is an error where it was to deny, and a warning where it was to allow', async () => {
    const both = {
      deniedMcpServers: ['db', { serverName: 'x', serverUrl: 'y' }],
      allowedMcpServers: [name('db'), { serverCommand: 'npx' }],
    }
    const { said, servers } = await left({ [MANAGED]: both })
    expect(servers).toEqual(['db'])
    expect(said.map((text) => text.split(':')[0]).filter((text) => text!.includes('settings/') && !text!.includes('switched-off'))).toEqual(
      ['error settings/lost-restriction', 'error settings/lost-restriction', 'warning settings/invalid-value'],
    )
    expect((await left({ [MANAGED]: { allowedMcpServers: { db: true } } })).said).toContainEqual(
      expect.stringContaining('error settings/lost-restriction'),
    )
  })
})
