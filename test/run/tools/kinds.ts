import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, openSync, ftruncateSync, closeSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = process.getuid?.() === 0

const NEEDLE = 'needle\n'

/** Files that a tool may meet: how each is made, below a folder and of a text where it has one, and its path there. */
export const KINDS: Readonly<Record<string, { path: string; make(at: string, text?: string): void; asNobody?: true }>> = {
  'of no bytes': { path: 'empty.txt', make: (at) => writeFileSync(at, '') },
  'of a gigabyte, text at its beginning': {
    path: 'huge.txt',
    make(at, text = NEEDLE) {
      const file = openSync(at, 'w')
      writeSync(file, text.repeat(20_000))
      ftruncateSync(file, 1024 ** 3)
      closeSync(file)
    },
  },
  'that is binary': { path: 'a.bin', make: (at) => writeFileSync(at, 'MZ\0\x01needle\n') },
  'that nobody may read': {
    path: 'locked.txt',
    asNobody: true,
    make(at, text = NEEDLE) {
      writeFileSync(at, text)
      chmodSync(at, 0o200)
      chmodSync(dirname(at), 0o777)
    },
  },
  'that nobody may write': {
    path: 'fixed.txt',
    make(at, text = NEEDLE) {
      writeFileSync(at, text)
      chmodSync(at, 0o444)
    },
  },
  'that is a named pipe': { path: 'pipe', make: (at) => void execFileSync('mkfifo', [at]) },
  'that is a folder': { path: 'folder', make: (at) => mkdirSync(at) },
  'that is a link': {
    path: 'link.txt',
    make(at, text = NEEDLE) {
      writeFileSync(join(dirname(at), 'target.txt'), text)
      symlinkSync('target.txt', at)
    },
  },
  'that lies deep': {
    path: `${'d/'.repeat(200)}deep.txt`,
    make(at, text = NEEDLE) {
      mkdirSync(dirname(at), { recursive: true })
      writeFileSync(at, text)
    },
  },
  'with a name from all over the world': { path: 'ünï 世界 🦊\u200d é.txt', make: (at, text = NEEDLE) => writeFileSync(at, text) },
  'with a name of two lines': { path: 'a\nb.txt', make: (at, text = NEEDLE) => writeFileSync(at, text) },
  'that is not there': { path: 'none.txt', make: () => undefined },
  'with a name that is too long': { path: 'x'.repeat(300), make: () => undefined },
}

/** Root may read everything, so what nobody may read is tried as nobody. */
export async function asNobody<T>(body: () => Promise<T>): Promise<T> {
  if (!root) return body()
  process.setegid!(65_534)
  process.seteuid!(65_534)
  try {
    return await body()
  } finally {
    process.seteuid!(0)
    process.setegid!(0)
  }
}
