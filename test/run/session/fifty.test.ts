import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faceFor } from '../../../runner/faces/choose.ts'
import { textFace } from '../../../runner/faces/text.ts'
import type { RunEvent } from '../../../runner/index.ts'
import { readManifest } from '../../../schemas/manifest.ts'
import { atTerminal, HAS_PTY } from '../../support/pty.ts'
import { screenOf } from '../../support/screen.ts'
import { fakeApi, folder, runToEnd } from '../stage.ts'
import { CALLS, FIFTY_FILES, FIFTY_MANIFEST, FIFTY_SCRIPT } from './fifty.ts'

/** The goldens in test/run/golden are written anew with `npx vitest run test/run/session/fifty.test.ts -u`; a person reads the difference. */

const ROWS = 40
/** How many calls have begun when the screen is looked at on the way. */
const LOOKS = new Set([9, 12, 26, 31, 38])

async function events(): Promise<RunEvent[]> {
  const { url } = await fakeApi(FIFTY_SCRIPT)
  const { header, agents } = readManifest(FIFTY_MANIFEST)
  // So that a machine with bubblewrap shows what one without it does.
  const sandbox = 'off' as const
  const start = { sandbox, header, name: 'builder', agent: agents.get('builder')!, prompt: 'Why is the last token lost?' }
  const { events } = await runToEnd(start, { cwd: await folder(FIFTY_FILES), url, agents })
  return events
}

const isStart = (event: RunEvent): boolean => event.type === 'system' && event.subtype === 'tool_start'

test('a person can follow a run of fifty calls on one screen, of 80 and of 120 columns, and in a pipe', async () => {
  const all = await events()
  expect([CALLS, all.filter(isStart).length]).toEqual([50, 50])
  for (const columns of [80, 120]) {
    const face = textFace({ live: true, status: true, columns, rows: ROWS })
    let [output, calls, golden] = ['', 0, '']
    for (const event of all) {
      output += face(event)
        .map(({ text }) => text)
        .join('')
      const looked = isStart(event) && LOOKS.has(++calls)
      if (!looked && event.type !== 'result') continue
      const { rows, scrolled } = await screenOf(output, columns, ROWS)
      expect([scrolled, rows.length <= ROWS], `after ${calls} calls`).toEqual([0, true])
      golden += `=== ${event.type === 'result' ? 'when it has ended' : `when call ${calls} has begun`}\n${rows.join('\n')}\n`
    }
    await expect(golden).toMatchFileSnapshot(`../golden/fifty-${columns}.txt`)
  }
  const face = textFace({ live: false })
  const outputs = all.flatMap((event) => face(event))
  const of = (to: string) => outputs.flatMap((output) => (output.to === to ? output.text : [])).join('')
  await expect(`${of('stdout')}--- standard error ---\n${of('stderr')}`).toMatchFileSnapshot('../golden/fifty-piped.txt')
})

test('a plain terminal gets the same in lines that are only appended', async () => {
  const tty = { isTTY: true, columns: 80 }
  const face = faceFor('text', { stdout: tty, stderr: tty, env: {} }, { color: 'green', plain: true })
  const text = (await events()).flatMap((event) => face(event).map((output) => output.text)).join('')
  expect(text).not.toMatch(/[\u001B\r]/)
  await expect(text).toMatchFileSnapshot('../golden/fifty-plain.txt')
})

const atPty = HAS_PTY ? test : test.skip

atPty('the program at a real terminal shows what the golden says, and each agent in its colour', async () => {
  const { url } = await fakeApi(FIFTY_SCRIPT)
  const cwd = await folder({ ...FIFTY_FILES, 'agents.json': FIFTY_MANIFEST })
  const env = { ANTHROPIC_API_KEY: 'test-key-0123456789', ANTHROPIC_BASE_URL: url }
  const argv = ['run', 'builder', 'Why is the last token lost?', '--manifest', 'agents.json', '--sandbox', 'off']
  const { code, shown } = await atTerminal(argv, { cwd, env, columns: 80, rows: ROWS }).ended
  expect(code).toBe(0)
  const { rows } = await screenOf(shown, 80, ROWS)
  const golden = readFileSync(join(import.meta.dirname, '../golden/fifty-80.txt'), 'utf8')
  expect(`${rows.join('\n')}\n`).toBe(golden.slice(golden.indexOf('\n', golden.indexOf('=== when it has ended')) + 1))
  expect(shown).toContain('\u001B[1;32mbuilder\u001B[0m')
  expect(shown).toContain('\u001B[1;35mreviewer\u001B[0m')
})
