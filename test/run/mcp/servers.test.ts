import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ServerConfig } from '../../../schemas/shapes/server.ts'
import { folder } from '../stage.ts'
import { alive, attached, freePort, programOf } from './stage.ts'

/** Servers that others wrote, as they come from npm. */

const stdio = (name: string, ...args: string[]): ServerConfig => ({
  type: 'stdio',
  command: process.execPath,
  args: [programOf(name), ...args],
})
const agent = { tools: ['ListMcpResources', 'ReadMcpResource'] }

describe('over stdio', () => {
  test('the filesystem server lists a folder, reads a file and refuses what is outside; nothing of it is left', async () => {
    const root = await folder({ 'a.txt': 'content of a' })
    const stage = await attached({ servers: { files: stdio('server-filesystem', root) }, agent })
    expect(Object.keys(stage.start.mcpTools!)).toContain('mcp__files__read_text_file')
    expect(stage.start.mcpTools!.mcp__files__read_text_file!.traits).toEqual({ readOnly: true })
    expect(stage.start.mcpTools!.mcp__files__write_file!.traits).toEqual({ readOnly: false })
    expect(await stage.call('mcp__files__read_text_file', { path: join(root, 'a.txt') })).toEqual({ text: 'content of a', isError: false })
    const outside = await stage.call('mcp__files__read_text_file', { path: '/etc/passwd' })
    expect(outside).toMatchObject({ isError: true, text: expect.stringContaining('Access denied') as string })
    expect(alive(stage.mark).length).toBeGreaterThan(0)
    await stage.close()
    expect(alive(stage.mark)).toEqual([])
  })

  test('the memory server keeps what it is told', async () => {
    const root = await folder()
    await mkdir(join(root, 'm'))
    const config = { ...stdio('server-memory'), env: { MEMORY_FILE_PATH: '${MEMORY_HOME}/m/memory.jsonl' } } as ServerConfig
    const stage = await attached({ servers: { memory: config }, agent, pool: { env: { ...process.env, MEMORY_HOME: root } } })
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }]
    expect(await stage.call('mcp__memory__create_entities', { entities })).toMatchObject({ isError: false })
    expect((await stage.call('mcp__memory__read_graph')).text).toContain('writes programs')
  })

  test('the everything server: texts, pictures, links, structured content, progress, resources', async () => {
    const steps: string[] = []
    const stage = await attached({
      servers: { all: stdio('server-everything', 'stdio') },
      agent,
      pool: { progress: (name, { progress, total }) => steps.push(`${name} ${progress}/${total}`) },
    })
    await everything(stage)
    expect(steps.length).toBeGreaterThan(0)
    expect(steps[0]).toMatch(/^mcp__all__trigger-long-running-operation \d\/2$/)
  })
})

test('the everything server over streamable http gives the same, and hears when the run has ended', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [programOf('server-everything'), 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const listening = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (/listening/i.test(said)) resolve()
      })
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await listening
  const config: ServerConfig = {
    type: 'http',
    url: `http://127.0.0.1:\${EVERYTHING_PORT}/mcp`,
    headers: { Authorization: 'Bearer ${NO_TOKEN:-none}' },
  }
  const stage = await attached({ servers: { all: config }, agent, pool: { env: { EVERYTHING_PORT: String(port) } } })
  await everything(stage)
  await stage.close()
  await expect.poll(() => said).toMatch(/terminat/i)
})

async function everything(stage: Awaited<ReturnType<typeof attached>>): Promise<void> {
  expect(stage.notices).toEqual([])
  expect(await stage.call('mcp__all__echo', { message: 'hi' })).toEqual({ text: 'Echo: hi', isError: false })
  const picture = await stage.call('mcp__all__get-tiny-image')
  expect(picture.images).toMatchObject([{ type: 'base64', media_type: 'image/png' }])
  expect((await stage.call('mcp__all__get-resource-links', { count: 2 })).text).toMatch(/\[resource: demo:\/\//)
  expect((await stage.call('mcp__all__get-structured-content', { location: 'Chicago' })).text).toContain('temperature')
  expect(await stage.call('mcp__all__trigger-long-running-operation', { duration: 0.4, steps: 2 })).toMatchObject({ isError: false })
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
}
