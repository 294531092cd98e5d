import { urlOf } from '../../schemas/url.ts'
import type { HookHandler } from '../../schemas/shapes/hook.ts'
import { notRun, type Ran, TEXT_LIMIT } from './answer.ts'

/** A variable in the value of a header. */
const VARIABLE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g
/** More of an answer is not read. */
const BODY_LIMIT = TEXT_LIMIT * 10

/**
 * Sends the input to a url. A 2xx answer is read as the output of a command with exit code 0, anything else is a failure. Only variables
 * that `allowedEnvVars` lists are filled in; any other is left empty, so that no hook can send what it was not given.
 */
export async function runHttp(
  { url, headers = {}, allowedEnvVars = [] }: HookHandler & { type: 'http' },
  input: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
  ask: typeof fetch = fetch,
): Promise<Ran> {
  if (!/^https?:\/\//.test(url) || !urlOf(url)) return notRun('its url is no address that begins with http:// or https://')
  const value = (text: string): string =>
    text.replace(VARIABLE, (_, braced?: string, plain?: string) => {
      const name = (braced ?? plain)!
      return allowedEnvVars.includes(name) ? (env[name] ?? '') : ''
    })
  const own = Object.entries(headers).map(([name, text]) => [name, value(text)] as const)
  try {
    const sent = new Headers({ 'content-type': 'application/json' })
    for (const [name, text] of own) sent.set(name, text)
    const response = await ask(url, { method: 'POST', headers: sent, body: input, signal, redirect: 'error' })
    if (!response.ok) {
      await response.body?.cancel()
      return notRun(`it answered with status ${response.status}`)
    }
    return { code: 0, stdout: await bodyOf(response), stderr: '' }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : ''
    return notRun(`it cannot be reached${cause}`)
  }
}

async function bodyOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > BODY_LIMIT) break
  }
  return text
}
