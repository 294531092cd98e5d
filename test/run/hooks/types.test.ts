import { createServer, type IncomingMessage } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Reply } from '../../../runner/message.ts'
import { startOf } from '../manifest-fixture.ts'
import { bash, busOf, moment, on } from './stage.ts'

const pre = (output: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...output } })

describe('handlers that are no commands', () => {
  test('http: the input is sent, only listed variables are filled in, and a 2xx answer counts', async () => {
    const seen: { headers: IncomingMessage['headers']; body: string }[] = []
    const url = await listening((request, body) => {
      seen.push({ headers: request.headers, body })
      return request.url === '/bad'
        ? [500, 'no']
        : [200, JSON.stringify(pre({ permissionDecision: 'deny', permissionDecisionReason: 'by http' }))]
    })
    const http = { type: 'http' as const, headers: { authorization: 'Bearer $TOKEN', 'x-other': '[${OTHER}]' }, allowedEnvVars: ['TOKEN'] }
    const { bus, said } = await busOf(
      on('PreToolUse', { ...http, url: `${url}/hook?key=1` }, { ...http, url: `${url}/bad` }),
      {},
      { env: { TOKEN: 'abc', OTHER: 'hidden' } },
    )
    expect(await bus.fire(bash, moment())).toMatchObject({
      decision: 'deny',
      reason: `the PreToolUse hook [${url}/hook] refuses it: by http`,
    })
    expect(said()).toEqual([`hook-failed: the PreToolUse hook ${url}/bad failed: it answered with status 500`])
    expect(seen[0]!.headers).toMatchObject({ authorization: 'Bearer abc', 'x-other': '[]', 'content-type': 'application/json' })
    expect(JSON.parse(seen[0]!.body)).toMatchObject({ hook_event_name: 'PreToolUse', tool_name: 'Bash' })
  })

  test('prompt: a model gives the verdict, one after another, and what that costs is told', async () => {
    const { header } = startOf({}, '')
    const asked: string[] = []
    const spent: string[] = []
    const replies = ['```json\n{"ok": false, "reason": "too risky"}\n```', '{"ok": true}', 'I cannot say.']
    const judges = {
      header,
      spent: (_: Reply, model: string) => void spent.push(model),
      model: async function* (request: { model: string; messages: unknown }) {
        asked.push(JSON.stringify(request.messages))
        yield { type: 'stream_event', event: { type: 'ping' } }
        return reply(replies[asked.length - 1]!)
      },
    }
    const prompt = (text: string) => ({ type: 'prompt' as const, prompt: text })
    const { bus, said } = await busOf(
      on('PreToolUse', prompt('Is $ARGUMENTS fine?'), prompt('Second'), prompt('Third')),
      {},
      { judges: judges as never },
    )
    expect(await bus.fire(bash, moment())).toEqual({
      decision: 'deny',
      reason: 'the PreToolUse hook [prompt: Is $ARGUMENTS fine?] refuses it: too risky',
      context: [],
    })
    expect(asked[0]).toContain(String.raw`Is {\"session_id\":\"session-1\"`)
    expect(asked[1]).toContain(String.raw`Second\n\n{\"session_id\"`)
    expect(spent).toEqual([header.models.haiku, header.models.haiku, header.models.haiku])
    expect(said()).toEqual(['hook-failed: the PreToolUse hook prompt: Third failed: the model did not answer with a verdict'])
  })

  test('agent: it may read and nothing else; mcp_tool: the text of the tool is read as output', async () => {
    const { header } = startOf({}, '')
    const judges = {
      header,
      model: undefined as never,
      investigate: (start: { agent: { toolViews: { main: { tools: string[] } } } }) =>
        Promise.resolve(JSON.stringify({ ok: false, reason: start.agent.toolViews.main.tools.join() })),
    }
    const calls: unknown[] = []
    const callTool = (...call: unknown[]) => (
      calls.push(call.slice(0, 3)),
      Promise.resolve({ text: JSON.stringify(pre({ additionalContext: 'from a tool' })), isError: false })
    )
    const tool = {
      type: 'mcp_tool' as const,
      server: 'db',
      tool: 'check',
      input: { text: 'run ${tool_input.command}', list: ['${tool_name}'] },
    }
    const { bus } = await busOf(
      on('PreToolUse', { type: 'agent', prompt: 'Look' }, tool),
      {},
      { judges: judges as never, callTool: callTool as never },
    )
    expect(await bus.fire(bash, moment())).toEqual({
      decision: 'deny',
      reason: 'the PreToolUse hook [agent: Look] refuses it: Glob,Grep,Read',
      context: ['from a tool'],
    })
    expect(calls).toEqual([['db', 'check', { text: 'run git push', list: ['Bash'] }]])
  })
})

function reply(text: string): Reply {
  return {
    type: 'reply',
    id: 'm',
    model: 'x',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    broken: {},
  }
}

async function listening(answer: (request: IncomingMessage, body: string) => [number, string]): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const [status, text] = answer(request, body)
      response.writeHead(status).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}
