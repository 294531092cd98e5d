import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lockedToolHash } from '../../../schemas/mcp-tools.ts'
import type { LockedTool } from '../../../schemas/shapes/server.ts'
import { withMcpTools } from '../../../runner/mcp/start.ts'
import { builtInTools } from '../../../runner/tools/registry.ts'
import { withEnvironment } from '../../support/processes.ts'
import { folder } from '../stage.ts'
import { attached, freePort, stub } from './stage.ts'

const names = (stage: Awaited<ReturnType<typeof attached>>): string[] => Object.keys(stage.start.mcpTools ?? {})
const messages = (notices: readonly { message: string }[]): string[] => notices.map(({ message }) => message)
const locked = (name: string, more: Partial<LockedTool> = {}): LockedTool => {
  const tool = { name, description: `${name}, described`, input_schema: { type: 'object', properties: {} }, ...more }
  return { ...tool, hash: lockedToolHash(tool) }
}
const view = (mcp: { server: string; tool: string }[], mcpDeny: { server: string; tool: string }[] = []) => {
  const one = { tools: [], mcp, mcpDeny }
  return { toolViews: { main: one, sub: one, leaf: one, background: one } }
}

describe('what is offered', () => {
  test('names are sorted, and only servers are started that the view can have tools of', async () => {
    const stage = await attached({
      servers: { b: stub(), a: stub(), c: stub() },
      agent: view([
        { server: 'b', tool: '*' },
        { server: 'a', tool: 'say' },
      ]) as never,
    })
    const b = ['change', 'die', 'env', 'hang', 'say', 'show', 'step'].map((name) => `mcp__b__${name}`)
    expect(names(stage)).toEqual([...b, 'mcp__a__say'])
    expect(withEnvironment(stage.mark)).toHaveLength(2)
  })

  test('a server whose tools are all denied is not started', async () => {
    const stage = await attached({ servers: { db: stub() }, agent: view('all' as never, [{ server: 'db', tool: '*' }]) as never })
    expect([names(stage), withEnvironment(stage.mark)]).toEqual([[], []])
    expect(stage.start.mcpTools).toBeUndefined()
  })

  test('the tools stand in the request behind those of the view, with readOnlyHint as their trait', async () => {
    const stage = await attached({ servers: { 'my db': stub() }, agent: { tools: ['Read'] } })
    const start = withMcpTools(stage.start)
    expect(start.agent.toolViews.main.tools.slice(0, 3)).toEqual(['Read', 'mcp__my_db__change', 'mcp__my_db__die'])
    expect(start.header.tools.mcp__my_db__say).toEqual({
      description: 'say, described',
      input_schema: { type: 'object', properties: {} },
      traits: { readOnly: true },
    })
    expect(start.header.tools.mcp__my_db__die!.traits).toEqual({ readOnly: false })
    expect(start.header.hash).toBe(stage.start.header.hash)
  })

  test('two tools that come to one name are both left out, and a tool that the API would refuse is too', async () => {
    const stage = await attached({ servers: { c: stub('clash'), m: stub('misfit') } })
    expect(names(stage)).toEqual(['mcp__c__fine', 'mcp__m__fine'])
    expect(messages(stage.notices)).toEqual([
      'the tool mcp__c__a_b is not offered: it is the name of "a b" of the server "c" and of "a_b" of the server "c"',
      'the tool mcp__m__odd is not offered: the API takes no parameter named "a b"',
      'the tool mcp__m__union is not offered: the API takes no schema with anyOf at its top',
      `the tool mcp__m__${'x'.repeat(130)} is not offered: the API takes names of at most 128 characters, and this has 138`,
    ])
  })

  test('of a locked server only what is as it was locked', async () => {
    const lock = { db: [locked('say', { readOnly: true }), locked('die')], other: [] }
    const stage = await attached({ servers: { db: stub('changed'), fresh: stub() }, header: { mcpTools: lock } })
    expect(names(stage)).toEqual(['mcp__db__die'])
    expect(messages(stage.notices)).toEqual([
      'the MCP server db describes say in another way than when it was locked, so this is not offered: look at it and run agentc build --lock-mcp',
      'the MCP server db has tools that were not locked and are not offered: extra',
      'the MCP server fresh was not locked, so none of its tools is offered: run agentc build --lock-mcp',
    ])
  })
})

describe('servers that an agent needs', () => {
  test('a required server that is not set up, cannot be used or has no tool keeps the agent from being run', async () => {
    const bad = { type: 'stdio' as const, command: '/nonexistent/server' }
    const requiredServers = ['none', 'bad', 'empty', 'good']
    const stage = await attached({ servers: { bad, empty: stub('empty'), good: stub() }, agent: { requiredServers } })
    expect(stage.refusal).toBe(
      'agent worker needs the MCP servers none, bad, empty: none is not set up; bad cannot be used: the program is not there; empty has no tool that the agent may use',
    )
  })

  test('a required server is waited for longer than another', async () => {
    const servers = { one: stub('slow'), two: stub('slow') }
    const stage = await attached({ servers, agent: { requiredServers: ['one'] }, pool: { optionalMs: 700 } })
    expect(stage.refusal).toBeUndefined()
    expect(names(stage)).toContain('mcp__one__say')
    expect(messages(stage.notices)).toEqual(['the MCP server two cannot be used: it was not ready within 0.7 seconds'])
  })

  test('a variable that is not set keeps the server from being started and is named; its value never is', async () => {
    const config = stub('plain', { env: { A: '${A_TOKEN}', B: '${B_TOKEN:-fallback}', C: '${C_TOKEN}' } })
    const env = { PATH: process.env.PATH, A_TOKEN: 'secret-of-a', OTHER: 'not named' }
    const stage = await attached({ servers: { db: config }, pool: { env } })
    expect(messages(stage.notices)).toEqual(['the MCP server db cannot be used: the variable C_TOKEN, which its settings name, is not set'])
    const good = await attached({ servers: { db: config }, pool: { env: { ...env, C_TOKEN: 'c' } } })
    const given = JSON.parse((await good.call('mcp__db__env')).text) as Record<string, string>
    expect(given).toMatchObject({ A: 'secret-of-a', B: 'fallback', C: 'c', A_TOKEN: 'secret-of-a' })
    expect(given.OTHER).toBeUndefined()
    expect(JSON.stringify(good.start)).not.toContain('secret-of-a')
  })

  test('a ws server and a url that is none are refused in words', async () => {
    const servers = {
      a: { type: 'ws' as const, url: 'ws://127.0.0.1:1' },
      b: { type: 'http' as const, url: 'file:///etc/passwd' },
      c: { type: 'http' as const, url: `http://127.0.0.1:${await freePort()}/` },
    }
    const stage = await attached({ servers })
    expect(messages(stage.notices)).toEqual([
      'the MCP server a cannot be used: agentc does not speak to servers of the type ws',
      'the MCP server b cannot be used: its `url` is no address that begins with http:// or https://',
      'the MCP server c cannot be used: it cannot be reached (ECONNREFUSED)',
    ])
  })
})

describe('calls', () => {
  test('blocks of every kind, each shown or named', async () => {
    const stage = await attached({ servers: { s: stub() } })
    const { text, isError, images } = await stage.call('mcp__s__show')
    expect(isError).toBe(false)
    expect(text.split('\n')).toEqual([
      'first',
      '[a picture (image/tiff, 1 KiB), which cannot be shown]',
      '[a picture (image/png, 1 KiB), which cannot be shown]',
      '[a sound (audio/wav, 1 KiB), which cannot be shown]',
      '[resource: demo://one one (text/plain): the first]',
      '[resource: demo://two]',
      'inside two',
      '[resource demo://three (application/pdf, 1 KiB), which cannot be shown]',
    ])
    expect(images?.map(({ media_type }) => media_type)).toEqual(['image/png', 'image/gif'])
  })

  test('an interrupted call is cancelled at the server and answered', async () => {
    const root = await folder()
    const stage = await attached({ servers: { s: stub('plain', { env: { STUB_CANCELLED: join(root, 'log') } }) } })
    const stop = new AbortController()
    const pending = stage.call('mcp__s__hang', {}, stop.signal)
    setTimeout(() => stop.abort(), 200)
    expect(await pending).toEqual({ text: 'The run was interrupted; what the call has done is not known.', isError: true })
    await expect.poll(() => readFile(join(root, 'log'), 'utf8').catch(() => '')).toBe('cancelled\n')
  })

  test('a call without a sign of life is given up; progress keeps one alive', async () => {
    const steps: number[] = []
    const stage = await attached({
      servers: { s: stub('plain', { timeout: 1000 }) },
      pool: { progress: (_, { progress }) => steps.push(progress) },
    })
    const [hung, stepped] = await Promise.all([stage.call('mcp__s__hang'), stage.call('mcp__s__step')])
    expect(hung).toEqual({ text: 'The MCP server s did not answer within 1 seconds; what the call has done is not known.', isError: true })
    expect(stepped).toEqual({ text: 'stepped', isError: false })
    // The SDK may drop the last one, which comes together with the answer.
    expect(steps.slice(0, 5)).toEqual([1, 2, 3, 4, 5])
  })

  test('a server that dies is started again by the next call, a few times, and keeps its tools', async () => {
    const stage = await attached({ servers: { s: stub() }, pool: { backOff: [0, 1] } })
    const before = names(stage)
    for (let round = 0; round < 2; round++) {
      expect(await stage.call('mcp__s__die')).toEqual({
        text: 'The MCP server s cannot be used: it ended with exit code 7; what the call has done is not known.',
        isError: true,
      })
      expect(await stage.call('mcp__s__say')).toMatchObject({ isError: false })
    }
    await stage.call('mcp__s__die')
    const text = 'The MCP server s cannot be used: it ended with exit code 7, and it is not started again after 3 starts.'
    expect(await stage.call('mcp__s__say')).toEqual({ text, isError: true })
    expect(names(stage)).toEqual(before)
    const said = messages(stage.queue.drain())
    expect(said.filter((line) => line.endsWith('was started again'))).toHaveLength(2)
  })

  test('calls that come at once after a death share one new start', async () => {
    const root = await folder()
    const stage = await attached({ servers: { s: stub('plain', { env: { STUB_PIDS: join(root, 'pids') } }) } })
    await stage.call('mcp__s__die')
    const outputs = await Promise.all([1, 2, 3].map(() => stage.call('mcp__s__say')))
    expect(outputs.every(({ isError }) => !isError)).toBe(true)
    expect((await readFile(join(root, 'pids'), 'utf8')).trim().split('\n')).toHaveLength(2)
  })

  test('a list that changes during the run is announced; the prompt keeps its tools, and one that went is refused when it is called', async () => {
    const stage = await attached({ servers: { s: stub() } })
    const before = JSON.stringify(withMcpTools(stage.start).header.tools)
    await stage.call('mcp__s__change')
    const said: string[] = []
    await expect
      .poll(() => said.push(...messages(stage.queue.drain())) && said)
      .toEqual(['the tools of the MCP server s changed during the run (fresh came, say went); the list in the prompt stays as it was'])
    expect(await stage.call('mcp__s__say')).toEqual({ text: 'Not called: the MCP server s no longer has the tool say.', isError: true })
    await expect(stage.call('mcp__s__fresh')).rejects.toThrow('mcp__s__fresh')
    expect(JSON.stringify(withMcpTools(stage.start).header.tools)).toBe(before)
  })
})

describe('what belongs to whom', () => {
  test('an inline server belongs to its agent, hides one of the session of the same name, and ends with it', async () => {
    const servers = [{ name: 'own', config: stub('empty') }, { name: 'more', config: stub('lasting') }, { ref: 'nowhere' }]
    const stage = await attached({ servers: { own: stub() }, agent: { servers } })
    expect(names(stage).filter((name) => name.startsWith('mcp__own__'))).toEqual([])
    expect(names(stage)).toContain('mcp__more__say')
    expect(messages(stage.notices)).toEqual(['there is no MCP server nowhere, which worker uses'])
    expect(withEnvironment(stage.mark).length).toBeGreaterThan(4)
    await stage.close()
    expect(withEnvironment(stage.mark)).toEqual([])
  })

  test('a project that is not trusted starts no inline server, and that is said', async () => {
    const stage = await attached({ agent: { servers: [{ name: 'own', config: stub() }] }, pool: { inline: () => false } })
    expect(messages(stage.notices)).toEqual(['the MCP server own of worker is not started, because the project is not trusted'])
    expect(withEnvironment(stage.mark)).toEqual([])
  })

  test('without servers nothing is loaded, and the tools for resources are not there', async () => {
    const stage = await attached({ pool: { connect: () => Promise.reject(new Error('not asked for')) } })
    for (const tools of [stage.tools, builtInTools])
      for (const name of ['ListMcpResources', 'ReadMcpResource']) expect(tools(name)).toEqual({ absent: 'the agent has no MCP servers' })
    expect(stage.start.mcpTools).toBeUndefined()
  })

  test('a run that goes on keeps the tools it had, whatever its servers have become', async () => {
    const first = await attached({ servers: { s: stub() } })
    const again = await attached({ servers: { s: stub('changed') }, begun: first.start })
    expect(again.start.mcpTools).toEqual(first.start.mcpTools)
    expect(await again.call('mcp__s__show')).toEqual({ text: 'Not called: the MCP server s no longer has the tool show.', isError: true })
  })
})
