// The commands that people wait for, each as one piece with the code that V8 made of it (compiler/commands/piece.ts): to find, read and
// compile a hundred modules takes longer than a small build.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** What each piece gives: module to exported names. A run that finds no fresh manifest has one made by the piece of `build`. */
const PIECES = {
  build: { './compiler/commands/build.ts': ['build'], './compiler/commands/rebuilt.ts': ['rebuilt'] },
  list: { './compiler/commands/list.ts': ['list'] },
  explain: { './compiler/commands/explain.ts': ['explain'] },
  run: {
    './compiler/commands/fresh.ts': ['splitRunArguments', 'freshManifest', 'otherLayers'],
    './runner/commands/run.ts': ['run'],
    './runner/commands/signals.ts': ['stopOnSignals'],
  },
}
const PIECE_FILE = new RegExp(`^(?:${Object.keys(PIECES).join('|')})-[0-9a-f]{12}\\.cjs(?:\\.code)?$`)

/** How the code is made. */
const CODE_FROM = ['scripts/code-cache.mjs', 'scripts/usual-project.mjs', 'compiler/commands/piece.ts']

/** Large packages that few commands need, each in a file of its own: what a piece holds costs a little even where it is not called. */
const APART = /^(@modelcontextprotocol\/sdk|ajv|diff|web-tree-sitter|yaml)(?:\/|$)/

/**
 * Bundles all pieces into `out`, and has the code of those made that have changed. In: the package's folder, where to, and esbuild's options
 * for everything. Out: the file of each, by its command.
 */
export async function buildPieces(root, out, options) {
  const names = Object.keys(PIECES)
  const apart = new Map()
  const files = await Promise.all(names.map((name) => buildPiece(name, out, { ...options, plugins: [keptApart(apart)] })))
  await buildApart(apart, out, options)
  const isOld = (file) => PIECE_FILE.test(file) && !files.some((kept) => file.startsWith(kept))
  for (const old of readdirSync(out).filter(isOld)) rmSync(join(out, old))
  for (const file of files.filter((name) => !existsSync(join(out, `${name}.code`))))
    execFileSync(process.execPath, [join(root, 'scripts/code-cache.mjs'), join(out, file), root], { stdio: 'inherit' })
  return Object.fromEntries(names.map((name, index) => [name, files[index]]))
}

/** The name is made of the text and of all that its code depends on, so that code never lies beside what it was not made for. */
async function buildPiece(name, out, options) {
  const contents = Object.entries(PIECES[name]).map(([from, what]) => `export { ${what.join(', ')} } from '${from}'`)
  const bundled = await build({
    ...options,
    stdin: { contents: contents.join('\n'), resolveDir: options.absWorkingDir, loader: 'ts' },
    format: 'cjs',
    write: false,
    define: { 'import.meta.url': 'here' },
  })
  // Code from V8 does not know where it was made for, so what lies outside is loaded by who loads the piece.
  const text = bundled.outputFiles[0].text.replaceAll(/\bimport\((?="(?:\.\/apart\/|node:|@vscode\/ripgrep"|ts-morph"))/g, 'load(')
  const whole = `(function (exports, require, module, load, here) {${text}\n})`
  const file = `${name}-${hashOf(whole, process.versions.v8, ...CODE_FROM.map((path) => readFileSync(join(options.absWorkingDir, path))))}.cjs`
  writeFileSync(join(out, file), whole)
  return file
}

function hashOf(...texts) {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text)
  return hash.digest('hex').slice(0, 12)
}

/** Takes the packages out of a piece, and notes in `apart` which parts of each are asked for. */
function keptApart(apart) {
  const setup = ({ onResolve }) =>
    onResolve({ filter: APART }, ({ path }) => {
      const [, name] = APART.exec(path)
      if (!apart.has(name)) apart.set(name, new Set())
      apart.get(name).add(path)
      return { path: `./apart/${name.replaceAll(/\W+/g, '-')}.cjs`, external: true }
    })
  return { name: 'apart', setup }
}

/** One file for all parts of a package, so that each of its classes is there once. */
async function buildApart(apart, out, options) {
  mkdirSync(join(out, 'apart'), { recursive: true })
  for (const [name, parts] of apart) {
    const text = [...parts].sort().map((part) => JSON.stringify(part))
    const contents = text.length === 1 ? `module.exports = require(${text[0]})` : text.map((part) => `export * from ${part}`).join('\n')
    const file = join(out, 'apart', `${name.replaceAll(/\W+/g, '-')}.cjs`)
    const stdin = { contents, resolveDir: options.absWorkingDir, loader: 'js' }
    const { outputFiles } = await build({ ...options, stdin, format: 'cjs', write: false, define: { 'import.meta.url': '__filename' } })
    // A program that runs meanwhile keeps what it reads.
    if (!existsSync(file) || readFileSync(file, 'utf8') !== outputFiles[0].text) writeFileSync(file, outputFiles[0].text)
  }
}
