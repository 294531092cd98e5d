import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The Messages API of test/fake-api as the other end of a measured run. */

const SERVER = fileURLToPath(new URL('../fake-api/server.mjs', import.meta.url))
const SCRIPT = fileURLToPath(new URL('../fake-api/scripts/read50.json', import.meta.url))

/** In: the temporary folder. Out: `{ url, prepare, arrivals, stop }`. */
export async function fakeApi(dir) {
  const log = join(dir, 'requests.jsonl')
  const child = spawn(process.execPath, [SERVER, '--port', '0', '--log', log], { stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.stdout.setEncoding('utf8').once('data', resolve)
  })
  const { url } = JSON.parse(line)
  let seen = 0
  return {
    url,
    stop: () => child.kill('SIGKILL'),
    /** Gives the server the script with the file that this contender may read, and forgets the runs before. */
    prepare: async (folder) => {
      const script = readFileSync(SCRIPT, 'utf8').replaceAll('{{env:FIXTURE}}', folder)
      await fetch(`${url}/__script`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: script })
      seen = statSync(log).size
    },
    /** When each request for a message since `prepare` arrived, in ms since 1970, and how many bytes its body has. */
    arrivals: async () => {
      await idle(url)
      return textFrom(log, seen)
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => JSON.parse(text))
        .filter(({ path }) => path.startsWith('/v1/messages') && !path.includes('count_tokens'))
        .map(({ at, body }) => ({ at, bytes: Buffer.byteLength(JSON.stringify(body)) }))
        .sort((a, b) => a.at - b.at)
    },
  }
}

/** A request is written down when its connection has closed or its answer is out. */
async function idle(url) {
  for (;;) {
    const { in_flight } = await (await fetch(`${url}/__stats`)).json()
    if (in_flight <= 1) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function textFrom(file, offset) {
  const bytes = Buffer.alloc(statSync(file).size - offset)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, bytes, 0, bytes.length, offset)
  } finally {
    closeSync(handle)
  }
  return bytes.toString('utf8')
}
