import { urlOf } from '../../schemas/url.ts'
import { failed, fine, type Tool, type ToolContext, type ToolOutput } from './tool.ts'
import { PrivateAddress } from './web/address.ts'
import { get, PAGE_BYTES, type Page } from './web/get.ts'

const TIMEOUT = 30_000
const REDIRECTS = 5

/**
 * Fetches a page and gives it as Markdown. `prompt` says what it is wanted for; it is not sent anywhere: the page itself is the answer.
 * A redirect to another host is told and not followed, since the rules were asked about this host only. Addresses of this machine and of
 * private networks are refused unless a person has allowed the host.
 */
export function webFetch(timeout = TIMEOUT): Tool {
  return {
    async run(input, context) {
      const url = usable(input.url as string)
      if (typeof url === 'string') return failed(url)
      const limit = AbortSignal.timeout(timeout)
      try {
        return await followed(url, context, AbortSignal.any([context.signal, limit]))
      } catch (error) {
        if (context.signal.aborted) return failed('The run was interrupted.')
        return failed(`${url.href} cannot be fetched: ${limit.aborted ? `it took longer than ${timeout} ms` : reasonOf(error)}.`)
      }
    },
  }
}

function usable(given: string): URL | string {
  const url = urlOf(given)
  if (!url) return `${given} is not an address; it begins with http:// or https://.`
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `${given} is not fetched: only http and https are.`
  if (url.username !== '' || url.password !== '') return 'The address holds a name or password, and such addresses are not fetched.'
  url.hash = ''
  return url
}

async function followed(first: URL, context: ToolContext, signal: AbortSignal): Promise<ToolOutput> {
  let url = first
  for (let hop = 0; hop <= REDIRECTS; hop++) {
    const page = await get(url, { signal, allowPrivate: context.mayReachPrivate(url.hostname) })
    const to = page.headers.location
    if (page.status < 300 || page.status > 399 || to === undefined) return shown(url, page)
    const target = urlOf(to, url)
    const next = target ? usable(target.href) : `${to} is not an address.`
    if (typeof next === 'string') return failed(`${url.href} leads on to an address that is not fetched. ${next}`)
    if (!staysAt(url, next))
      return fine(
        `${url.href} leads on to another place, ${next.href}. It was not followed; call WebFetch with that address if it is wanted.`,
      )
    url = next
  }
  return failed(`${first.href} leads on more than ${REDIRECTS} times.`)
}

/** The same host and port, or from http to https of the same host. */
function staysAt(from: URL, to: URL): boolean {
  const upgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  return from.hostname === to.hostname && ((from.protocol === to.protocol && from.port === to.port) || upgrade)
}

async function shown(url: URL, { status, headers, body, cut }: Page): Promise<ToolOutput> {
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  const head = `[${url.href}: status ${status}, ${type === '' ? 'type not told' : type}; what follows was written by others]`
  if (!isText(type, body))
    return failed(`${url.href} is ${type === '' ? 'binary' : type}, not text (status ${status}, ${body.length} bytes).`)
  const text = decoded(body, headers['content-type'] ?? '', type)
  const isHtml = type === 'text/html' || type === 'application/xhtml+xml' || (type === '' && /^\s*<(?:!doctype html|html)\b/i.test(text))
  const content = isHtml ? await (await import('./web/markdown.ts')).markdownOf(text) : text.trim()
  const parts = [head, content, cut ? `[The page goes on behind its first ${PAGE_BYTES} bytes]` : '']
  const whole = parts.filter((part) => part !== '').join('\n')
  return status >= 200 && status <= 299 ? fine(whole) : failed(whole)
}

function isText(type: string, body: Buffer): boolean {
  const said =
    type.startsWith('text/') || /^application\/(?:.*\+)?(?:json|xml|javascript|xhtml|yaml|x-yaml|x-ndjson|toml)(?:\+xml)?$/.test(type)
  return (said || type === '') && !body.includes(0)
}

/** By the header, else by what the page says of itself, else UTF-8. */
function decoded(body: Buffer, header: string, type: string): string {
  const own = type === 'text/html' ? /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(body.toString('latin1', 0, 2048))?.[1] : undefined
  const label = /charset\s*=\s*"?([\w-]+)/i.exec(header)?.[1] ?? own ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddress) {
    return `its host has a private address (${error.message}), and those are refused unless a rule of the person names the host`
  }
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ENOTFOUND' ? 'there is no such host' : code === 'ECONNREFUSED' ? 'nobody answers there' : message
}
