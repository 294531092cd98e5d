import { spawn } from 'node:child_process'

export interface Search {
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** What ends a record of the output. */
  separator: '\n' | '\0'
  /** Takes a record; `false` ends the search. */
  take(record: string): boolean
}

export interface Found {
  /** Why the search did not come to its end by itself. */
  stopped?: 'enough' | 'timeout' | 'interrupted'
  /** ripgrep's own words when something went wrong, else empty. */
  fault: string
}

const TIMEOUT_MS = 60_000
const FAULT_CHARS = 2000

/**
 * The same answers on every machine: no configuration file, no ignore files from outside the project, sorted by path.
 * Files that .gitignore names are left out, in a repository or not; hidden files are searched, `.git` is not.
 * A whitelisting `--glob` would bring ignored files back (all of node_modules for one that names everything),
 * so globs are compared by the caller.
 */
const ALWAYS = [
  '--no-config',
  '--hidden',
  '--glob',
  '!.git',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--sort',
  'path',
  '--color',
  'never',
  '--null',
]

/** Runs ripgrep and hands on its output record by record. Nothing of it outlives this call. */
export async function ripgrep(search: Search): Promise<Found> {
  const { rgPath } = await import('@vscode/ripgrep')
  const child = spawn(rgPath, [...ALWAYS, ...search.args], {
    cwd: search.cwd,
    env: { ...search.env, RIPGREP_CONFIG_PATH: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stopped: Found['stopped']
  const stop = (why: Found['stopped']) => {
    stopped ??= why
    child.kill('SIGKILL')
  }
  const interrupt = () => stop('interrupted')
  const timer = setTimeout(() => stop('timeout'), TIMEOUT_MS)
  search.signal.addEventListener('abort', interrupt)
  if (search.signal.aborted) interrupt()
  let fault = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (fault.length < FAULT_CHARS) fault += text
  })
  records(child.stdout.setEncoding('utf8'), search, () => stop('enough'))
  try {
    const code = await ended(child)
    return { ...(stopped ? { stopped } : {}), fault: code === 2 ? fault.slice(0, FAULT_CHARS).trim() : '' }
  } finally {
    clearTimeout(timer)
    search.signal.removeEventListener('abort', interrupt)
  }
}

function records(stream: NodeJS.ReadableStream, search: Search, enough: () => void): void {
  let rest = ''
  let open = true
  const take = (record: string) => {
    if (open && !search.take(record)) {
      open = false
      enough()
    }
  }
  stream.on('data', (text: string) => {
    const parts = `${rest}${text}`.split(search.separator)
    rest = parts.pop()!
    for (const part of parts) take(part)
  })
  stream.on('end', () => {
    if (rest !== '') take(rest)
  })
}

function ended(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
}
