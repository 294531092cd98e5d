import { hash } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/**
 * The least that a build has to do, as a process of its own.
 * In: `DIR read` reads every agent file; `DIR yaml MODULES` also parses each frontmatter with the js-yaml found in MODULES (4.1.0 is the
 * floor of record); `DIR write MODULES OUT PATTERNS` also looks for secrets (PATTERNS is `compiler/secret/patterns.ts` as a module), hashes
 * each file, writes each agent with its prompt as a hashed line of JSON to OUT, and waits until that is on the disk: a manifest from a
 * program that knows no rule. Out: characters read and keys seen, so that nothing can be left out.
 */
const [dir, mode = 'read', modules = '.', out, patterns] = process.argv.slice(2)
const load = mode === 'read' ? undefined : createRequire(resolve(modules, 'x.js'))('js-yaml').load
const { mayHoldSecrets } = patterns === undefined ? {} : await import(patterns)
const root = join(dir, '.claude/agents')
let keys = 0
let characters = 0
const written = mode === 'write' ? opened(out) : undefined
for (const file of readdirSync(root, { recursive: true })) {
  if (!file.endsWith('.md')) continue
  const bytes = written ? readFileSync(join(root, file)) : undefined
  const text = bytes ? bytes.toString('utf8') : readFileSync(join(root, file), 'utf8')
  characters += text.length
  if (!load) continue
  const end = text.indexOf('\n---\n', 4) + 1
  const fields = load(text.slice(4, end))
  keys += Object.keys(fields).length
  if (!written) continue
  const secret = mayHoldSecrets(text.length < bytes.length ? bytes.toString('latin1') : text)
  written.line(JSON.stringify({ ...fields, secret, hash: hash('sha256', bytes), prompt: text.slice(end + 4) }))
}
written?.end()
console.log(characters, keys)

/** A file of hashed lines, encoded in one buffer and written from there. */
function opened(file) {
  mkdirSync(dirname(file), { recursive: true })
  const descriptor = openSync(file, 'w')
  const buffer = Buffer.allocUnsafe(8 << 20)
  let length = 0
  const flush = () => {
    writeSync(descriptor, buffer, 0, length)
    length = 0
  }
  const line = (text) => {
    if (length + text.length * 3 + 100 > 1 << 20) flush()
    const start = length + 65
    const end = start + buffer.write(text, start)
    buffer.write(hash('sha256', buffer.subarray(start, end)), length, 'latin1')
    buffer[start - 1] = 0x20
    buffer[end] = 0x0a
    length = end + 1
  }
  const end = () => {
    flush()
    fsyncSync(descriptor)
    closeSync(descriptor)
  }
  return { line, end }
}
