// A thread of fake Messages APIs, for tests that want one each: they start at once, and live on while the tests' own thread waits.
import { parentPort } from 'node:worker_threads'
import { serve } from './server.mjs'

const servers = new Map()

parentPort.on('message', async ({ id, script, log }) => {
  const server = servers.get(id)
  if (server) {
    servers.delete(id)
    await server.close()
    parentPort.postMessage({ id })
  } else {
    const begun = await serve({ script, log })
    servers.set(id, begun)
    parentPort.postMessage({ id, url: begun.url })
  }
})
