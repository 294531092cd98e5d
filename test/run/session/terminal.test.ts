import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { agentc, agents } from '../../support/bin.ts'
import { atTerminal } from '../../support/pty.ts'
import { ALT_ENTER, atPty, CTRL_D, CTRL_J, ENTER, lastTexts, PASTE, runOf, talk, UP, verified } from './talk.ts'

atPty('two prompts are one conversation, Ctrl-D ends it with success, its account is said, and every request can be derived', async () => {
  const { at, cwd, api, says } = await talk({ turns: [{ text: 'First answer.' }, { text: 'Second answer.' }] })
  await says('one', 'First answer.')
  await says('two', 'Second answer.')
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
  const { at, api, enters, says } = await talk({ turns: ['A.', 'B.', 'C.', 'D.', 'E.'].map((text) => ({ text })) })
  enters('one\\')
  await at.sees('… ')
  await says('two', 'A.')
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

atPty('what is entered while the agent is at work is queued and goes to it next, one after another', async () => {
  const { at, api, enters } = await talk({ turns: [{ text: 'A.', delay_ms: 800 }, { text: 'B.' }, { text: 'C.' }] })
  enters('one')
  await at.sees('waiting for the model')
  enters('two')
  await at.sees('queued: two')
  await at.sees('waiting for the model')
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
  await at.sees('› tw')
  await at.sees('A.')
  await at.sees('> tw')
  enters('o')
  await at.sees('B.')
  expect(await lastTexts(api)).toEqual(['one', 'A.', 'two'])
})

atPty('/help says what can be typed, and notes, skills and commands of the shell go where they belong', async () => {
  const files = {
    '.claude/commands/review.md': 'Review $1 with care.',
    '.claude/agents/worker.md': agents({ worker: ['tools: Bash, Read, Write', 'memory: project'] })['.claude/agents/worker.md']!,
  }
  const { at, cwd, api, enters, says } = await talk({ turns: [{ text: 'A.' }, { text: 'B.' }] }, { files })
  await says('/help', '/review')
  await says('#the build needs make', 'noted in')
  await says('/reviw', 'There is no skill or command /reviw. Did you mean /review?')
  await says('/review a.txt', 'A.')
  enters('!pwd')
  await at.sees('B.')
  const all = (await lastTexts(api)).join('\n')
  expect(all).toContain('Review a.txt with care.')
  expect(all).toContain(`<bash-stdout>\n${cwd}`)
  expect(all).not.toContain('reviw')
  expect(readFileSync(join(cwd, '.claude/agent-memory/worker/MEMORY.md'), 'utf8')).toBe('- the build needs make\n')
})

atPty('a recorded conversation is replayed without a terminal, and without anybody', async () => {
  const { at, cwd, says } = await talk({ turns: [{ text: 'A.' }, { text: 'B.' }] }, { argv: ['run', 'worker', '--record', 'talk.jsonl'] })
  await says('one', 'A.')
  await says('two', 'B.')
  at.types(CTRL_D)
  await at.ended
  const { code, out, err } = await agentc(['run', 'worker', '--replay', 'talk.jsonl'], { cwd })
  expect([code, out, err]).toEqual([0, 'B.\n', '> one\n> two\n'])
})

atPty('what was typed before the conversation began, Enter included, is its first prompt', async () => {
  const { at, api } = await talk({ turns: [{ text: 'A.' }] }, { script: (command) => `echo '> '; sleep 1; ${command}` })
  at.types('one\r')
  await at.sees('A.')
  expect(await lastTexts(api)).toEqual(['one'])
})

atPty('a question of the agent is answered in the conversation', async () => {
  const ask = { tool: 'AskUserQuestion', input: { question: 'Which colour?', options: ['red', 'blue'] } }
  const files = agents({ worker: ['tools: AskUserQuestion'] })
  const { at, api, enters, says } = await talk({ turns: [ask, { text: 'Blue it is.' }] }, { files })
  await says('paint it', '  2  blue')
  enters('2')
  await at.sees('Blue it is.')
  expect(JSON.stringify((await api.requests()).at(-1)!.messages)).toContain('The person answers: blue')
})
