// floor for `agentc run`: the bare SDK in a loop with one Read tool; bundle it with esbuild before timing. MODE=create for no streaming
import Anthropic from '@anthropic-ai/sdk'
import { readFile } from 'node:fs/promises'
const c = new Anthropic({ apiKey: 'dummy' })
const tools = [
  {
    name: 'Read',
    description: 'Reads a file',
    input_schema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
  },
]
const messages = [{ role: 'user', content: process.argv[2] ?? 'go' }]
for (let i = 0; i < 200; i++) {
  const body = { model: 'claude-sonnet-5-5', max_tokens: 1024, system: 'You are a test agent.', tools, messages }
  const m = process.env.MODE === 'create' ? await c.messages.create(body) : await c.messages.stream(body).finalMessage()
  messages.push({ role: 'assistant', content: m.content })
  const uses = m.content.filter((b) => b.type === 'tool_use')
  if (!uses.length) {
    console.log(m.content[0].text)
    break
  }
  messages.push({
    role: 'user',
    content: await Promise.all(
      uses.map(async (u) => ({ type: 'tool_result', tool_use_id: u.id, content: await readFile(u.input.file_path, 'utf8') })),
    ),
  })
}
