import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { isPrivate, literalAddress, PrivateAddress, publicLookup } from './address.ts'

/** Bytes of a page, unpacked. */
export const PAGE_BYTES = 10 * 1024 * 1024

export interface Page {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
  /** There was more than is taken. */
  cut: boolean
}

export interface GetOptions {
  signal: AbortSignal
  /** The host may be private. */
  allowPrivate: boolean
  lookup?: LookupFunction
}

/** One request, without redirects, proxies, cookies or credentials. Rejects with what went wrong. */
export async function get(url: URL, { signal, allowPrivate, lookup = publicLookup }: GetOptions): Promise<Page> {
  const literal = literalAddress(url.hostname)
  if (literal !== undefined && !allowPrivate && isPrivate(literal)) throw new PrivateAddress(`${literal} is one`)
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const headers = {
    'user-agent': 'agentc',
    accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1',
    'accept-encoding': 'gzip, deflate, br',
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { headers, signal, agent: false as const, maxHeaderSize: 65_536, ...(allowPrivate ? {} : { lookup }) }
    request(url, options, resolve).once('error', reject).end()
  })
  try {
    return { status: response.statusCode!, headers: response.headers, ...(await bodyOf(response)) }
  } finally {
    response.destroy()
  }
}

const UNPACK: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Unpacks while it comes, so that a small answer cannot unpack to more than is taken. */
async function bodyOf(response: IncomingMessage): Promise<Pick<Page, 'body' | 'cut'>> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const unpack = Object.hasOwn(UNPACK, encoding) ? UNPACK[encoding] : undefined
  if (!unpack && encoding !== 'identity' && encoding !== '') throw new Error(`the page is packed as ${encoding}, which is not known here`)
  const stream: Readable = unpack ? piped(response, unpack()) : response
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, PAGE_BYTES - bytes))
    bytes += chunk.length
    if (bytes > PAGE_BYTES) return { body: Buffer.concat(chunks), cut: true }
  }
  return { body: Buffer.concat(chunks), cut: false }
}

function piped(from: Readable, to: Transform): Transform {
  from.once('error', (error) => to.destroy(error))
  return from.pipe(to)
}
