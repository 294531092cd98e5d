// npm run build: bundles the program into dist/ and writes the type declarations of the two public entries. In the bundle is everything
// but ripgrep's binary and ts-morph, which is twelve megabytes and loaded only where a project has tools of its own.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildPieces } from './pieces.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const out = join(root, 'dist')
const options = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  keepNames: false,
  platform: 'node',
  target: 'node20.19',
  external: ['@vscode/ripgrep', 'ts-morph'],
  alias: {
    // Its other build finds its own parts in a way that no bundler can follow.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    // gray-matter brings a reader of YAML along and is always given another one.
    'js-yaml': './scripts/no-yaml.cjs',
  },
  logLevel: 'warning',
}
mkdirSync(out, { recursive: true })
const pieces = await buildPieces(root, out, options)

// Everything else: the two public entries, and the commands that are no pieces. Split, so that a command loads only what it needs.
const COMMANDS = {
  watch: 'compiler',
  diff: 'compiler',
  init: 'compiler',
  types: 'compiler',
  schema: 'compiler',
  runs: 'runner',
  verify: 'runner',
}
const modules = await build({
  ...options,
  metafile: true,
  outdir: out,
  splitting: true,
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]',
  // Bundled CommonJS packages ask for `require` of Node's own modules.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  entryPoints: {
    compiler: 'compiler/index.ts',
    runner: 'runner/index.ts',
    ...Object.fromEntries(Object.entries(COMMANDS).map(([name, side]) => [`commands/${name}`, `${side}/commands/${name}.ts`])),
  },
})

// A thread of its own, found beside what starts it.
const worker = join(out, 'markdown-worker.js')
await build({ ...options, outfile: worker, format: 'esm', entryPoints: ['runner/tools/web/markdown-worker.js'] })

// The bin is CommonJS, which Node starts sooner than a module.
const bin = join(out, 'agentc.cjs')
const elsewhere = {
  name: 'elsewhere',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/commands\/\w+\.ts$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: `./commands/${path.match(/(\w+)\.ts$/)[1]}.mjs`, external: true } : undefined,
    ),
}
await build({
  ...options,
  outfile: bin,
  format: 'cjs',
  entryPoints: ['agentc.ts'],
  define: { 'import.meta.url': '__here', PIECES: JSON.stringify(pieces) },
  banner: { js: "#!/usr/bin/env node\nconst __here = require('node:url').pathToFileURL(__filename).href;" },
  plugins: [elsewhere],
})
chmodSync(bin, 0o755)

// The grammar of bash and its engine, read by runner/permission/shell/parser.ts at the first command; both under the MIT licence, beside them.
const wasm = join(out, 'wasm')
mkdirSync(wasm, { recursive: true })
for (const [from, to] of [
  ['web-tree-sitter/web-tree-sitter.wasm', 'web-tree-sitter.wasm'],
  ['web-tree-sitter/LICENSE', 'web-tree-sitter.LICENSE'],
  ['@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm', 'tree-sitter-bash.wasm'],
  ['@vscode/tree-sitter-wasm/LICENSE', 'tree-sitter-bash.LICENSE'],
])
  copyFileSync(join(root, 'node_modules', from), join(wasm, to))

// What an earlier build left is removed last, so that a program that runs meanwhile finds its parts.
const written = new Set([worker, ...Object.keys(modules.metafile.outputs).map((file) => join(root, file))])
for (const name of readdirSync(out, { recursive: true })) {
  const file = join(out, name)
  if (/\.m?js$/.test(file) && !written.has(file)) rmSync(file)
}
if (!process.argv.includes('--no-types')) {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.types.json')], {
    stdio: 'inherit',
  })
}
