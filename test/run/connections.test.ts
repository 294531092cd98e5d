import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnections } from '../../runner/connections.ts'
import { on } from './hooks/stage.ts'
import { startOf } from './manifest-fixture.ts'
import { overHttp } from './mcp/bridge.ts'
import { stub } from './mcp/stage.ts'
import { connectionsTo } from './sockets.ts'
import { fakeApi, folder, runToEnd } from './stage.ts'

const origin = { source: 'user' as const, path: '.mcp.json', line: 1, column: 1 }
const portOf = (url: string): number => Number(new URL(url).port)

/** A server that hooks ask; it keeps connections open for as long as it may. */
async function hookServer(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'))
  })
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`
}

const LAST = {
  success: { text: 'Done.' },
  api_error: { text: '', fault: { type: '400' } },
  'a reply that is cut off again and again': { text: 'Done.', fault: { type: 'reset_mid' } },
  interrupted: { text: 'Done.', fault: { type: 'hang_mid' } },
}

describe.runIf(process.platform === 'linux')('connections', () => {
  test.each(Object.entries(LAST))('of a run that ends with %s none is open when it has ended', async (ending, last) => {
    const { config } = await overHttp(stub())
    const hook = await hookServer()
    const { url } = await fakeApi({ turns: [{ tools: [{ name: 'mcp__s__say', input: {} }] }, last] })
    const ports = [url, hook, (config as { url: string }).url].map(portOf)
    const start = startOf({ tools: [] }, 'go', {
      mcpServers: { s: { config, origin } },
      permissions: { allow: [{ tool: 'mcp__s__say' }], ask: [], deny: [] },
      hooks: on('PreToolUse', { type: 'http', url: hook }),
    })
    const stop = new AbortController()
    let called = false
    const meanwhile = new Set<string>()
    const { result } = await runToEnd(start, {
      cwd: await folder(),
      url,
      host: process,
      signal: stop.signal,
      seen: (event) => {
        for (const open of connectionsTo(ports)) meanwhile.add(open.split(' ')[0]!)
        called ||= event.type === 'user'
        if (ending === 'interrupted' && called && event.type === 'stream_event') stop.abort()
      },
    })
    expect(result.terminal_reason).toBe({ success: 'completed', interrupted: 'interrupted' }[ending] ?? 'api_error')
    // Each of the three was really talked to, and would have been kept open for the next question.
    expect([...meanwhile].map(Number).sort()).toEqual(ports.toSorted())
    expect(connectionsTo(ports)).toEqual([])
  })
})

interface Dispatcher {
  dispatch(...given: unknown[]): boolean
}

/** Names under which Node keeps the way to the net of the whole process; older ones have the first alone. */
const SHARED = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(Symbol.for)

test('where the process has a way to the net of its own kind, a run goes that way too, and leaves it as it is', async () => {
  const url = await hookServer()
  await (await fetch(url)).text()
  const globals = globalThis as unknown as Record<symbol, Dispatcher | undefined>
  const former = SHARED.flatMap((name) => globals[name] ?? [])
  onTestFinished(() => former.forEach((one, at) => void (globals[SHARED[at]!] = one)))
  let asked = 0
  class OfTheCompany extends (former[0]!.constructor as new () => Dispatcher) {
    override dispatch(...given: unknown[]): boolean {
      asked += 1
      return super.dispatch(...given)
    }
  }
  for (const at of former.keys()) globals[SHARED[at]!] = new OfTheCompany()
  const connections = openConnections()
  expect(await (await connections.fetch(url)).json()).toEqual({})
  await connections.close()
  expect(asked).toBe(1)
  expect(await (await fetch(url)).json()).toEqual({})
  expect(asked).toBe(2)
  await expect(connections.fetch(url)).rejects.toThrow('the run has closed its connections')
})
