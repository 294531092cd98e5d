import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { requestFaults, type ApiRequest, type RequestExpectation } from './api-expect.ts'

/** One answer of the scripted API of a case: what the request must hold, and what it gets. `match` picks the request by its agent. */
export interface ApiStep {
  match?: { agent: string }
  expect?: RequestExpectation
  reply: { status?: number; headers?: Record<string, string>; body?: ApiMessage; hang?: true }
  repeat?: true
}

interface ApiMessage {
  content: { type: string; text?: string; input?: unknown }[]
  stop_reason: string
  usage: Record<string, number>
}

export interface ApiCase {
  url: string
  requests: ApiRequest[]
  /** What the requests lacked, and requests beyond the script. */
  faults: string[]
  /** From now on no request is answered. */
  hang(): void
}

/** Starts the API of a case (`api.json`): it answers in order and looks at each request. `fill` gives the values of `{{…}}`. */
export async function apiCase(folder: string, fill: Readonly<Record<string, string>> = {}): Promise<ApiCase> {
  const text = readFileSync(join(folder, 'api.json'), 'utf8').replace(/\{\{(\w+)\}\}/g, (whole, name: string) => fill[name] ?? whole)
  const steps = JSON.parse(text) as ApiStep[]
  const hang = (): void => void steps.splice(0, steps.length, { reply: { hang: true }, repeat: true })
  const found: ApiCase = { url: '', requests: [], faults: [], hang }
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => answer(body, steps, found, response))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void (server.close(), server.closeAllConnections()))
  await new Promise((resolve) => server.once('listening', resolve))
  found.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return found
}

async function bodyOf(request: IncomingMessage): Promise<ApiRequest['body']> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string
  return JSON.parse(text) as ApiRequest['body']
}

function answer(body: ApiRequest['body'], steps: ApiStep[], found: ApiCase, response: ServerResponse): void {
  const request: ApiRequest = { body, at: Date.now() }
  const at = steps.findIndex((step) => !step.match || JSON.stringify(body.system ?? '').includes(step.match.agent))
  const step = steps[at]
  const name = `request ${found.requests.length}`
  if (step) found.faults.push(...requestFaults(step.expect ?? {}, request, found.requests).map((fault) => `${name}: ${fault}`))
  else found.faults.push(`${name} is more than the script answers`)
  found.requests.push(request)
  if (step && !step.repeat) steps.splice(at, 1)
  if (step?.reply.hang) return
  const { status = 400, headers = {}, body: reply } = step?.reply ?? {}
  const streams = body.stream === true && status === 200
  response.writeHead(status, { 'content-type': streams ? 'text/event-stream' : 'application/json', ...headers })
  response.end(
    streams
      ? streamed(reply!)
      : JSON.stringify(reply ?? { type: 'error', error: { type: 'invalid_request_error', message: 'no more replies' } }),
  )
}

/** A message as the events of a stream. */
function streamed(message: ApiMessage): string {
  const { content, stop_reason, usage } = message
  const blocks = content.flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} } },
    { type: 'content_block_delta', index, delta: deltaOf(block) },
    { type: 'content_block_stop', index },
  ])
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

function deltaOf(block: ApiMessage['content'][number]): Record<string, unknown> {
  if (block.type === 'text') return { type: 'text_delta', text: block.text }
  return { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
}
