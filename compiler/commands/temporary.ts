import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitOnSignals } from './signals.ts'

/** Gives a new folder that only this user can enter, and removes it however the work ends: done, failed, interrupted or `process.exit`. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  let folder: string | undefined
  const remove = (): void => (folder === undefined ? undefined : rmSync(folder, { recursive: true, force: true }))
  process.once('exit', remove)
  const letGo = exitOnSignals()
  try {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentc-')))
    const result = await work(folder)
    await turn()
    return result
  } finally {
    letGo()
    process.off('exit', remove)
    remove()
  }
}

/** Lets a signal that came during synchronous work be served now. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
