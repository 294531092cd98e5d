import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { hashOf } from '../../schemas/canonical.ts'

let ajv: Promise<Ajv> | undefined
let ready: Promise<Readonly<Record<string, ValidateFunction>>> | undefined
const found = new WeakMap<object, ValidateFunction>()

// A bundle gives a CommonJS package a default export only, so `Ajv` is taken from there.

/** Checks an input against the very schema that the model was sent. Gives what is wrong with it, for the model. */
export async function inputFault(schema: Readonly<Record<string, unknown>>, input: unknown): Promise<string | undefined> {
  return faultIn(schema, input, 'the input')
}

/** The same for an answer of the model. */
export async function schemaFault(schema: Readonly<Record<string, unknown>>, value: unknown): Promise<string | undefined> {
  return faultIn(schema, value, 'the value')
}

/** Why a schema cannot be used. */
export async function unusableSchema(schema: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  return validatorOf(schema).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

async function faultIn(schema: Readonly<Record<string, unknown>>, value: unknown, whole: string): Promise<string | undefined> {
  const validate = await validatorOf(schema)
  if (validate(value)) return undefined
  return (validate.errors ?? [])
    .slice(0, 5)
    .map((error) => sentence(error, whole))
    .join('; ')
}

async function validatorOf(schema: Readonly<Record<string, unknown>>): Promise<ValidateFunction> {
  const known = found.get(schema)
  if (known) return known
  const validate = (await compiledAhead(schema)) ?? (await compiledNow(schema))
  found.set(schema, validate)
  return validate
}

/** agentc's own tools have validators that the build made; loading and using Ajv would take longer than a turn. */
async function compiledAhead(schema: object): Promise<ValidateFunction | undefined> {
  ready ??= import('../../schemas/generated/tool-validators.js').then((module) => module.BY_HASH)
  const hash = hashOf(schema)
  const all = await ready
  return Object.hasOwn(all, hash) ? all[hash] : undefined
}

/** Schemas of servers, of the project, and of other versions. */
async function compiledNow(schema: object): Promise<ValidateFunction> {
  ajv ??= import('ajv').then((module) => new module.default.Ajv({ strict: false, validateSchema: false, allErrors: true, logger: false }))
  return (await ajv).compile(schema)
}

function sentence(error: ErrorObject, whole: string): string {
  const where = error.instancePath === '' ? whole : error.instancePath.slice(1).replaceAll('/', '.')
  const extra = error.keyword === 'additionalProperties' ? `: ${String(error.params.additionalProperty)}` : ''
  const allowed = error.keyword === 'enum' ? `: ${(error.params.allowedValues as unknown[]).join(', ')}` : ''
  return `${where} ${error.message ?? 'does not fit'}${extra}${allowed}`
}
