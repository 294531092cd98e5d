import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { atPty, bash, CTRL_C, CTRL_D, ENDLESS, talk } from './talk.ts'

for (const [name, how] of Object.entries({
  'with TERM=dumb': { env: { TERM: 'dumb' } },
  'with --plain': { argv: ['run', 'worker', '--plain'] },
})) {
  atPty(`${name} not one escape sequence is written, nothing is written over, and all works`, async () => {
    const turns = [{ ...ENDLESS }, bash('mkdir one'), { text: 'Made.\nTruly.' }]
    const { at, cwd, enters, says } = await talk({ turns, options: { chunk: 4 } }, how)
    enters('one')
    await at.sees('A long answer')
    at.types(CTRL_C)
    await at.sees('interrupted')
    await at.sees('> ')
    enters('two\\')
    await at.sees('… ')
    await says('lines', 'n  do not allow it')
    await says('y', 'Truly.')
    at.types(CTRL_D)
    const { code, shown } = await at.ended
    expect(code).toBe(0)
    expect(existsSync(join(cwd, 'one'))).toBe(true)
    expect(shown).not.toContain('\u001B')
    expect(shown.replaceAll('\r\n', '\n')).not.toMatch(/[\r\b]/)
  })
}

atPty('with NO_COLOR nothing has a colour, and lines can still be edited', async () => {
  const { at, says } = await talk({ turns: [{ text: 'A.' }] }, { env: { NO_COLOR: '1' } })
  at.types('onx\u007F')
  await says('e', 'A.')
  at.types(CTRL_D)
  expect((await at.ended).shown).not.toMatch(/\u001B\[[\d;]*m/)
})
