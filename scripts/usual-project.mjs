// A project as people have them, and a model that reads a file of it: what code-cache.mjs shows to V8.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const FILES = {
  '.git/HEAD': '',
  'README.md': 'A project.\n',
  '.claude/settings.json': '{ "permissions": { "allow": ["Read"] } }\n',
  '.claude/skills/s/SKILL.md': '---\nname: s\ndescription: Is a skill.\n---\n\nText.\n',
  '.claude/agents/a.md':
    '---\nname: a\ndescription: Does a.\ntools: Read, Bash(git *), Wrte\nmodel: sonnet\nmemory: project\nskills:\n  - s\n---\n\nYou are a.\n',
  '.claude/agents/b.md':
    '---\nname: b\ndescription: "Does b."\ncolor: red\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./x.sh\n---\n\nYou are b.\n',
}

/** Writes the project into a folder. */
export function layProject(folder) {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** A Messages API on the loopback that has `file` read and then is done. Out: `{ url, close }`. */
export async function scriptedApi(file) {
  const input = JSON.stringify({ file_path: file })
  const turns = [
    [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }, { type: 'input_json_delta', partial_json: input }, 'tool_use'],
    [{ type: 'text', text: '' }, { type: 'text_delta', text: 'Done.' }, 'end_turn'],
  ]
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(eventsOf(turns.shift()).map(sse).join(''))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => (server.closeAllConnections(), server.close())
  return { url: `http://127.0.0.1:${server.address().port}`, close }
}

function eventsOf([block, delta, stop]) {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null }
  return [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ]
}

function sse(event) {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
