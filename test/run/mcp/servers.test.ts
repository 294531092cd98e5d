import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ServerConfig } from '../../../schemas/shapes/server.ts'
import { withEnvironment } from '../../support/processes.ts'
import { folder } from '../stage.ts'
import { overHttp } from './bridge.ts'
import { attached, freePort, programOf, stub } from './stage.ts'

/** Servers that others wrote, as they come from npm. */

const stdio = (name: string, ...args: string[]): ServerConfig & { type: 'stdio' } => ({
  type: 'stdio',
  command: process.execPath,
  args: [programOf(name), ...args],
})
const agent = { tools: ['ListMcpResources', 'ReadMcpResource'] }
/** How a server is reached: two of the three speak over their standard streams only, so http has a bridge in front of them. */
const WAYS = [
  ['stdio', (config: ServerConfig) => Promise.resolve(config)],
  ['http', async (config: ServerConfig) => (await overHttp(config)).config],
] as const

describe.each(WAYS)('over %s', (way, reached) => {
  test('the filesystem server lists a folder, reads a file and refuses what is outside; nothing of it is left', async () => {
    const root = await folder({ 'a.txt': 'content of a' })
    const stage = await attached({ servers: { files: await reached(stdio('server-filesystem', root)) }, agent })
    expect(stage.notices).toEqual([])
    expect(Object.keys(stage.start.mcpTools!)).toContain('mcp__files__read_text_file')
    expect(stage.start.mcpTools!.mcp__files__read_text_file!.traits).toEqual({ readOnly: true })
    expect(stage.start.mcpTools!.mcp__files__write_file!.traits).toEqual({ readOnly: false })
    expect((await stage.call('mcp__files__list_directory', { path: root })).text).toBe('[FILE] a.txt')
    expect(await stage.call('mcp__files__read_text_file', { path: join(root, 'a.txt') })).toEqual({ text: 'content of a', isError: false })
    expect(await stage.call('mcp__files__write_file', { path: join(root, 'b.txt'), content: 'B' })).toMatchObject({ isError: false })
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('B')
    const outside = await stage.call('mcp__files__read_text_file', { path: '/etc/passwd' })
    expect(outside).toMatchObject({ isError: true, text: expect.stringContaining('Access denied') as string })
    expect(withEnvironment(stage.mark).length > 0).toBe(way === 'stdio')
    await stage.close()
    expect(withEnvironment(stage.mark)).toEqual([])
  })

  test('the memory server keeps what it is told', async () => {
    const root = await folder()
    await mkdir(join(root, 'm'))
    const config = { ...stdio('server-memory'), env: { MEMORY_FILE_PATH: join(root, 'm/memory.jsonl') } }
    const stage = await attached({ servers: { memory: await reached(config) }, agent })
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }]
    expect(await stage.call('mcp__memory__create_entities', { entities })).toMatchObject({ isError: false })
    expect((await stage.call('mcp__memory__read_graph')).text).toContain('writes programs')
    expect(await readFile(join(root, 'm/memory.jsonl'), 'utf8')).toContain('Ada')
    expect((await stage.call('mcp__memory__create_entities', { entities: 'none' })).isError).toBe(true)
  })

  test('a list that changes is announced, an interrupted call is cancelled, and the prompt keeps its tools', async () => {
    const root = await folder()
    const config = { ...stub(), env: { STUB_CANCELLED: join(root, 'log') } } as ServerConfig
    const stage = await attached({ servers: { s: await reached(config) } })
    const before = JSON.stringify(stage.start.mcpTools)
    const stop = new AbortController()
    const pending = stage.call('mcp__s__hang', {}, stop.signal)
    setTimeout(() => stop.abort(), 200)
    expect((await pending).text).toBe('The run was interrupted; what the call has done is not known.')
    await expect.poll(() => readFile(join(root, 'log'), 'utf8').catch(() => '')).toBe('cancelled\n')
    await stage.call('mcp__s__change')
    const said: string[] = []
    await expect
      .poll(() => said.push(...stage.queue.drain().map(({ message }) => message)) && said)
      .toEqual(['the tools of the MCP server s changed during the run (fresh came, say went); the list in the prompt stays as it was'])
    expect(await stage.call('mcp__s__say')).toEqual({ text: 'Not called: the MCP server s no longer has the tool say.', isError: true })
    expect(JSON.stringify(stage.start.mcpTools)).toBe(before)
  })
})

test('the everything server over stdio: texts, pictures, links, structured content, progress, resources', async () => {
  await everything({ all: stdio('server-everything', 'stdio') }, process.env)
})

test('the everything server over streamable http gives the same, and hears when the run has ended', async () => {
  const port = await freePort()
  const { said } = await listening(port)
  const stage = await everything(throughHttp(), { EVERYTHING_PORT: String(port) })
  await stage.close()
  await expect.poll(() => said()).toMatch(/terminat/i)
})

describe('a server over http that goes away', () => {
  test('is told in words, and is there again for the next call when it is back', async () => {
    const port = await freePort()
    const first = await listening(port)
    const stage = await attached({
      servers: throughHttp(),
      agent,
      pool: { env: { EVERYTHING_PORT: String(port) }, backOff: [0, 1, 1] },
    })
    expect(await stage.call('mcp__all__echo', { message: 'one' })).toMatchObject({ text: 'Echo: one' })
    const gone = new Promise((resolve) => first.child.once('close', resolve))
    first.child.kill('SIGKILL')
    await gone
    const dead = await stage.call('mcp__all__echo', { message: 'two' })
    expect(dead).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^The MCP server all cannot be used: it .*not known\.$/) as string,
    })
    await listening(port)
    expect(await stage.call('mcp__all__echo', { message: 'three' })).toEqual({ text: 'Echo: three', isError: false })
    expect(stage.queue.drain().map(({ message }) => message)).toContain('the MCP server all was started again')
  })

  test('one that has forgotten the session gets a new one with the next call', async () => {
    const bridge = await overHttp(stub())
    const stage = await attached({ servers: { s: bridge.config } })
    expect(await stage.call('mcp__s__say')).toMatchObject({ isError: false })
    expect(bridge.sessions()).toBe(1)
    await bridge.forget()
    expect(await stage.call('mcp__s__say')).toMatchObject({ isError: true })
    expect(await stage.call('mcp__s__say')).toMatchObject({ isError: false })
    await stage.close()
    await expect.poll(() => bridge.sessions()).toBe(0)
  })
})

function throughHttp(): Record<string, ServerConfig> {
  const url = 'http://127.0.0.1:${EVERYTHING_PORT}/mcp'
  return { all: { type: 'http', url, headers: { Authorization: 'Bearer ${NO_TOKEN:-none}' } } }
}

async function listening(port: number): Promise<{ child: ChildProcess; said: () => string }> {
  const child = spawn(process.execPath, [programOf('server-everything'), 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (/listening/i.test(said)) resolve()
      })
  })
  return { child, said: () => said }
}

async function everything(servers: Record<string, ServerConfig>, env: NodeJS.ProcessEnv) {
  const steps: string[] = []
  const stage = await attached({
    servers,
    agent,
    pool: { env, progress: ({ name }, { progress, total }) => steps.push(`${name} ${progress}/${total}`) },
  })
  expect(stage.notices).toEqual([])
  expect(await stage.call('mcp__all__echo', { message: 'hi' })).toEqual({ text: 'Echo: hi', isError: false })
  const picture = await stage.call('mcp__all__get-tiny-image')
  expect(picture.images).toMatchObject([{ type: 'base64', media_type: 'image/png' }])
  expect((await stage.call('mcp__all__get-resource-links', { count: 2 })).text).toMatch(/\[resource: demo:\/\//)
  expect((await stage.call('mcp__all__get-structured-content', { location: 'Chicago' })).text).toContain('temperature')
  expect(await stage.call('mcp__all__trigger-long-running-operation', { duration: 0.4, steps: 2 })).toMatchObject({ isError: false })
  expect(steps[0]).toMatch(/^mcp__all__trigger-long-running-operation \d\/2$/)
  const wrong = await stage.call('mcp__all__get-sum', { a: 'x' })
  expect(wrong.isError).toBe(true)
  const list = await stage.call('ListMcpResources')
  const [uri] = /demo:\/\/resource\/\S+/.exec(list.text) ?? []
  expect(uri, list.text).toBeDefined()
  expect(await stage.call('ReadMcpResource', { server: 'all', uri })).toMatchObject({
    isError: false,
    text: expect.stringContaining(uri!) as string,
  })
  expect(await stage.call('ReadMcpResource', { server: 'nobody', uri })).toEqual({
    text: 'There is no MCP server "nobody". There are: all.',
    isError: true,
  })
  return stage
}
