import { pathToFileURL } from 'node:url'

/** The contender @anthropic-ai/claude-agent-sdk: `node run-sdk-agent.mjs ENTRY PROMPT` with ANTHROPIC_BASE_URL; it gets Read and nothing else. */
const [entry, prompt] = process.argv.slice(2)
const { query } = await import(pathToFileURL(entry).href)
const options = {
  model: 'claude-sonnet-5-5',
  systemPrompt: 'You are a test agent.',
  tools: ['Read'],
  allowedTools: ['Read'],
  settingSources: [],
  maxTurns: 100,
  cwd: process.cwd(),
  env: { ...process.env },
}
for await (const message of query({ prompt, options })) if (message.type === 'result') console.log(message.result)
