import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Rule } from '../../../schemas/shapes/permission.ts'
import { PERMISSION_MODES, type PermissionMode } from '../../../schemas/values.ts'
import { belowCeilings, type Ceiling, movedTo } from '../../../runner/delegation/ceiling.ts'
import { childMode, NOT_LOOSER } from '../../../runner/delegation/mode.ts'
import { type Asked, decide, type Rights } from '../../../runner/permission/decide.ts'
import type { Workspace } from '../../../runner/workspace.ts'
import { resultText, type ToolResultBlock } from '../../../runner/message.ts'
import { fakeApi, folder, runToEnd } from '../stage.ts'
import { call, cast } from './stage.ts'
import { type Grove, grove, grown, planted, verdicts } from './tree.ts'

/** The soak goes through many more. */
const RUNS = process.env.AGENTC_SOAK ? 500 : 12

describe('the mode of a child', () => {
  test('is exactly that of this table, for every parent and every wish', () => {
    const table = PERMISSION_MODES.map((parent) => `${parent}: ${PERMISSION_MODES.map((wish) => childMode(parent, wish)).join(' ')}`)
    expect(table).toEqual([
      'default: default default default default dontAsk plan',
      'acceptEdits: default acceptEdits acceptEdits acceptEdits dontAsk plan',
      'auto: default auto auto auto dontAsk plan',
      'bypassPermissions: default acceptEdits auto bypassPermissions dontAsk plan',
      'dontAsk: dontAsk dontAsk dontAsk dontAsk dontAsk plan',
      'plan: plan plan plan plan plan plan',
    ])
    expect(PERMISSION_MODES.map((parent) => childMode(parent, undefined))).toEqual([...PERMISSION_MODES])
    expect(childMode('default', 'no such mode')).toBe('default')
  })

  test('never gets looser from step to step', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PERMISSION_MODES), { minLength: 2, maxLength: 5 }), ([first, ...wishes]) => {
        let mode: PermissionMode = first!
        for (const wish of wishes) {
          const next = childMode(mode, wish)
          expect(NOT_LOOSER[mode]).toContain(next)
          mode = next
        }
      }),
    )
  })
})

test('a folder of the checkout is that of the same name in a worktree, whatever it is called', () => {
  const cwd = '/p/..x/sub'
  const moved = movedTo({ root: '/p', cwd, told: '/other' }, '/p', '/p/.claude/worktrees/a')
  expect(moved).toEqual({ root: '/p/.claude/worktrees/a', cwd: '/p/.claude/worktrees/a/..x/sub', told: '/other' })
})

const workspace: Workspace = { root: '/p', cwd: '/p', told: '/p' }
const rule = fc.record({
  tool: fc.constantFrom('Read', 'Write', 'Edit', 'Agent', 'WebFetch'),
  path: fc.option(fc.constantFrom('a/**', 'b/**', '**'), { nil: undefined }),
})
const asRule = ({ tool, path }: { tool: string; path: string | undefined }): Rule =>
  path === undefined || tool === 'Agent' || tool === 'WebFetch' ? { tool } : { tool, match: { path, anchor: 'cwd' } }
const rulesOf = fc.array(rule.map(asRule), { maxLength: 2 })
const node = fc.record({ mode: fc.constantFrom(...PERMISSION_MODES), limits: rulesOf, deny: rulesOf })
const calls: Asked[] = ['/p/a/x', '/p/b/y', '/q/z'].flatMap((path) =>
  ['Read', 'Write', 'Edit'].map((tool): Asked => ({ tool, input: { file_path: path }, files: [{ path, real: path }], search: false })),
)
const others: Asked[] = ['Agent', 'WebFetch', 'TodoWrite'].map((tool) => ({ tool, input: { prompt: 'p' }, files: [], search: false }))

test('no call runs at a node that would be denied at any node above it, in any tree of agents, modes and rules', () => {
  fc.assert(
    fc.property(fc.array(node, { minLength: 2, maxLength: 4 }), rulesOf, rulesOf, rulesOf, (chain, allow, ask, deny) => {
      const rights = (at: (typeof chain)[number]): Rights => ({ ...at, deny: [...deny, ...at.deny], allow, ask, workspace })
      // Each node runs in the mode that it is given below its parent, as the tool Agent does it.
      const modes: PermissionMode[] = []
      for (const { mode } of chain) modes.push(modes.length === 0 ? mode : childMode(modes.at(-1)!, mode))
      const nodes = chain.map((each, at) => ({ ...each, mode: modes[at]! }))
      const ceilings = nodes.slice(0, -1).map((each): Ceiling => ({ ...each, deny: [...deny, ...each.deny], workspace }))
      const below = belowCeilings(decide, ceilings)
      for (const asked of [...calls, ...others]) {
        const now = below(asked, rights(nodes.at(-1)!))
        for (const above of nodes) {
          const decision = decide(asked, rights(above))
          if (decision.outcome === 'deny') expect(now.outcome).toBe('deny')
          if (decision.outcome === 'ask') expect(now.outcome).not.toBe('allow')
        }
      }
    }),
    { numRuns: 300, seed: 8 },
  )
})

/** How often a thing was seen over all trees: a property over trees in which nothing happens would hold for nothing. */
const seen = { agents: 0, ran: 0, deniedByItself: 0, deniedByAbove: 0, forks: 0, worktrees: 0, background: 0, deepest: 0 }

test('in real runs of random trees of agents, modes and rules, exactly the calls run that nobody above would be denied', async () => {
  const api = await fakeApi({})
  let runs = 0
  const holds = async (given: Grove): Promise<void> => {
    const all = planted(given.root)
    const { cwd, deeds } = await grown(given, all, api, `run-of-rights-${(runs += 1)}`)
    for (const at of all) {
      const ends = deeds.get(at.id)
      expect(ends, `${at.id} was started`).toBeDefined()
      for (const [which, end] of ends!.filter(({ name }) => name !== 'Agent').entries()) {
        const judged = await verdicts(at, which, cwd, given)
        const ran = end.decision?.outcome === 'allow'
        expect({ agent: at.id, call: end.name, which, ran }).toEqual({ agent: at.id, call: end.name, which, ran: judged.every(Boolean) })
        if (ran) seen.ran += 1
        else if (judged.at(-1)) seen.deniedByAbove += 1
        else seen.deniedByItself += 1
      }
      seen.agents += 1
      seen.forks += at.fork ? 1 : 0
      seen.worktrees += at.wish.worktree && at.parent ? 1 : 0
      seen.background += at.wish.background ? 1 : 0
      seen.deepest = Math.max(seen.deepest, at.chain.length - 1)
    }
  }
  await fc.assert(fc.asyncProperty(grove, holds), { numRuns: RUNS, seed: 8, endOnFailure: true })
  expect(seen.agents).toBeGreaterThan(RUNS * 2)
  for (const [what, least] of Object.entries({ ran: 2, deniedByItself: 0.5, deniedByAbove: 0.5 })) {
    expect(seen[what as 'ran'], what).toBeGreaterThan(RUNS * least)
  }
  for (const what of ['forks', 'worktrees', 'background'] as const) expect(seen[what], what).toBeGreaterThan(RUNS / 12)
  expect(seen.deepest).toBe(3)
}, 500_000)

test('a limit `Agent(a, b)` binds everything below the agent that has it, and the error names it', async () => {
  const { start, agents } = cast({ lead: { tools: ['Agent'], spawns: ['middle'] }, middle: { tools: ['Agent'] }, other: {} }, 'go', {
    limits: { spawnDepth: 3, parallelReads: 10, resultChars: 100_000 },
  })
  const of = (subagent_type: string) => call('Agent', { description: 'd', prompt: 'p', subagent_type })
  const { url, requests } = await fakeApi({
    rules: [
      { when: { system: 'You are lead' }, turns: [{ content: [of('other'), of('middle')] }, { text: 'end' }] },
      { when: { system: 'You are middle' }, turns: [{ content: [of('other')] }, { text: 'tried' }] },
    ],
  })
  await runToEnd(start, { cwd: await folder(), url, agents })
  const all = await requests()
  expect(all.some(({ system }) => system![0]!.text.includes('You are other'))).toBe(false)
  const refused = all.filter(({ messages }) =>
    JSON.stringify(messages.at(-1)).includes('lead allows only Agent(middle) for itself and everything below it'),
  )
  expect(refused).toHaveLength(2)
})

describe('what is denied to an agent above', () => {
  const deny = [{ tool: 'Read', match: { path: 'secret.txt', anchor: 'cwd' as const } }]
  const files = { 'secret.txt': 'TOKEN=hunter2\n', 'open.txt': 'TOKEN=none\n' }

  /** What the helper of a lead, to which alone the file is denied, gets for one call. */
  async function answerTo(tool: string, input: object): Promise<string> {
    const { start, agents } = cast({ lead: { tools: ['Agent'], deny }, helper: { tools: [tool] } })
    const { url, requests } = await fakeApi({
      rules: [
        { when: { system: 'You are lead' }, turns: [{ content: [call('Agent', { description: 'd', prompt: 'p', subagent_type: 'helper' })] }, { text: 'end' }] }, // prettier-ignore
        { when: { system: 'You are helper' }, turns: [{ content: [call(tool, input)] }, { text: 'done' }] },
      ],
    })
    await runToEnd({ ...start, sandbox: 'off' }, { cwd: await folder(files), url, agents })
    const all = await requests()
    const last = all.findLast(({ system }) => system![0]!.text.includes('You are helper'))!
    return resultText((last.messages.at(-1)!.content as ToolResultBlock[])[0]!)
  }

  test('is denied to the commands of those below it that read a whole folder, without walls too', async () => {
    const answer = await answerTo('Bash', { command: 'grep -rh TOKEN .' })
    expect(answer).not.toContain('hunter2')
    expect(answer).toContain('denied by the rule Read(secret.txt)')
  })

  test('is told to those below it where they search, as a file that is not shown', async () => {
    const answer = await answerTo('Glob', { pattern: '*.txt' })
    expect(answer).toBe('open.txt\n[Files that permission rules hide from this agent are never shown]')
  })
})
