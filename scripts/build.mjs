// npm run build: bundles the program into dist/, split so that a command loads only what it needs, and writes the type declarations
// of the two public entries. In the bundle is everything but ripgrep's binary and ts-morph, which is
// twelve megabytes and loaded only where a project has tools of its own.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const out = join(root, 'dist')
const options = {
  metafile: true,
  absWorkingDir: root,
  outdir: out,
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: false,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunks/[name]-[hash]',
  external: ['@vscode/ripgrep', 'ts-morph'],
  // Its other build finds its own parts in a way that no bundler can follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // Bundled CommonJS packages ask for `require` of Node's own modules.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  logLevel: 'warning',
}
// Every module that Node loads costs it half a millisecond or more, and what commands share is split into many. So what `agentc run` needs
// up to its first request is bundled by itself, in few pieces; the compiler, which most runs do not need, it has from the others.
const apart = /^\.\/(?:compiler\/commands\/fresh|runner\/commands\/(?:run|signals))\.ts$/
const elsewhere = (filter, path, from) => ({
  name: path,
  setup: ({ onResolve }) =>
    onResolve({ filter }, ({ importer, kind }) =>
      kind === 'dynamic-import' && importer.endsWith(from) ? { path, external: true } : undefined,
    ),
})
// `agentc build` is what people wait for most: it is one piece, with the code that V8 made of it (compiler/commands/piece.ts). What few
// builds need stays outside. The name is made of the text, so that code never lies beside another text.
const { splitting: _, metafile: __, chunkNames: ___, banner: ____, ...plain } = options
const { outputFiles } = await build({
  ...plain,
  entryPoints: ['compiler/commands/build.ts'],
  format: 'cjs',
  write: false,
  plugins: [
    elsewhere(/\/lock\.ts$/, './lock.js', 'build.ts'),
    elsewhere(/\/diff\.ts$/, './differences.js', 'build.ts'),
    elsewhere(/\/custom-tools\.ts$/, './custom-tools.js', 'compile.ts'),
  ],
})
// V8's code does not know where it was made for, so what lies outside is loaded by who loads the piece.
const piece = outputFiles[0].text.replaceAll(/\bimport\((?="\.\/)/g, 'load(')
const pieceName = `build-${createHash('sha256').update(piece).digest('hex').slice(0, 12)}.cjs`
mkdirSync(out, { recursive: true })
writeFileSync(join(out, pieceName), piece)
if (!existsSync(join(out, `${pieceName}.code`)))
  execFileSync(process.execPath, [join(root, 'scripts/code-cache.mjs'), join(out, pieceName), root], { stdio: 'inherit' })

const program = await build({
  ...options,
  define: { BUILD_PIECE: JSON.stringify(`./${pieceName}`) },
  entryPoints: {
    agentc: 'agentc.ts',
    compiler: 'compiler/index.ts',
    runner: 'runner/index.ts',
    rebuilt: 'compiler/commands/rebuilt.ts',
    lock: 'compiler/commands/lock.ts',
    differences: 'compiler/diff/diff.ts',
    'custom-tools': 'compiler/typescript/custom-tools.ts',
    // A thread of its own, found beside the chunk that starts it.
    'chunks/markdown-worker': 'runner/tools/web/markdown-worker.js',
  },
  plugins: [elsewhere(apart, './run.js', 'agentc.ts')],
})
const run = await build({
  ...options,
  stdin: { contents: ['fresh', 'run', 'signals'].map(reexport).join('\n'), resolveDir: root, loader: 'ts' },
  entryNames: 'run',
  plugins: [elsewhere(/^\.\/rebuilt\.ts$/, './rebuilt.js', 'fresh.ts')],
})

function reexport(name) {
  return `export * from './${name === 'fresh' ? 'compiler' : 'runner'}/commands/${name}.ts'`
}

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

const bin = join(out, 'agentc.js')
writeFileSync(bin, `#!/usr/bin/env node\n${readFileSync(bin, 'utf8')}`)
chmodSync(bin, 0o755)
// What an earlier build left is removed last, so that a program that runs meanwhile finds its parts.
const written = new Set([program, run].flatMap(({ metafile }) => Object.keys(metafile.outputs)).map((file) => join(root, file)))
for (const name of readdirSync(out, { recursive: true })) {
  const file = join(out, name)
  const isOld = file.endsWith('.js') ? !written.has(file) : /^build-.*\.cjs(?:\.code)?$/.test(name) && !name.startsWith(pieceName)
  if (isOld) rmSync(file)
}
if (!process.argv.includes('--no-types')) {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.types.json')], {
    stdio: 'inherit',
  })
}
