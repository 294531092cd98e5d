// floor for `agentc run`: no SDK, plain fetch, one Read tool. ANTHROPIC_BASE_URL=… node run-floor-fetch.mjs [prompt]
import { readFile } from 'node:fs/promises'
const tools = [
  {
    name: 'Read',
    description: 'Reads a file',
    input_schema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
  },
]
const messages = [{ role: 'user', content: process.argv[2] ?? 'go' }]
for (let i = 0; i < 200; i++) {
  const r = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'dummy', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'claude-sonnet-5-5', max_tokens: 1024, system: 'You are a test agent.', tools, messages }),
  })
  const m = await r.json()
  messages.push({ role: 'assistant', content: m.content })
  const uses = m.content.filter((c) => c.type === 'tool_use')
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
