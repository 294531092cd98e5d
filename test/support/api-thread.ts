import { Worker } from 'node:worker_threads'

/** The thread in which all scripted APIs of this process are served; it is no reason to stay. */
let thread: Worker | undefined
const waiting = new Map<number, (url: string) => void>()
let servers = 0

function asked(message: { id: number; script?: unknown; log?: string }): Promise<string> {
  thread ??= begun()
  return new Promise((resolve) => {
    waiting.set(message.id, resolve)
    thread!.ref()
    thread!.postMessage(message, [])
  })
}

function begun(): Worker {
  const worker = new Worker(new URL('../fake-api/thread.mjs', import.meta.url))
  return worker.on('message', ({ id, url }: { id: number; url: string }) => {
    waiting.get(id)!(url)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
  })
}

/** Starts a scripted Messages API that writes its requests into `log`; `close` ends it with all of its connections. */
export async function startApi(script: unknown, log: string): Promise<{ url: string; close: () => Promise<string> }> {
  const id = ++servers
  return { url: await asked({ id, script, log }), close: () => asked({ id }) }
}
