// npm run build: bundles the program into dist/, split so that a command loads only what it needs, and writes the type declarations
// of the two public entries. Everything but ripgrep's binary is in the bundle, so installing agentc brings one package.
import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const out = join(root, 'dist')
rmSync(out, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: { agentc: 'agentc.ts', compiler: 'compiler/index.ts', runner: 'runner/index.ts' },
  outdir: out,
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: false,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunks/[name]-[hash]',
  external: ['@vscode/ripgrep'],
  // Bundled CommonJS packages ask for `require` of Node's own modules.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  logLevel: 'warning',
})
const bin = join(out, 'agentc.js')
const { readFileSync, writeFileSync } = await import('node:fs')
writeFileSync(bin, `#!/usr/bin/env node\n${readFileSync(bin, 'utf8')}`)
chmodSync(bin, 0o755)
if (!process.argv.includes('--no-types')) {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.types.json')], { stdio: 'inherit' })
}
