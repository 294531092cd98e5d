/** What a command may touch of the process it runs in; `agentc.ts` gives the real one, tests give their own. */
export interface Io {
  out: (text: string) => void
  err: (text: string) => void
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  home: string
  platform: NodeJS.Platform
  /** Standard output is a terminal. */
  terminal: boolean
  /** Columns of the terminal; 80 where there is none. */
  columns: number
  /** Folder with the built-in agents. */
  builtinDir: string
  /** agentc's own version. */
  version: string
  /** Folder with the published JSON Schemas. */
  schemaDir: string
  /** What to do where files are many, in a process that ends soon. */
  whenMany?: () => void
}

/** A terminal where more can be done than to append lines: neither a pipe nor one that says of itself that it is dumb. */
export function isAble({ terminal, env }: Pick<Io, 'terminal' | 'env'>): boolean {
  return terminal && env['TERM'] !== 'dumb'
}

/** Wrong usage: the message goes to standard error and the exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
