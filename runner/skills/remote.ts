import { urlOf } from '../../schemas/url.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../schemas/canonical.ts'
import { get } from '../tools/web/get.ts'
import { writeOwn } from '../write-whole.ts'
import { bodyOf, type FetchSkill, type RemoteSkill } from './far.ts'

/** Larger ones are no skills, as for files. */
const MOST_BYTES = 1024 * 1024
const TIMEOUT_MS = 30_000

export interface RemoteOptions {
  /** The person's own folder, where texts are kept; without it they are fetched each time. */
  config: string | undefined
  /** Addresses of this machine may be without TLS: for tests, which have no certificate. */
  loopback?: boolean | undefined
}

/**
 * Has the text of a skill that is kept elsewhere: from the cache, which knows it by its digest, else from its address. A text of another
 * digest is never used, wherever it comes from. Nothing of it runs: it is text, and its frontmatter does not count.
 */
export function remoteSkills({ config, loopback = false }: RemoteOptions): FetchSkill {
  return async (far, signal) => {
    if (far.kind !== 'remote') return { refused: `the MCP server ${far.server} is not set up` }
    const file = config === undefined ? undefined : join(config, 'agentc/skills', `${far.digest.slice('sha256:'.length)}.md`)
    const kept = file === undefined ? undefined : await readFile(file).catch(() => undefined)
    if (kept && sha256(kept) === far.digest) return { text: bodyOf(kept.toString('utf8')) }
    const got = await fetched(far, signal, loopback)
    if ('refused' in got) return got
    // A text that cannot be kept is fetched again the next time.
    if (file !== undefined) await writeOwn(file, got.bytes).catch(() => undefined)
    return { text: bodyOf(got.bytes.toString('utf8')) }
  }
}

async function fetched(
  { address, digest }: RemoteSkill,
  signal: AbortSignal,
  loopback: boolean,
): Promise<{ bytes: Buffer } | { refused: string }> {
  const url = urlOf(address)
  if (!url || !(url.protocol === 'https:' || (loopback && url.protocol === 'http:' && url.hostname === '127.0.0.1'))) {
    return { refused: `its address ${address} does not begin with https://` }
  }
  const late = AbortSignal.timeout(TIMEOUT_MS)
  try {
    // The address is that of a project that is trusted, or of policy, and may be one of their own network.
    const { status, body, cut } = await get(url, { signal: AbortSignal.any([signal, late]), allowPrivate: true })
    if (status !== 200) return { refused: `${address} answers with status ${status}` }
    if (cut || body.length > MOST_BYTES) return { refused: `${address} is larger than 1 MiB` }
    const is = sha256(body)
    return is === digest ? { bytes: body } : { refused: `${address} has the digest ${is}, and the manifest pins it to ${digest}` }
  } catch (error) {
    if (signal.aborted) return { refused: 'the run was interrupted' }
    if (late.aborted) return { refused: `${address} did not answer within ${TIMEOUT_MS / 1000} seconds` }
    const { code, message } = error as NodeJS.ErrnoException
    return { refused: `${address} cannot be fetched (${code ?? message})` }
  }
}
