import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import type { ZodTypeAny } from 'zod/v3'
import { zodToJsonSchema } from 'zod-to-json-schema'
import { hashOf } from '../canonical.ts'
import { configShape } from './config.ts'
import { agentsFlagShape, frontmatterShape } from './frontmatter.ts'
import { handlerShape } from './hook.ts'
import { agentShape, headerShape, manifestShape, viewShape } from './manifest.ts'
import { buildReportShape, diffShape, listShape } from './output.ts'
import { matchShape, placeShape, ruleShape } from './permission.ts'
import { lockShape, serverShape } from './server.ts'
import { toolInputs } from './tool-input.ts'

const published: Record<string, { shape: ZodTypeAny; title: string }> = {
  manifest: { shape: manifestShape, title: 'agentc manifest' },
  agent: { shape: frontmatterShape, title: 'Frontmatter of an agent file' },
  'agents-flag': { shape: agentsFlagShape, title: 'Value of --agents' },
  config: { shape: configShape, title: 'agentc.config.json' },
  report: { shape: buildReportShape, title: 'Output of agentc build --format json' },
  list: { shape: listShape, title: 'Output of agentc list --format json' },
  diff: { shape: diffShape, title: 'Output of agentc diff --format json' },
  'mcp-lock': { shape: lockShape, title: 'Tools of MCP servers, as agentc build --lock-mcp writes them' },
}

/** Parts that stand in many places are written once, under `definitions`: the schemas stay readable and the validators small. */
const definitions = { match: matchShape, rule: ruleShape, place: placeShape, handler: handlerShape, server: serverShape, view: viewShape }

function jsonSchema(shape: ZodTypeAny): Record<string, unknown> {
  const { definitions: all, ...schema } = zodToJsonSchema(shape, { definitions, $refStrategy: 'root', target: 'jsonSchema7' }) as Record<
    string,
    unknown
  >
  return { ...schema, ...used(JSON.stringify(schema), all as Record<string, unknown>) }
}

/** Only the definitions that the schema refers to, directly or through one another. */
function used(text: string, all: Record<string, unknown>): { definitions?: Record<string, unknown> } {
  const names = new Set<string>()
  const visit = (json: string): void => {
    for (const [, name] of json.matchAll(/"#\/definitions\/(\w+)/g)) {
      if (name === undefined || names.has(name)) continue
      names.add(name)
      visit(JSON.stringify(all[name]))
    }
  }
  visit(text)
  if (names.size === 0) return {}
  return { definitions: Object.fromEntries([...names].sort().map((name) => [name, all[name]])) }
}

function toolInputSchemas(): Record<string, unknown> {
  const plain = (shape: ZodTypeAny) => {
    const { $schema: _, ...schema } = jsonSchema(shape)
    return schema
  }
  return Object.fromEntries(Object.entries(toolInputs).map(([name, shape]) => [name, plain(shape)]))
}

/** Apart by who needs them: a build reads lock files, a run reads manifests. */
function validators(shapes: Record<string, ZodTypeAny>): string {
  const ajv = new Ajv({ code: { source: true, esm: true }, strict: false, allErrors: false, inlineRefs: false })
  for (const [name, shape] of Object.entries(shapes)) ajv.addSchema(jsonSchema(shape), name)
  const code = standaloneCode.default(ajv, Object.fromEntries(Object.keys(shapes).map((name) => [name, name])))
  return `// Written by \`npm run generate\` from schemas/shapes; long because Ajv wrote it.\n${code}\n`
}

/**
 * Validators of the inputs of agentc's own tools, by the hash of their schemas: whoever has a schema finds its validator, and one that
 * another version or a project wrote finds none. All faults of an input are told, because the model mends them at once.
 */
function toolValidators(): string {
  const ajv = new Ajv({ code: { source: true, esm: true }, strict: false, allErrors: true })
  const schemas = toolInputSchemas()
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema as object, name)
  const names = Object.keys(schemas)
  // Ajv asks for its own file by `require`, which an ES module does not have. It counts characters as JSON Schema does.
  const length = /require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g
  const code = standaloneCode
    .default(ajv, Object.fromEntries(names.map((name) => [name, name])))
    .replace(length, '((text) => [...text].length)')
  const entries = names.map((name) => `${JSON.stringify(hashOf(schemas[name]))}:${name}`)
  return `// Written by \`npm run generate\` from schemas/shapes; long because Ajv wrote it.\n${code}\nexport const BY_HASH={${entries.join(',')}};\n`
}

/** Everything that is derived from the shapes: file name to text. Reads nothing, writes nothing. */
export function derived(): Record<string, string> {
  const files: Record<string, string> = {}
  for (const [name, { shape, title }] of Object.entries(published)) {
    const { $schema, ...schema } = jsonSchema(shape)
    files[`schemas/${name}.schema.json`] = `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`
  }
  files['schemas/generated/tool-inputs.json'] = `${JSON.stringify(toolInputSchemas(), null, 2)}\n`
  files['schemas/generated/manifest-validators.js'] = validators({ validateHeader: headerShape, validateAgent: agentShape })
  files['schemas/generated/lock-validator.js'] = validators({ validateLock: lockShape })
  files['schemas/generated/tool-validators.js'] = toolValidators()
  return files
}
