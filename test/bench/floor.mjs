import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

/**
 * The least that a build has to do, as a process of its own.
 * In: `DIR read` reads every agent file; `DIR yaml MODULES` also parses each frontmatter with the js-yaml found in MODULES (4.1.0 is the
 * floor of record). Out: characters read and keys seen, so that nothing can be left out.
 */
const [dir, mode = 'read', modules = '.'] = process.argv.slice(2)
const load = mode === 'yaml' ? createRequire(resolve(modules, 'x.js'))('js-yaml').load : undefined
const root = join(dir, '.claude/agents')
let keys = 0
let characters = 0
for (const file of readdirSync(root, { recursive: true })) {
  if (!file.endsWith('.md')) continue
  const text = readFileSync(join(root, file), 'utf8')
  characters += text.length
  if (load) keys += Object.keys(load(text.slice(4, text.indexOf('\n---\n', 4) + 1))).length
}
console.log(characters, keys)
