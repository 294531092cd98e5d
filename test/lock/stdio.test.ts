import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { StdioTransport } from '../../compiler/lock/stdio.ts'
import { messagesIn } from '../../schemas/mcp-stdio.ts'
import { heap } from '../run/heap.ts'
import { temporary } from '../support/tree.ts'

/** Writes 128 MiB without a line break, then a message, and says in a file that all of it was taken. */
const FLOOD = `
const { writeFileSync } = require('node:fs')
process.stdin.resume()
const piece = 'x'.repeat(1 << 20)
const write = (left) => process.stdout.write(left > 0 ? piece : '\\n{"jsonrpc":"2.0","id":1,"result":{}}\\n', () => {
  if (left > 0) write(left - 1)
  else writeFileSync(process.argv[1], 'taken')
})
write(128)`

test('of a message that is too large nothing is kept, and nothing is read any more, however much comes behind it', async () => {
  const taken = join(temporary(), 'taken')
  const transport = new StdioTransport({
    command: process.execPath,
    args: ['-e', FLOOD, taken],
    env: {},
    cwd: '/',
    outer: undefined,
    kill: (pid, signal) => process.kill(pid, signal),
  })
  onTestFinished(() => transport.close())
  const messages: unknown[] = []
  const closed = new Promise<void>((resolve) => {
    Object.assign(transport, { onmessage: (message: unknown) => messages.push(message), onclose: resolve })
  })
  const before = heap()
  await transport.start()
  await closed
  expect(transport.ended).toBe('it sends a message larger than 16 MiB')
  while (!existsSync(taken)) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(heap() - before).toBeLessThan(8 * 1024 * 1024)
  expect(messages).toEqual([])
})

test('messages are found however they are cut, and the limit is that of one message, not of all', () => {
  const line = (id: number) => `{"jsonrpc":"2.0","id":${id}}\n`
  const text = `hello\n${[1, 2, 3].map(line).join('not {json}\n')}[]\n\n{"id":4}\n${line(5)}`
  for (const size of [1, 2, 7, 40]) {
    const read = messagesIn(60)
    const found = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => read(text.slice(at * size, (at + 1) * size)))
    expect(found.flat()).toEqual([1, 2, 3, 5].map((id) => ({ jsonrpc: '2.0', id })))
  }
  const read = messagesIn(60)
  expect([read('x'.repeat(60)), read('x'), read('\n'), read(line(1))]).toEqual([[], undefined, undefined, undefined])
})
