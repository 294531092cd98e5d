import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandsIn, hasCommands } from '../../../runner/skills/expand.ts'
import { noPerson, type AskPerson } from '../../../runner/tools/tool.ts'
import { isPersonsPlan, modeInForce } from '../../../runner/permission/mode.ts'
import { agentWithoutPowers, withoutPowers } from '../../../runner/trust/effective.ts'
import { digestOf, powersOf } from '../../../runner/trust/powers.ts'
import { trustStore } from '../../../runner/trust/store.ts'
import { trustOf } from '../../../runner/trust/trust.ts'
import { temporary, put } from '../../support/tree.ts'
import { type AgentParts, type HeaderParts, startOf } from '../manifest-fixture.ts'

const project = { source: 'project' as const, path: '.claude/settings.json', line: 3, column: 5 }
const user = { ...project, source: 'user' as const, path: 'settings.json' }
const HASH = `sha256:${'0'.repeat(64)}`
const hook = (origin: typeof project | typeof user) => ({ Stop: [{ handlers: [{ type: 'command' as const, command: 'x' }], origin }] })
const server = { type: 'stdio' as const, command: 'x' }

const GREEDY: HeaderParts = {
  permissions: { allow: [{ tool: 'Bash', origin: project }, { tool: 'Edit', origin: user }], ask: [{ tool: 'Read', origin: project }], deny: [{ tool: 'WebFetch', origin: project }] }, // prettier-ignore
  hooks: hook(project),
  mcpServers: { near: { config: server, origin: project }, own: { config: server, origin: user } },
  settings: {
    bypassDisabled: false,
    defaultMode: { value: 'acceptEdits', origin: project },
    additionalDirectories: [{ value: '../x', origin: project }],
    env: { A: { value: '1', origin: project }, B: { value: '2', origin: user } },
  },
  skills: {
    deploy: { description: 'd', content: 'Run !`make deploy` now', hash: HASH, origin: { source: 'project', path: '.claude/skills/deploy/SKILL.md' }, allowedTools: [{ tool: 'Bash' }] },
  },
} // prettier-ignore
const AGENT: AgentParts = {
  memory: 'user',
  permissionMode: 'bypassPermissions',
  servers: [{ name: 's', config: server }],
  hooks: hook(project),
}

const started = (parts: HeaderParts = GREEDY, agent: AgentParts = AGENT) => startOf(agent, 'go', parts)
const powers = (parts?: HeaderParts, agent?: AgentParts) => {
  const { header, name, agent: read } = started(parts, agent)
  return powersOf(header, new Map([[name, read]]))
}

test('the powers of a project are those of its own files, and nothing that restricts or that the user wrote', () => {
  expect(powers().map(({ kind, what }) => `${kind} ${what}`)).toEqual([
    'allow Bash',
    'command line deploy: make deploy',
    'directory ../x',
    'env A=1',
    'hook Stop : {"command":"x","type":"command"}',
    'hook Stop : {"command":"x","type":"command"}',
    'mode acceptEdits',
    'mode worker: bypassPermissions',
    "notes worker: those of the user's agent of this name",
    'server near: {"command":"x","type":"stdio"}',
    'server worker/s: {"command":"x","type":"stdio"}',
    'skill deploy: Bash',
  ])
})

test('without trust none of them counts, and all that denies or asks does', () => {
  const { header, agent } = started()
  const bare = withoutPowers(header)
  expect(powersOf(bare, new Map([['worker', agentWithoutPowers(agent)]]))).toEqual([])
  expect(bare.permissions).toMatchObject({ allow: [{ tool: 'Edit' }], ask: [{ tool: 'Read' }], deny: [{ tool: 'WebFetch' }] })
  expect(Object.keys(bare.mcpServers)).toEqual(['own'])
  expect(bare.settings).toEqual({ bypassDisabled: false, additionalDirectories: [], env: { B: { value: '2', origin: user } } })
  expect(agentWithoutPowers(agent).memory).toBeUndefined()
  expect(agentWithoutPowers({ ...agent, memory: 'project' }).memory).toBe('project')
  expect(bare.skills.deploy).toMatchObject({ content: 'Run `make deploy` now' })
})

test('the mode in force follows trust; a stricter mode always counts, bypass can be switched off, and the person chooses', () => {
  const { header, agent } = started()
  expect(modeInForce({ header, agent })).toBe('bypassPermissions')
  const bare = { header: withoutPowers(header), agent: agentWithoutPowers(agent) }
  expect(modeInForce(bare)).toBe('default')
  expect(modeInForce({ ...bare, permissionMode: 'acceptEdits' })).toBe('acceptEdits')
  const set = started(GREEDY, {})
  expect(modeInForce(set)).toBe('acceptEdits')
  const strict = started({ ...GREEDY, settings: { ...header.settings, defaultMode: { value: 'plan', origin: project } } }, {})
  expect(modeInForce({ ...strict, header: withoutPowers(strict.header) })).toBe('plan')
  const off = started({ ...GREEDY, settings: { ...header.settings, bypassDisabled: true } })
  expect(modeInForce(off)).toBe('default')
})

test('only a person makes plan mode one to look around in', () => {
  const { header, agent } = started(GREEDY, { permissionMode: 'plan' })
  expect(isPersonsPlan({ header, agent })).toBe(false)
  expect(isPersonsPlan({ header, agent, permissionMode: 'plan' })).toBe(true)
  expect(isPersonsPlan({ header, agent, permissionMode: 'plan', role: 'sub' })).toBe(false)
  const provenance = { permissionMode: { ...user, source: 'policy' as const } }
  expect(isPersonsPlan({ header, agent: { ...agent, provenance }, permissionMode: 'plan' })).toBe(false)
})

test('every command that a text would run is a power, and in a project that is not trusted none is left, whatever the text is', () => {
  const pieces = fc.constantFrom('`', '```', '```!', '!`', '!', '~~~', '\n', ' ', 'a', 'ls -l', '``', '\t', '\r\n')
  const texts = fc.array(pieces, { maxLength: 24 }).map((all) => all.join(''))
  fc.assert(
    fc.property(texts, (content) => {
      const deploy = { ...GREEDY.skills!.deploy!, content }
      const lines = powers({ ...GREEDY, skills: { deploy } }).filter(({ kind }) => kind === 'command line')
      expect(lines).toHaveLength(commandsIn(content).length)
      const bare = withoutPowers(started({ ...GREEDY, skills: { deploy } }).header)
      expect(hasCommands(bare.skills.deploy!)).toBe(false)
    }),
    { numRuns: 300 },
  )
})

const signal = new AbortController().signal
const yes: AskPerson = (question) => Promise.resolve({ answer: question.options![1]! })

test('a person is asked with what the project would gain, once for exactly these powers, and the answer is kept outside the project', async () => {
  const root = temporary()
  const store = trustStore(join(root, 'home/.claude'))
  const asked: string[] = []
  const ask: AskPerson = (question, at) => {
    asked.push(question.text)
    return yes(question, at)
  }
  const question = { root: join(root, 'project'), given: false, store, ask, signal }
  expect(await trustOf({ ...question, powers: powers() })).toEqual({ trusted: true })
  expect(asked[0]).toContain('  command line deploy: make deploy (.claude/skills/deploy/SKILL.md)')
  expect(await trustOf({ ...question, powers: powers() })).toEqual({ trusted: true })
  expect(asked).toHaveLength(1)
  const more = powers({ ...GREEDY, hooks: { Stop: [{ handlers: [{ type: 'command', command: 'y' }], origin: project }] } })
  expect(digestOf(more)).not.toBe(digestOf(powers()))
  await trustOf({ ...question, powers: more })
  expect(asked).toHaveLength(2)
  expect(JSON.parse(readFileSync(join(root, 'home/.claude/agentc/trust.json'), 'utf8'))).toEqual({
    agentc: 1,
    projects: { [join(root, 'project')]: digestOf(more) },
  })
})

test('nobody there, or a no, means not trusted, which is said once with what does not count; --trust asks nobody and keeps nothing', async () => {
  const root = temporary()
  const store = trustStore(join(root, 'home/.claude'))
  const question = { powers: powers(), root, given: false, store, ask: noPerson, signal }
  const notice =
    'The project is not trusted, so these of its settings do not count: allow (1), command line (1), directory (1), env (1), hook (2), mode (2), notes (1), server (2), skill (1). Its deny and ask rules do. Trust it with --trust.'
  expect(await trustOf(question)).toEqual({ trusted: false, notice })
  expect((await trustOf({ ...question, ask: () => Promise.resolve({ answer: 'no' }) })).trusted).toBe(false)
  expect(await trustOf({ ...question, given: true })).toEqual({ trusted: true })
  expect(await trustOf({ ...question, powers: [] })).toEqual({ trusted: true })
  expect(existsSync(join(root, 'home'))).toBe(false)
})

test('a project that brings a trust file along is not believed', async () => {
  const root = temporary()
  put(root, 'config/agentc/trust.json', JSON.stringify({ agentc: 1, projects: { [root]: digestOf(powers()) } }))
  const store = trustStore(join(root, 'config'))
  expect(await store.knows(root, digestOf(powers()))).toBe(false)
  expect(await store.remember(root, digestOf(powers()))).toBe(false)
})

test('a broken trust file trusts nothing', async () => {
  const root = temporary()
  for (const text of ['', '{', '[]', 'null', '{"agentc":2,"projects":{"/x":"d"}}']) {
    put(root, 'c/agentc/trust.json', text)
    expect(await trustStore(join(root, 'c')).knows('/x', 'd')).toBe(false)
  }
})

test('what a project writes cannot draw the question', async () => {
  let text = ''
  const ask: AskPerson = (question) => ((text = question.text), Promise.resolve({ nobody: true }))
  const evil = { kind: 'env' as const, what: 'A=\u001b[2J\r\nDo you trust it? yes\u202e', where: '' }
  await trustOf({ powers: [evil], root: '/p', given: false, store: trustStore('/nowhere'), ask, signal })
  expect(text.split('\n')).toHaveLength(3)
  expect(text).not.toMatch(/[\u001b\r\u202e]/)
})
