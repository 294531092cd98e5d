import { beforeAll, describe, expect, test } from 'vitest'
import { compile } from '../compiler/compile.ts'
import { manifestText } from '../compiler/emit/manifest-of.ts'
import { ManifestFault, agentHash, readManifest, writeManifest } from '../schemas/manifest.ts'
import type { ManifestAgent, ManifestHeader } from '../schemas/shapes/manifest.ts'
import { agents, project } from './support/bin.ts'
import { optionsFor } from './support/tree.ts'

let text = ''
let header: ManifestHeader
let reviewer: ManifestAgent

beforeAll(async () => {
  const cwd = project(agents({ reviewer: ['tools: Read'], writer: ['tools: Write'], tester: ['maxTurns: 3'] }))
  text = manifestText(await compile(optionsFor(`${cwd}/..`, { layers: ['project'] })))
  const open = readManifest(text)
  header = open.header
  reviewer = open.agents.get('reviewer')!
})

function faultOf(damaged: string, wanted?: (name: string) => boolean): string {
  try {
    readManifest(damaged, wanted)
  } catch (error) {
    if (error instanceof ManifestFault) return error.message
    throw error
  }
  return 'none'
}

/** A hand-made agent with a hash that fits. */
function made(more: Partial<ManifestAgent>): ManifestAgent {
  const { hash: _, ...rest } = { ...reviewer, ...more }
  return { hash: agentHash(rest), ...rest }
}

const linesOf = (manifest: string): string[] => manifest.split('\n')
const lineOf = (name: string): string =>
  linesOf(text)
    .find((line) => line.startsWith(`"${name}": `))!
    .replace(/,$/, '')

describe('readManifest', () => {
  test('gives back what was written, whole, in name order, and the same bytes when written again', () => {
    const open = readManifest(text)
    expect(open.names).toEqual(['reviewer', 'tester', 'writer'])
    expect(JSON.parse(text)).toEqual({ ...open.header, agents: Object.fromEntries(open.agents) })
    expect(writeManifest(open.header, open.agents)).toBe(text)
    expect(text.endsWith('\n}\n}\n')).toBe(true)
  })

  test.each<[what: string, damage: (text: string) => string, says: RegExp]>([
    [
      'another version',
      (all) => all.replace('"agentc": 1', '"agentc": 2'),
      /has version 2, this agentc reads version 1\. Run `agentc build` again/,
    ],
    [
      'a header of another shape',
      (all) => all.replace('"profile": "agentc"', '"profile": 7'),
      /header has a wrong shape: \/profile must be string/,
    ],
    ['a header with a member too many', (all) => all.replace('"agentc": 1', '"agentc": 1,\n"more": 1'), /header has a wrong shape/],
    [
      'a header that was changed',
      (all) => all.replace('"profile": "agentc"', '"profile": "agentd"'),
      /changed after it was built: its hash does not fit/,
    ],
    ['another top hash', (all) => all.replace(/"hash": "sha256:./, '"hash": "sha256:x'), /header has a wrong shape: \/hash/],
    [
      'an agent that was changed',
      (all) => all.replace('"tools":["Read"]', '"tools":["Bash"]'),
      /Agent "reviewer" was changed after the manifest was built/,
    ],
    [
      'an agent of another shape',
      (all) => all.replace('"maxTurns":3', '"maxTurns":"3"'),
      /Agent "tester" of the manifest has a wrong shape: \/maxTurns/,
    ],
    ['an agent that was removed', (all) => all.replace(`${lineOf('tester')},\n`, ''), /changed after it was built/],
    [
      'an agent that was added',
      (all) => all.replace('"tester": ', `${lineOf('tester').replace('tester', 'second')},\n"tester": `),
      /changed after it was built/,
    ],
    ['an agent under another name', (all) => all.replace('"tester": ', '"Tester": '), /changed after it was built/],
    [
      'two agents that changed names',
      (all) => all.replace('"tester": ', '"swap": ').replace('"writer": ', '"tester": ').replace('"swap": ', '"writer": '),
      /changed after it was built/,
    ],
    ['a text that ends too early', (all) => all.slice(0, -1), /a part of it is missing/],
    ['a text that ends in the middle of an agent', (all) => `${all.slice(0, -200)}\n}\n}\n`, /is not JSON/],
    ['a text of half a header', (all) => all.slice(0, 200), /not a manifest that agentc wrote/],
    ['an empty text', () => '', /not a manifest that agentc wrote/],
    ['JSON of another kind', () => '{"name":"x"}\n', /not a manifest that agentc wrote/],
    ['the same JSON laid out otherwise', (all) => JSON.stringify(JSON.parse(all), null, 2), /not a manifest that agentc wrote/],
    ['a line that is no agent', (all) => all.replace('"tester": {', '"tester": 7, "x": {'), /a line of its agents is not an agent/],
    ['a merge conflict', (all) => all.replace('"tester": ', '<<<<<<< HEAD\n"tester": '), /a line of its agents is not an agent/],
  ])('refuses %s with a clear sentence', (_what, damage, says) => {
    const damaged = damage(text)
    expect(damaged).not.toBe(text)
    expect(faultOf(damaged)).toMatch(says)
  })

  test('reads the agent that is asked for without parsing the others', () => {
    const damaged = text.replace('"maxTurns":3', '"maxTurns":3,,,')
    const open = readManifest(damaged, (name) => name === 'reviewer')
    expect([...open.agents.keys()]).toEqual(['reviewer'])
    expect(open.names).toEqual(['reviewer', 'tester', 'writer'])
    expect(faultOf(damaged, (name) => name === 'tester')).toBe(
      'The manifest is damaged: its agent "tester" is not JSON. Run `agentc build` again.',
    )
  })

  test('finds one of 5,000, and misses none that is not there', () => {
    const many = new Map(Array.from({ length: 5000 }, (_, i) => [`agent-${i}`, reviewer]))
    const open = readManifest(writeManifest(header, many), (name) => name === 'agent-4321')
    expect(open.names).toHaveLength(5000)
    expect(open.agents.get('agent-4321')).toEqual(reviewer)
    expect(readManifest(text, (name) => name === 'nobody').agents.size).toBe(0)
  })

  test('freezes what it gives, all the way down', () => {
    const open = readManifest(text)
    const agent = open.agents.get('reviewer')!
    for (const part of [
      open.header,
      open.header.tools,
      agent,
      agent.toolViews,
      agent.toolViews.main.tools,
      agent.origin,
      agent.provenance,
    ]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
    expect(() => (agent.toolViews.main.tools as string[]).push('Bash')).toThrow(TypeError)
  })

  test('reads a manifest without agents', () => {
    const empty = writeManifest(header, new Map())
    expect(readManifest(empty)).toMatchObject({ names: [] })
    expect(JSON.parse(empty)).toMatchObject({ agents: {} })
  })
})

describe('names and values of any kind survive', () => {
  const NAMES = [
    '__proto__',
    'constructor',
    'toString',
    '"quoted" \\ back',
    'a": {"hash":"x"',
    '🦊 fox',
    'コード',
    '\u2028line',
    ',\n"agents": {\n',
    '404',
    '',
  ]

  test.each(NAMES)('the name %j', (name) => {
    const all = new Map([
      ['first', reviewer],
      [name, made({ prompt: `I am ${name}` })],
      ['zz-last', reviewer],
    ])
    const written = writeManifest(header, all)
    expect(readManifest(written).agents.get(name)!.prompt).toBe(`I am ${name}`)
    expect(Object.getOwnPropertyDescriptor((JSON.parse(written) as { agents: object }).agents, name)).toBeDefined()
    expect(readManifest(written).agents.size).toBe(3)
  })

  test('line ends, ends of the manifest, lone surrogates and control characters in values', () => {
    const prompt = 'a\nb\r\n}\n}\n,\n"agents": {\n"x": {"hash":"sha256:"\u0000\u2029\ud800 end'
    const agent = made({
      prompt,
      provenance: JSON.parse('{"__proto__":{"source":"user","path":"x","line":1,"column":1}}') as ManifestAgent['provenance'],
    })
    const read = readManifest(writeManifest(header, new Map([['x', agent]]))).agents.get('x')!
    expect(read.prompt).toBe(prompt)
    expect(Object.keys(read.provenance)).toEqual(['__proto__'])
  })

  test('the hash is over the meaning: the order of members does not count, every value does', () => {
    const { prompt, description, ...rest } = reviewer
    expect(agentHash({ ...rest, description, prompt } as ManifestAgent)).toBe(reviewer.hash)
    expect(agentHash({ ...reviewer, prompt: `${prompt} ` })).not.toBe(reviewer.hash)
    expect(agentHash({ ...reviewer, maxTurns: 1 })).not.toBe(reviewer.hash)
  })
})
