// An MCP server of the project: a board with cards. It speaks JSON-RPC over its standard input and output, a message a line.
import { createInterface } from 'node:readline'

const cards = []
const TOOL = {
  name: 'add_card',
  description: 'Puts a card on the board.',
  inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'], additionalProperties: false },
}

function answer(method, params) {
  if (method === 'initialize')
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'board', version: '1.0.0' } }
  if (method === 'tools/list') return { tools: [TOOL] }
  if (method === 'tools/call') {
    cards.push(params.arguments.title)
    return { content: [{ type: 'text', text: `Card ${cards.length}: ${params.arguments.title}` }] }
  }
  return {}
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answer(method, params) }))
}
