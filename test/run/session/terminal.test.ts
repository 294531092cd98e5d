import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ModelRequest } from '../../../runner/message.ts'
import { agentc, agents, project } from '../../support/bin.ts'
import { type At, atTerminal, HAS_PTY, type Sitting } from '../../support/pty.ts'
import { type FakeApi, fakeApi } from '../stage.ts'
import { processesWith } from '../writing-tools.ts'

const atPty = HAS_PTY ? test : test.skip

const ENTER = '\r'
const UP = '\u001B[A'
const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const CTRL_J = '\n'
const ALT_ENTER = '\u001B\r'
const PASTE = (text: string) => `\u001B[200~${text}\u001B[201~`
const bash = (command: string) => ({ tool: 'Bash', input: { command } })

const WORKER = agents({ worker: ['tools: Bash, Read, Write'] })
const ALLOWED = { '.claude/settings.json': '{}', 'a.txt': 'the text of a' }

interface Talk {
  at: Sitting
  cwd: string
  api: FakeApi
  /** Enters a prompt. */
  enters(text: string): void
}

/** A conversation with the agent `worker`, up to its first prompt. */
async function talk(script: object, more: Partial<At> & { argv?: string[]; files?: Record<string, string> } = {}): Promise<Talk> {
  const { argv = ['run', 'worker'], files = {}, env = {}, ...how } = more
  const api = await fakeApi(script)
  const cwd = how.cwd ?? project({ ...WORKER, ...ALLOWED, ...files })
  const at = atTerminal(argv, { ...how, cwd, env: { ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: api.url, ...env } })
  await at.sees('> ')
  return { at, cwd, api, enters: (text) => at.types(`${text}${ENTER}`) }
}

/** What was said in a request, without the block about the surroundings. */
const texts = ({ messages }: ModelRequest): string[] =>
  messages.flatMap(({ content }) => content.map((block) => ('text' in block ? (block.text as string) : block.type))).slice(1)
const lastTexts = async (api: FakeApi) => texts((await api.requests()).at(-1)!)

function runOf(cwd: string): string {
  return readdirSync(join(cwd, '.agentc/runs')).at(-1)!
}

async function verified(cwd: string): Promise<string> {
  return (await agentc(['verify', runOf(cwd)], { cwd })).out
}

atPty('two prompts are one conversation, Ctrl-D ends it with success, its account is said, and every request can be derived', async () => {
  const { at, cwd, api, enters } = await talk({ turns: [{ text: 'First answer.' }, { text: 'Second answer.' }] })
  enters('one')
  await at.sees('First answer.')
  await at.sees('> ')
  enters('two')
  await at.sees('Second answer.')
  await at.sees('> ')
  at.types(CTRL_D)
  const { code, shown } = await at.ended
  expect(code).toBe(0)
  expect(await lastTexts(api)).toEqual(['one', 'First answer.', 'two'])
  expect(shown).toMatch(/2 turns, [\d,]+ tokens in, \d+ out, \$0\.\d{4}/)
  expect(shown).toContain(`Go on with it: agentc run --resume ${runOf(cwd)}`)
  expect(await verified(cwd)).toContain('2 requests are as recorded')
})

atPty('a conversation that has ended is gone on with as one', async () => {
  const first = await talk({ turns: [{ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }] })
  first.enters('one')
  await first.at.sees('> ')
  first.enters('/exit')
  expect((await first.at.ended).code).toBe(0)
  const { cwd } = first
  const env = { ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: first.api.url }
  const again = atTerminal(['run', '--resume', runOf(cwd)], { cwd, env })
  await again.sees('> ')
  again.types(`two${ENTER}`)
  await again.sees('Second.')
  await again.sees('> ')
  again.types(`three${ENTER}`)
  await again.sees('Third.')
  await again.sees('> ')
  again.types(CTRL_D)
  expect((await again.ended).code).toBe(0)
  expect(await lastTexts(first.api)).toEqual(['one', 'First.', 'two', 'Second.', 'three'])
  expect(await verified(cwd)).toContain('3 requests are as recorded')
})

atPty(
  'what was said before comes back with the arrow, also in another conversation, without secrets and never in the project',
  async () => {
    const env = { MY_TOKEN: 'hunter2hunter2' }
    const first = await talk({ turns: [{ text: 'A.' }, { text: 'B.' }, { text: 'C.' }] }, { env })
    first.enters('the first one')
    await first.at.sees('> ')
    first.enters('say hunter2hunter2')
    await first.at.sees('> ')
    first.at.types(UP + UP)
    await first.at.sees('the first one')
    first.enters('')
    await first.at.sees('C.')
    expect((await lastTexts(first.api)).at(-1)).toBe('the first one')
    await first.at.sees('> ')
    first.at.types(CTRL_D)
    await first.at.ended
    const file = join(first.cwd, '../home/.claude/agentc/history.jsonl')
    expect(readFileSync(file, 'utf8')).not.toContain('hunter2')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(join(first.cwd, '.claude/agentc'))).toBe(false)
    const again = await talk({ turns: [{ text: 'D.' }] }, { cwd: first.cwd, env })
    again.at.types(UP + UP)
    await again.at.sees('say [redacted]')
    again.enters('')
    await again.at.sees('D.')
  },
)

atPty('a text of several lines: by a backslash, by Ctrl-J, by Alt-Enter, and pasted', async () => {
  const { at, api, enters } = await talk({ turns: ['A.', 'B.', 'C.', 'D.', 'E.'].map((text) => ({ text })) })
  enters('one\\')
  await at.sees('… ')
  enters('two')
  await at.sees('A.')
  await at.sees('> ')
  enters(`three${CTRL_J}four`)
  await at.sees('B.')
  await at.sees('> ')
  enters(`five${ALT_ENTER}six`)
  await at.sees('C.')
  await at.sees('> ')
  enters(`see ${PASTE('seven\reight\r\u0003\u001B[31mnine')}!`)
  await at.sees('D.')
  await at.sees('> ')
  at.types(UP)
  await at.sees('nine!')
  enters('')
  await at.sees('E.')
  const said = (await lastTexts(api)).filter((_, at) => at % 2 === 0)
  const pasted = 'see seven\neight\n[31mnine!'
  expect(said).toEqual(['one\ntwo', 'three\nfour', 'five\nsix', pasted, pasted])
})

const ENDLESS = { text: 'A long answer that never ends.', fault: { type: 'hang_mid', after_events: 5, times: 1 } }

atPty('Ctrl-C interrupts a reply that is arriving, and the conversation goes on with what had arrived', async () => {
  const { at, cwd, api, enters } = await talk({ turns: [ENDLESS, { text: 'Better.' }], options: { chunk: 4 } })
  enters('one')
  await at.sees('A long a')
  at.types(CTRL_C)
  await at.sees('interrupted')
  await at.sees('> ')
  enters('two')
  await at.sees('Better.')
  await at.sees('> ')
  at.types(CTRL_D)
  expect((await at.ended).code).toBe(0)
  expect(await lastTexts(api)).toEqual(['one', expect.stringMatching(/^A long a/) as string, '[Request interrupted by user]', 'two'])
  expect(await verified(cwd)).toContain('2 requests are as recorded')
})

atPty('Ctrl-C ends a command that is running, with all it has started, and the conversation goes on', async () => {
  const mark = `agentc-talk-${process.pid}`
  const files = { '.claude/settings.json': JSON.stringify({ permissions: { allow: ['Bash'] } }) }
  const slow = bash(`exec -a ${mark} sleep 300`)
  const { at, cwd, api, enters } = await talk({ turns: [slow, { text: 'Well.' }] }, { files, argv: ['run', 'worker', '--trust'] })
  enters('one')
  while (processesWith(mark) === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  at.types(CTRL_C)
  await at.sees('interrupted')
  await at.sees('> ')
  expect(processesWith(mark)).toBe(0)
  enters('two')
  await at.sees('Well.')
  await at.sees('> ')
  at.types(CTRL_D)
  expect((await at.ended).code).toBe(0)
  expect(JSON.stringify((await api.requests()).at(-1)!.messages)).toContain('The run was interrupted, and the command was ended')
  expect(await verified(cwd)).toContain('2 requests are as recorded')
})

atPty('the person allows and denies calls in the conversation; what was typed before the question is no answer to it', async () => {
  const turns = [{ ...bash('mkdir one'), delay_ms: 1500 }, { text: 'Made.' }, bash('mkdir two'), { text: 'Not made.' }, { text: 'Yes?' }]
  const { at, cwd, api, enters } = await talk({ turns })
  enters('make it')
  await at.sees('waiting for the model')
  at.types(`y${ENTER}an`)
  await at.sees('n  do not allow it')
  await at.sees('> ')
  expect(existsSync(join(cwd, 'one'))).toBe(false)
  enters('y')
  await at.sees('Made.')
  await at.sees('> y')
  await at.sees('mkdir two')
  await at.sees('n  do not allow it')
  await at.sees('> ')
  enters('n')
  await at.sees('Not made.')
  await at.sees('> an')
  at.types(`d${ENTER}`)
  await at.sees('Yes?')
  expect([existsSync(join(cwd, 'one')), existsSync(join(cwd, 'two'))]).toEqual([true, false])
  expect((await lastTexts(api)).filter((text) => text !== 'tool_use' && text !== 'tool_result')).toEqual([
    'make it',
    'Made.',
    'y',
    'Not made.',
    'and',
  ])
})

atPty('Ctrl-C while a question is open denies the call and interrupts the work, not the conversation', async () => {
  const { at, cwd, enters } = await talk({ turns: [bash('mkdir one'), { text: 'Well.' }] })
  enters('one')
  await at.sees('n  do not allow it')
  await at.sees('> ')
  at.types(CTRL_C)
  await at.sees('interrupted')
  await at.sees('> ')
  enters('two')
  await at.sees('Well.')
  expect(existsSync(join(cwd, 'one'))).toBe(false)
})

atPty('what is entered while the agent is at work is queued and goes to it next, one after another', async () => {
  const { at, api, enters } = await talk({ turns: [{ text: 'A.', delay_ms: 800 }, { text: 'B.' }, { text: 'C.' }] })
  enters('one')
  await at.sees('waiting for the model')
  enters('two')
  await at.sees('queued: two')
  enters('three')
  await at.sees('queued: three')
  const shown = await at.sees('C.')
  expect(shown).toMatch(/A\.[^]*> two[^]*B\.[^]*> three[^]*C\./)
  expect(await lastTexts(api)).toEqual(['one', 'A.', 'two', 'B.', 'three'])
})

atPty('a prompt that is typed and not entered while the agent is at work is there when it is done', async () => {
  const { at, api, enters } = await talk({ turns: [{ text: 'A.', delay_ms: 600 }, { text: 'B.' }] })
  enters('one')
  await at.sees('waiting for the model')
  at.types('tw')
  await at.sees('A.')
  await at.sees('> tw')
  enters('o')
  await at.sees('B.')
  expect(await lastTexts(api)).toEqual(['one', 'A.', 'two'])
})

atPty('at an empty prompt Ctrl-C says what a second one does, and the second ends the conversation with success', async () => {
  const { at } = await talk({ turns: [] })
  at.types(`something${CTRL_C}`)
  await at.sees('> ')
  at.types(CTRL_C)
  await at.sees('Ctrl-C once more, or Ctrl-D, ends the conversation.')
  await at.sees('> ')
  at.types(CTRL_C)
  expect((await at.ended).code).toBe(0)
})

atPty('Ctrl-D while the agent is at work ends the conversation when it is done', async () => {
  const { at, enters } = await talk({ turns: [{ text: 'Done.', delay_ms: 500 }] })
  enters('one')
  await at.sees('waiting for the model')
  at.types(CTRL_D)
  await at.sees('Done.')
  expect((await at.ended).code).toBe(0)
})

for (const [name, how] of Object.entries({
  'with TERM=dumb': { env: { TERM: 'dumb' } },
  'with --plain': { argv: ['run', 'worker', '--plain'] },
})) {
  atPty(`${name} not one escape sequence is written, nothing is written over, and all works`, async () => {
    const turns = [{ ...ENDLESS }, bash('mkdir one'), { text: 'Made.\nTruly.' }]
    const { at, cwd, enters } = await talk({ turns, options: { chunk: 4 } }, how)
    enters('one')
    await new Promise((resolve) => setTimeout(resolve, 700))
    at.types(CTRL_C)
    await at.sees('interrupted')
    await at.sees('> ')
    enters('two\\')
    await at.sees('… ')
    enters('lines')
    await at.sees('n  do not allow it')
    await at.sees('> ')
    enters('y')
    await at.sees('Truly.')
    await at.sees('> ')
    at.types(CTRL_D)
    const { code, shown } = await at.ended
    expect(code).toBe(0)
    expect(existsSync(join(cwd, 'one'))).toBe(true)
    expect(shown).not.toContain('\u001B')
    expect(shown.replaceAll('\r\n', '\n')).not.toMatch(/[\r\b]/)
  })
}

atPty('with NO_COLOR nothing has a colour, and lines can still be edited', async () => {
  const { at, enters } = await talk({ turns: [{ text: 'A.' }] }, { env: { NO_COLOR: '1' } })
  at.types('onx\u007F')
  enters('e')
  await at.sees('A.')
  await at.sees('> ')
  at.types(CTRL_D)
  expect((await at.ended).shown).not.toMatch(/\u001B\[[\d;]*m/)
})

const ENDINGS: [name: string, code: number, end: (talk: Talk) => void | Promise<void>][] = [
  ['Ctrl-D', 0, ({ at }) => at.types(CTRL_D)],
  ['/exit', 0, ({ enters }) => enters('/exit')],
  ['Ctrl-C twice', 0, ({ at }) => at.types(CTRL_C + CTRL_C)],
  [
    'Ctrl-C again and again while a call does not end',
    130,
    async ({ at, enters }) => {
      enters('one')
      await at.sees('waiting')
      at.types(CTRL_C + CTRL_C + CTRL_C)
    },
  ],
  ['SIGTERM', 143, ({ cwd }) => signalled(cwd, 'SIGTERM')],
  [
    'SIGHUP while the agent is at work',
    129,
    async ({ at, enters, cwd }) => {
      enters('one')
      await at.sees('waiting')
      signalled(cwd, 'SIGHUP')
    },
  ],
]

/** Signals the program that writes the run. */
function signalled(cwd: string, signal: NodeJS.Signals): void {
  const lock = readFileSync(join(cwd, '.agentc/runs', runOf(cwd), 'lock'), 'utf8')
  process.kill(Number(lock.split(' ')[0]), signal)
}

for (const [name, code, end] of ENDINGS) {
  atPty(`the terminal is left as it was found after ${name}`, async () => {
    const script = (command: string) => `stty -a >before; ${command}; code=$?; stty -a >after; exit $code`
    const talking = await talk({ turns: [{ text: 'x', fault: { type: 'hang' } }] }, { script })
    await end(talking)
    const { code: came, shown } = await talking.at.ended
    expect(came).toBe(code)
    expect(readFileSync(join(talking.cwd, 'after'), 'utf8')).toBe(readFileSync(join(talking.cwd, 'before'), 'utf8'))
    expect(shown.lastIndexOf('\u001B[?2004l')).toBeGreaterThan(shown.lastIndexOf('\u001B[?2004h'))
  })
}

atPty('/help says what can be typed, and notes, skills and commands of the shell go where they belong', async () => {
  const files = {
    '.claude/commands/review.md': 'Review $1 with care.',
    '.claude/agents/worker.md': agents({ worker: ['tools: Bash, Read, Write', 'memory: project'] })['.claude/agents/worker.md']!,
  }
  const { at, cwd, api, enters } = await talk({ turns: [{ text: 'A.' }, { text: 'B.' }] }, { files })
  enters('/help')
  await at.sees('/review')
  await at.sees('> ')
  enters('#the build needs make')
  await at.sees('noted in')
  await at.sees('> ')
  enters('/reviw')
  await at.sees('There is no skill or command /reviw. Did you mean /review?')
  await at.sees('> ')
  enters('/review a.txt')
  await at.sees('A.')
  await at.sees('> ')
  enters('!pwd')
  await at.sees('B.')
  const all = (await lastTexts(api)).join('\n')
  expect(all).toContain('Review a.txt with care.')
  expect(all).toContain(`<bash-stdout>\n${cwd}`)
  expect(all).not.toContain('reviw')
  expect(readFileSync(join(cwd, '.claude/agent-memory/worker/MEMORY.md'), 'utf8')).toBe('- the build needs make\n')
})
