// Writes the code that V8 made of a piece beside it. Usage: node code-cache.mjs PIECE PACKAGE. The piece is loaded as
// `compiler/commands/piece.ts` does it; then it does what people have it do, because V8 keeps what was called.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { layProject, scriptedApi } from './usual-project.mjs'

const [piece, root] = process.argv.slice(2)
const command = basename(piece).split('-')[0]
const folder = mkdtempSync(join(tmpdir(), 'agentc-code-'))
const home = join(folder, 'home')
const silent = () => {}
const where = ['--managed-dir', join(folder, 'none')]
const folders = { cwd: folder, home, builtinDir: join(root, 'agents'), schemaDir: join(root, 'schemas') }
const io = { out: silent, err: silent, env: {}, platform: process.platform, terminal: false, columns: 80, version: '0', ...folders }
const inBothFormats = async (does, ...argv) => {
  for (const format of ['pretty', 'json']) await does([...argv, '--format', format, ...where], io)
}
const used = {
  build: ({ build }) => inBothFormats(build),
  list: ({ list }) => inBothFormats(list),
  explain: ({ explain }) => inBothFormats(explain, 'a'),
  run: oneRun,
}

try {
  const script = new Script(readFileSync(piece, 'latin1'), { filename: '/agentc/piece.cjs' })
  const module = { exports: {} }
  const load = (specifier) => import(specifier.startsWith('.') ? new URL(specifier, pathToFileURL(piece)).href : specifier)
  script.runInThisContext()(module.exports, createRequire(piece), module, load, pathToFileURL(piece).href)
  layProject(folder)
  await used[command](module.exports)
  writeFileSync(`${piece}.code`, script.createCachedData())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** A run of two turns that finds a fresh manifest, as most do, against an API that answers from this very process. */
async function oneRun({ splitRunArguments, freshManifest, run }) {
  const build = readdirSync(join(piece, '..')).find((name) => /^build-.*\.cjs$/.test(name))
  const built = { exports: {} }
  new Script(readFileSync(join(piece, '..', build), 'latin1')).runInThisContext()(built.exports, createRequire(piece), built)
  await built.exports.build(where, io)
  const api = await scriptedApi(join(folder, 'README.md'))
  const sink = { write: silent }
  const env = { HOME: home, PATH: process.env.PATH, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: api.url }
  const runIo = { stdout: sink, stderr: sink, stdin: [], env, cwd: folder, signal: new AbortController().signal }
  try {
    const { sources, rest } = splitRunArguments(['a', 'go', ...where])
    const fresh = async () => (await freshManifest(sources, io, async () => built.exports.rebuilt)).text
    const code = await run(rest, runIo, fresh)
    if (code !== 0) throw new Error(`the run that shows V8 what is used ended with ${code}`)
  } finally {
    api.close()
  }
}
