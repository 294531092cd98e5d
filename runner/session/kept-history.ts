import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Redact } from '../transcript/redact.ts'
import { isInside } from '../workspace.ts'
import { writeOwnSync } from '../write-whole.ts'

/** Prompts of a project, over all conversations. */
export interface KeptHistory {
  /** The oldest first. */
  entries(): readonly string[]
  add(prompt: string): void
}

/** From so many bytes on the file is cut to its last lines. */
const MOST_BYTES = 256 * 1024
const LINES = 500

/**
 * `<configDir>/agentc/history.jsonl`, for its owner only and without secrets. It is never kept in the project itself. Where it cannot be
 * read or written there is none: nobody's work depends on it.
 */
export function keptHistory(configDir: string, root: string, redact: Redact): KeptHistory {
  const file = join(configDir, 'agentc', 'history.jsonl')
  if (isInside(root, file)) return { entries: () => [], add: () => {} }
  return {
    entries: () => linesOf(file).flatMap(({ project, prompt }) => (project === root && typeof prompt === 'string' ? [prompt] : [])),
    add(prompt) {
      attempt(() => {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        appendFileSync(file, `${JSON.stringify(redact({ project: root, prompt }))}\n`, { mode: 0o600 })
        if (statSync(file).size > MOST_BYTES) shorten(file)
      })
    },
  }
}

function linesOf(file: string): { project?: unknown; prompt?: unknown }[] {
  const text = attempt(() => readFileSync(file, 'utf8')) ?? ''
  return text.split('\n').flatMap((line) => {
    const value = attempt(() => JSON.parse(line) as unknown)
    return typeof value === 'object' && value !== null ? [value] : []
  })
}

function shorten(file: string): void {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .slice(-LINES - 1)
  let bytes = 0
  // One huge prompt must not make it too long at once again.
  const kept = lines.reverse().filter((line) => (bytes += Buffer.byteLength(line) + 1) <= MOST_BYTES / 2)
  writeOwnSync(file, kept.reverse().join('\n'))
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
