import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Rule } from '../../../schemas/shapes/permission.ts'
import type { Rights } from '../../../runner/permission/asked.ts'
import { ruleText } from '../../../schemas/rule-text.ts'
import { openWorkspace } from '../../../runner/workspace.ts'
import { link, put, temporary } from '../../support/tree.ts'
import { decided, rightsOf, rulesOf } from './stage.ts'

async function ground() {
  const root = temporary()
  put(root, 'project/src/a.ts', '')
  put(root, 'outside/b.txt', '')
  link(root, 'project/linked', '../outside')
  return { root, workspace: await openWorkspace(join(root, 'project'), join(root, 'home')) }
}

const { root, workspace } = await ground()
const rights = (allow: readonly Rule[]): Rights => ({ ...rightsOf({}, workspace), allow })

interface Grown {
  outcome: string
  rules: Rule[]
}

/** What is decided on a call when each rule that is proposed for it is given, as data or as people would write it. */
async function grown(tool: string, input: Record<string, unknown>, as: (rule: Rule) => Rule): Promise<Grown> {
  const rules: Rule[] = []
  const proposed = new Set<string>()
  for (;;) {
    const decision = await decided(tool, input, rights(rules))
    const would = decision.outcome === 'ask' ? decision.would : undefined
    if (!would) return { outcome: decision.outcome, rules }
    if (proposed.has(ruleText(would))) throw new Error(`${ruleText(would)} is proposed although it is given`)
    proposed.add(ruleText(would))
    rules.push(as(would))
  }
}

const asData = (rule: Rule): Rule => rule
const asWritten = (rule: Rule): Rule => rulesOf('allow', [ruleText(rule)])[0]!

/** Every rule that is proposed is about the call it is proposed for, so that the call is allowed or nothing more is proposed. */
async function fits(tool: string, input: Record<string, unknown>): Promise<Grown> {
  const data = await grown(tool, input, asData)
  const written = await grown(tool, input, asWritten)
  expect({ input, outcome: written.outcome }).toEqual({ input, outcome: data.outcome })
  if (data.rules.length > 0) expect({ input, outcome: data.outcome }).toEqual({ input, outcome: 'allow' })
  return data
}

/** How many calls of a property a rule was proposed for. */
async function proposals<T>(arbitrary: fc.Arbitrary<T>, call: (value: T) => [string, Record<string, unknown>]): Promise<number> {
  let proposed = 0
  const holds = async (value: T): Promise<void> => {
    if ((await fits(...call(value))).rules.length > 0) proposed += 1
  }
  await fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns: 600, seed: 5 })
  return proposed
}

describe('a rule that is proposed for a call is about that very call', () => {
  test('of a file, whatever it is called', async () => {
    const name = fc.string({ unit: fc.constantFrom(...'aaaabbbb.é#!~@+-$^|&"\'%=;,[]{}()*?\\ '.split('')), minLength: 1, maxLength: 4 })
    const start = fc.constantFrom('', 'src/', './', '~/', './~/', './#/', '../outside/', 'linked/', `${root}/outside/`, '/etc/', '/')
    const call = fc.record({
      tool: fc.constantFrom('Read', 'Grep', 'Glob', 'Edit', 'Write', 'NotebookEdit'),
      start,
      name,
      below: fc.option(name),
    })
    const proposed = await proposals(call, ({ tool, start: folder, name: one, below }) => {
      const path = `${folder}${one}${below === null ? '' : `/${below}`}`
      return [tool, tool === 'Grep' || tool === 'Glob' ? { path } : tool === 'NotebookEdit' ? { notebook_path: path } : { file_path: path }]
    })
    expect(proposed).toBeGreaterThan(30)
  })

  test('of a host, in every spelling', async () => {
    const host = fc.constantFrom('example.com', 'EXAMPLE.com', 'example.com.', 'bücher.de', '*.example.com', 'localhost.', '127.0.0.1', '0x7f.1', '[::1]', '') // prettier-ignore
    const url = fc.tuple(
      fc.constantFrom('https://', 'http://', 'HTTP://u@', 'file://', 'mailto:'),
      host,
      fc.constantFrom('', '/x', ':8080/'),
    )
    const proposed = await proposals(url, (parts) => ['WebFetch', { url: parts.join('') }])
    expect(proposed).toBeGreaterThan(100)
  })

  test('of a skill or an agent, in every spelling', async () => {
    const name = fc.constantFrom(
      'review',
      '/review',
      '//review',
      'kit:review',
      'cafe\u0301',
      'caf\u00e9',
      'a*',
      'a (b)',
      'a *',
      '',
      '/',
      'a\\b',
    )
    const call = fc.tuple(fc.constantFrom('Skill', 'Agent'), fc.option(name))
    const proposed = await proposals(call, ([tool, given]) => [
      tool,
      given === null ? {} : tool === 'Skill' ? { skill: given } : { subagent_type: given },
    ])
    expect(proposed).toBeGreaterThan(20)
  })

  test('of a command line', async () => {
    const word = fc.constantFrom('x', '-x', '--flag=a', "''", "'a b'", '"q"', '~/x', 'a\\b', 'x:y', '[a]', '{a,b}', '?', '*', '$X', 'run', '#c', '=', '1>&2') // prettier-ignore
    const program = fc.constantFrom('make', 'npm run', 'npm', 'git', 'git push', './tool', 'timeout 5 make', 'sudo make', 'X=1 make', 'nice npm run', 'watch make') // prettier-ignore
    const command = fc.tuple(program, fc.array(word, { maxLength: 3 })).map(([name, words]) => [name, ...words].join(' '))
    const line = fc.tuple(command, fc.option(command), fc.constantFrom(' && ', ' | ', '; ')).map(([one, two, sign]) => (two === null ? one : one + sign + two)) // prettier-ignore
    let proposed = 0
    await fc.assert(
      fc.asyncProperty(line, async (given) => {
        const data = await grown('Bash', { command: given }, asData)
        const written = await grown('Bash', { command: given }, asWritten)
        expect({ given, ...written, rules: written.rules.map(ruleText) }).toEqual({ given, ...data, rules: data.rules.map(ruleText) })
        if (data.rules.length > 0 && data.outcome === 'allow') proposed += 1
      }),
      { numRuns: 400, seed: 5 },
    )
    expect(proposed).toBeGreaterThan(50)
  })
})
