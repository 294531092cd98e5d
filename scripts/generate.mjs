// npm run generate: writes what is derived from the zod shapes, so that nothing loads zod or compiles a schema at run time.
//   schemas/*.schema.json             JSON Schemas for editors and other programs
//   schemas/generated/tool-inputs.json the input schema of each tool
//   schemas/generated/*-validator(s).js  Ajv validators, compiled ahead
//   schemas/generated/tool-validators.js those of the inputs of tools
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bundle = join(root, 'node_modules/.cache/agentc/derive.mjs')
mkdirSync(dirname(bundle), { recursive: true })
buildSync({
  entryPoints: [join(root, 'schemas/shapes/derive.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
})
const { derived } = await import(pathToFileURL(bundle).href)
const out = process.argv[2] ?? root
for (const [file, text] of Object.entries(derived())) {
  mkdirSync(dirname(join(out, file)), { recursive: true })
  writeFileSync(join(out, file), text)
}
