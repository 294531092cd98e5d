import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { isPrivate, publicLookup } from '../../../runner/tools/web/address.ts'
import { markdownOf } from '../../../runner/tools/web/markdown.ts'
import { get } from '../../../runner/tools/web/get.ts'
import { webFetch } from '../../../runner/tools/web-fetch.ts'
import type { ToolContext, ToolOutput } from '../../../runner/tools/tool.ts'
import { ROOT } from '../../support/tree.ts'
import { folder } from '../stage.ts'
import { use } from './use.ts'

async function server(listener: RequestListener): Promise<string> {
  const http = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void (http.close(), http.closeAllConnections()))
  await new Promise((resolve) => http.once('listening', resolve))
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

const ALLOWED = { mayReachPrivate: () => true }
const fetched = async (url: string, more: Partial<ToolContext> = ALLOWED, tool = webFetch()): Promise<ToolOutput> =>
  use(tool, await folder(), { url, prompt: 'what it says' }, more)

const PAGE = `<!doctype html><html><head><title>T</title><style>p{}</style><script>alert(1)</script></head><body><nav>menu</nav>
<h1>Head</h1><p>A <b>bold</b> <a href="/x">link</a>.</p><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>
<pre><code>x = 1
</code></pre></body></html>`

test('a page comes as Markdown, with its tables, and without scripts, styles and menus', async () => {
  const url = await server((_, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE))
  const { text, isError } = await fetched(`${url}/page#part`)
  expect(isError).toBe(false)
  expect(text).toBe(
    `[${url}/page: status 200, text/html; what follows was written by others]\n# Head\n\nA **bold** [link](/x).\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n\`\`\`\nx = 1\n\`\`\``,
  )
})

test('JSON and plain text come as they are, in their own encoding; what is not text is refused', async () => {
  const url = await server(({ url: path }, response) => {
    if (path === '/json') response.setHeader('content-type', 'application/ld+json').end('{"a": 1}')
    else if (path === '/latin') response.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from('gr\xFCn', 'latin1'))
    else if (path === '/odd') response.setHeader('content-type', 'text/plain; charset=none-such').end('text')
    else response.setHeader('content-type', path === '/none' ? '' : 'image/png').end(Buffer.from([1, 0]))
  })
  expect((await fetched(`${url}/json`)).text).toContain('\n{"a": 1}')
  expect((await fetched(`${url}/latin`)).text).toContain('\ngrün')
  expect((await fetched(`${url}/odd`)).text).toContain('\ntext')
  expect(await fetched(`${url}/png`)).toEqual({ text: `${url}/png is image/png, not text (status 200, 2 bytes).`, isError: true })
  expect((await fetched(`${url}/none`)).text).toContain('/none is binary, not text')
})

test('a page that is not found is an error that shows what it says', async () => {
  const url = await server((_, response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('no such thing'))
  expect(await fetched(url)).toEqual({ text: expect.stringMatching(/status 404[^]*no such thing/), isError: true })
})

test('redirects are followed on the same host, at most five, and told when they lead elsewhere', async () => {
  const url = await server(({ url: path }, response) => {
    const step = Number(path!.slice(1))
    if (path === '/away') response.writeHead(302, { location: 'https://example.com/x' }).end()
    else if (path === '/port') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    else if (path === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    else if (step > 0) response.writeHead(301, { location: `/${step - 1}` }).end()
    else response.setHeader('content-type', 'text/plain').end('arrived')
  })
  expect((await fetched(`${url}/5`)).text).toContain('arrived')
  expect((await fetched(`${url}/6`)).text).toBe(`${url}/6 leads on more than 5 times.`)
  expect((await fetched(`${url}/away`)).text).toContain('leads on to another place, https://example.com/x. It was not followed')
  expect((await fetched(`${url}/port`)).text).toContain('It was not followed')
  expect(await fetched(`${url}/file`)).toEqual({ text: expect.stringContaining('only http and https are'), isError: true })
})

test('addresses that are none, hold a password or another scheme are not fetched', async () => {
  for (const url of ['example.com', 'ftp://example.com/', 'file:///etc/passwd', 'data:text/plain,x', 'http://user:secret@example.com/']) {
    const { text, isError } = await fetched(url)
    expect([isError, text.includes('secret')]).toEqual([true, false])
  }
})

test('private addresses are refused in every spelling, unless a person has allowed the host', async () => {
  const url = await server((_, response) => response.setHeader('content-type', 'text/plain').end('inside'))
  const { port } = new URL(url)
  const spellings = [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '127.1',
    '①②⑦.0.0.1',
  ]
  for (const host of spellings) {
    const { text, isError } = await fetched(`http://${host}:${port}/`, {})
    expect([host, isError, text]).toEqual([host, true, expect.stringContaining('private address')])
  }
  expect((await fetched(url, { mayReachPrivate: (host) => host === '127.0.0.1' })).text).toContain('inside')
})

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fec0::1',
  'not an address',
])('%s is private', (address) => {
  expect(isPrivate(address)).toBe(true)
})

test.each(['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450::1'])(
  '%s is not private',
  (address) => {
    expect(isPrivate(address)).toBe(false)
  },
)

test('a name is looked up once, and the address that was checked is the one that is connected to', async () => {
  const url = await server(({ headers }, response) => response.end(headers.host))
  let looks = 0
  const lookup: LookupFunction = (_, options, done) => {
    looks += 1
    if (looks > 1) done(new Error('looked up again'), '', 0)
    else if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }])
    else done(null, '127.0.0.1', 4)
  }
  const { port } = new URL(url)
  const page = await get(new URL(`http://pages.example:${port}/`), { signal: new AbortController().signal, allowPrivate: false, lookup })
  expect([page.body.toString(), looks]).toEqual([`pages.example:${port}`, 1])
})

test('a name that leads to a private address is refused when it is looked up', async () => {
  const outcome = await new Promise((resolve) => publicLookup('localhost', { all: true }, (error, address) => resolve(error ?? address)))
  expect(String(outcome)).toContain('PrivateAddress')
})

test('packed pages are unpacked, a bomb is cut, and what is broken or packed in another way is an error', async () => {
  const url = await server(({ url: path }, response) => {
    const kind = path!.slice(1)
    response.setHeader('content-type', 'text/plain').setHeader('content-encoding', kind === 'bomb' || kind === 'broken' ? 'gzip' : kind)
    const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[kind]
    response.end(pack ? pack('packed') : kind === 'bomb' ? gzipSync(Buffer.alloc(200 * 1024 ** 2, 'a')) : 'nonsense')
  })
  for (const kind of ['gzip', 'deflate', 'br']) expect((await fetched(`${url}/${kind}`)).text).toContain('\npacked')
  const bomb = await fetched(`${url}/bomb`)
  expect([bomb.isError, bomb.text.length < 11 * 1024 ** 2, bomb.text.endsWith('bytes]')]).toEqual([false, true, true])
  expect((await fetched(`${url}/broken`)).text).toContain('cannot be fetched')
  expect((await fetched(`${url}/zstd`)).text).toContain('packed as zstd, which is not known here')
})

test('a page that does not come in time is an error, also when it comes byte by byte', async () => {
  const url = await server(({ url: path }, response) => {
    if (path === '/never') return
    const timer = setInterval(() => response.write('a'), 20)
    response.once('close', () => clearInterval(timer))
  })
  for (const path of ['never', 'slow']) {
    expect((await fetched(`${url}/${path}`, ALLOWED, webFetch(300))).text).toBe(
      `${url}/${path} cannot be fetched: it took longer than 300 ms.`,
    )
  }
})

test('an interruption ends the wait at once', async () => {
  const url = await server(() => undefined)
  const control = new AbortController()
  const waiting = fetched(url, { ...ALLOWED, signal: control.signal })
  setTimeout(() => control.abort(), 100)
  expect(await waiting).toEqual({ text: 'The run was interrupted.', isError: true })
})

test('a page that is too much for a parser comes without its tags, in bounded time', async () => {
  const deep = `<script>let x = '<p>'</script>${'<div>'.repeat(100_000)}a &lt; <b>deep</b>`
  const began = Date.now()
  expect(await markdownOf(deep, 500)).toBe('a &lt; deep')
  expect(Date.now() - began).toBeLessThan(5000)
  expect(await markdownOf('<p>x <b>y</b></p>'.repeat(200_000))).toMatch(
    /^x \*\*y\*\*[^]*\[The page goes on: only its first 2000000 characters/,
  )
})

test('the bundle finds the thread that makes Markdown', async () => {
  const dist = join(ROOT, 'dist')
  const starters = readdirSync(dist).filter(
    (name) => /\.[cm]js$/.test(name) && readFileSync(join(dist, name), 'utf8').includes('./markdown-worker.js'),
  )
  expect(starters).toEqual([expect.stringMatching(/^markdown-.*\.mjs$/), expect.stringMatching(/^run-.*\.cjs$/)])
  const [made] = Object.values((await import(pathToFileURL(join(dist, starters[0]!)).href)) as Record<string, typeof markdownOf>)
  expect(await made!('<p>a <b>b</b></p>')).toBe('a **b**')
})

test('nobody there and no such host are told apart', async () => {
  expect((await fetched('http://127.0.0.1:1/')).text).toContain('nobody answers there')
  expect((await fetched('http://no-such-host.invalid/')).text).toMatch(/no such host|EAI_AGAIN/)
})
