import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { customTools } from '../../compiler/typescript/custom-tools.ts'
import { AGENTC } from '../../schemas/profile.ts'

const read = (type: string, head = ''): ReturnType<typeof customTools> =>
  customTools(
    [
      {
        kind: 'tool',
        form: 'typescript',
        origin: { source: 'project', path: '.claude/tools/T.ts' },
        text: `${head}\n/** Is tested. */\nexport default async function (input: ${type}) { return JSON.stringify(input) }\n`,
      },
    ],
    AGENTC,
  )

/** The schema of one member of that type. */
function memberSchema(type: string, head = ''): unknown {
  const { tools, diagnostics } = read(`{ a: ${type} }`, head)
  expect(diagnostics).toEqual([])
  const schema = tools[0]!.inputSchema
  new Ajv({ strict: true }).compile(schema)
  return (schema['properties'] as Record<string, unknown>)['a']
}

describe('types as JSON Schema', () => {
  test.each([
    ['string', { type: 'string' }],
    ['number', { type: 'number' }],
    ['boolean', { type: 'boolean' }],
    ['null', { type: 'null' }],
    ['unknown', {}],
    ["'a'", { type: 'string', const: 'a' }],
    ['-1', { type: 'number', const: -1 }],
    ['true', { type: 'boolean', const: true }],
    ["'a' | 'b'", { type: 'string', enum: ['a', 'b'] }],
    ["1 | 'b' | null", { enum: [1, 'b', null] }],
    ['string | null', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['string[]', { type: 'array', items: { type: 'string' } }],
    ['Array<number>', { type: 'array', items: { type: 'number' } }],
    ['readonly (string | number)[]', { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }],
    ['[number, number]', { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'number' }] }, minItems: 2, maxItems: 2 }],
    ['Record<string, boolean>', { type: 'object', additionalProperties: { type: 'boolean' } }],
    ["{ 'b-c'?: string }", { type: 'object', properties: { 'b-c': { type: 'string' } }, additionalProperties: false }],
  ])('%s', (type, schema) => {
    expect(memberSchema(type)).toEqual(schema)
  })

  test('named types of the same file stand for what they are, interfaces take their bases along', () => {
    const head =
      "type Unit = 'lines' | 'words'\ntype Some = Unit | 'bytes'\ninterface Base { unit: Some }\ninterface Both extends Base { deep?: Base[] }"
    const base = {
      type: 'object',
      properties: { unit: { type: 'string', enum: ['lines', 'words', 'bytes'] } },
      required: ['unit'],
      additionalProperties: false,
    }
    expect(memberSchema('Both', head)).toEqual({ ...base, properties: { ...base.properties, deep: { type: 'array', items: base } } })
  })

  test('a member that may be undefined may be left out, and comments become descriptions', () => {
    const { tools } = read('{\n  /** How many. */\n  a: number | undefined\n  b: string\n}')
    expect(tools[0]!.inputSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'number', description: 'How many.' }, b: { type: 'string' } },
      required: ['b'],
      additionalProperties: false,
    })
  })

  test('a member called __proto__ is a member like any other', () => {
    const { tools } = read('{ __proto__: string }')
    expect(JSON.stringify(tools[0]!.inputSchema)).toContain('"__proto__":{"type":"string"}')
  })
})

describe('what is not covered is reported on that very node', () => {
  test.each([
    ['{ a: Date }', 'Date'],
    ['{ a: any }', 'any'],
    ['{ a: string & { b: 1 } }', 'string & { b: 1 }'],
    ['{ a: Partial<B> }', 'Partial<B>'],
    ['{ a: `x${string}` }', '`x${string}`'],
    ['{ a: [string, ...number[]] }', '...number[]'],
    ['{ a: bigint }', 'bigint'],
    ['{ [key: string]: number }', '[key: string]: number'],
    ['{ run(): void }', 'run(): void'],
    ['{ a: Record<number, string> }', 'number'],
    ['string', 'string'],
    ['{ a: Tree }', 'Tree'],
    ['{ a: Generic<string> }', 'Generic<string>'],
  ])('%s', (type, node) => {
    const { tools, diagnostics } = read(type, 'interface Tree { children: Tree[] }\ntype Generic<T> = T[]')
    expect(tools).toEqual([])
    expect(diagnostics.map(({ code, at }) => [code, at.text.slice(...at.range)])).toEqual([['typescript/unsupported-type', node]])
  })

  test('types that double at every step end in a finding', () => {
    const steps = Array.from({ length: 40 }, (_, i) => `type T${i} = { a: T${i + 1}; b: T${i + 1} }`).join('\n')
    const { tools, diagnostics } = read('T0', `${steps}\ntype T40 = string`)
    expect(tools).toEqual([])
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]!.message).toContain('more than 2000 types')
  })
})
