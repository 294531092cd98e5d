import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'

let ajv: Promise<Ajv> | undefined
const compiled = new WeakMap<object, ValidateFunction>()

// A bundle gives a CommonJS package a default export only, so `Ajv` is taken from there.

/** Checks an input against the very schema that the model was sent. Gives what is wrong with it, for the model. Ajv loads with the first call. */
export async function inputFault(schema: Readonly<Record<string, unknown>>, input: unknown): Promise<string | undefined> {
  const validate = await validatorOf(schema)
  if (validate(input)) return undefined
  return (validate.errors ?? []).slice(0, 5).map(sentence).join('; ')
}

async function validatorOf(schema: Readonly<Record<string, unknown>>): Promise<ValidateFunction> {
  const known = compiled.get(schema)
  if (known) return known
  ajv ??= import('ajv').then((module) => new module.default.Ajv({ strict: false, validateSchema: false, allErrors: true, logger: false }))
  const validate = (await ajv).compile(schema as object)
  compiled.set(schema, validate)
  return validate
}

function sentence(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'the input' : error.instancePath.slice(1).replaceAll('/', '.')
  const extra = error.keyword === 'additionalProperties' ? `: ${String(error.params.additionalProperty)}` : ''
  const allowed = error.keyword === 'enum' ? `: ${(error.params.allowedValues as unknown[]).join(', ')}` : ''
  return `${where} ${error.message ?? 'does not fit'}${extra}${allowed}`
}
