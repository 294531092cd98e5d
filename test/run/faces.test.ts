import { expect, test } from 'vitest'
import { coloured } from '../../runner/faces/colours.ts'
import { faceFor } from '../../runner/faces/choose.ts'
import type { Face } from '../../runner/faces/face.ts'
import { createFold } from '../../runner/faces/fold.ts'
import { jsonFace } from '../../runner/faces/json.ts'
import { cut, subject } from '../../runner/faces/shown.ts'
import { streamJsonFace } from '../../runner/faces/stream-json.ts'
import { textFace } from '../../runner/faces/text.ts'
import type { RunEvent, Tool, ToolSet } from '../../runner/index.ts'
import { screenOf } from '../support/screen.ts'
import { pathRule, startOf } from './manifest-fixture.ts'
import { fakeApi, folder, runToEnd } from './stage.ts'

/** The goldens in test/run/golden are written anew with `npx vitest run test/run/faces.test.ts -u`; a person reads the difference. */

const LONG_NAME = 'src/a/rather/long/way/down/to/a/file/whose/name/does/not/fit/into/eighty/columns.ts'
const usage = { input_tokens: 12, output_tokens: 345, cache_creation_input_tokens: 0, cache_read_input_tokens: 6789 }

/** Tools that answer the same on every machine and in every version. */
const STAGED: ToolSet = (name) => {
  if (name === 'Skill') return { absent: 'it is not staged' }
  const wrong = (input: object) => name === 'Bash' || Object.values(input).includes('none.txt')
  const run: Tool['run'] = (input) =>
    Promise.resolve(wrong(input) ? { text: 'It failed.', isError: true } : { text: 'It is so.', isError: false })
  return { paths: (input) => (name === 'Read' ? [input.file_path as string] : []), search: name !== 'Read', run }
}

/** A run with all that faces tell apart: folded and single calls, a failure, a denial, a retry in the middle of a text, colours, a strange text. */
async function events(): Promise<RunEvent[]> {
  const cwd = await folder({ 'a.txt': 'A', 'b.txt': 'needle', 'secret.txt': '', [LONG_NAME]: '1' })
  const call = (id: string, name: string, input: Record<string, unknown>) => ({ id: `toolu_${id}`, name, input })
  const turns = [
    {
      text: 'I look around first.',
      tools: [
        call('1', 'Read', { file_path: 'a.txt' }),
        call('2', 'Grep', { pattern: 'needle' }),
        call('3', 'Read', { file_path: 'b.txt' }),
        call('4', 'Read', { file_path: 'none.txt' }),
      ],
      usage,
    },
    { tools: [call('5', 'Glob', { pattern: '**/*.txt' })], usage },
    { text: 'Now the far one.', tools: [call('6', 'Read', { file_path: LONG_NAME })], usage },
    { text: 'And this.', tools: [call('7', 'Read', { file_path: 'secret.txt' }), call('8', 'Bash', { command: 'npm test' })], usage },
    { text: 'There are two files, \u001B[31mno colours\u001B[0m.\nThat is all.', usage },
  ]
  const { url } = await fakeApi({ turns, faults: [{ type: 'truncate', turn: 4, times: 1, after_events: 4 }] })
  const start = startOf(
    { tools: ['Bash', 'Glob', 'Grep', 'Read', 'Skill'], color: 'orange', deny: [pathRule('Read', 'secret.txt')] },
    'Look.',
  )
  // Without bubblewrap, which is told before the first command.
  const ran = await runToEnd(start, { cwd, url, tools: STAGED, env: { PATH: '/nowhere' } })
  const text = JSON.stringify(ran.events)
    .replaceAll(cwd, '/work')
    .replaceAll(/msg_[0-9a-f]{24}/g, 'msg_0')
    .replaceAll(`"${process.platform}"`, '"linux"')
  return JSON.parse(text) as RunEvent[]
}

const all = events

function shown(face: Face, list: readonly RunEvent[]): { terminal: string; stdout: string; stderr: string } {
  const outputs = list.flatMap((event) => face(event))
  const of = (to: string) => outputs.flatMap((output) => (output.to === to ? output.text : [])).join('')
  return { terminal: outputs.map(({ text }) => text).join(''), stdout: of('stdout'), stderr: of('stderr') }
}

/** What a terminal shows while the events come: after each call, each reply, and at the end. */
async function screens(face: Face, list: readonly RunEvent[], columns: number): Promise<string> {
  let [output, last, all] = ['', '', '']
  for (const event of list) {
    output += face(event)
      .map(({ text }) => text)
      .join('')
    if (event.type === 'stream_event') continue
    const { rows } = await screenOf(output, columns)
    const now = rows.join('\n')
    if (now !== last) all += `=== ${event.type === 'system' ? event.subtype : event.type}\n${now}\n`
    last = now
  }
  return all
}

test('every face of one run is as its golden says', async () => {
  const list = await all()
  for (const columns of [80, 120]) {
    const face = textFace({ live: true, status: true, columns })
    await expect(await screens(face, list, columns)).toMatchFileSnapshot(`golden/text-${columns}.txt`)
  }
  const piped = shown(textFace({ live: false }), list)
  await expect(`${piped.stdout}--- standard error ---\n${piped.stderr}`).toMatchFileSnapshot('golden/text-piped.txt')
  const json = shown(jsonFace(), list)
  await expect(`${JSON.stringify(JSON.parse(json.stdout), null, 1)}\n`).toMatchFileSnapshot('golden/json.txt')
  const stream = shown(streamJsonFace(), list)
  await expect(stream.stdout).toMatchFileSnapshot('golden/stream-json.txt')
})

test('in the JSON modes every line of standard output is JSON, and stream-json begins and ends as its readers expect', async () => {
  const list = await all()
  expect(
    shown(jsonFace(), list)
      .stdout.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toHaveLength(1)
  const lines = shown(streamJsonFace(), list).stdout.trimEnd().split('\n')
  const objects = lines.map((line) => JSON.parse(line) as { type: string; subtype?: string; session_id: string; uuid: string })
  expect(objects[0]).toMatchObject({ type: 'system', subtype: 'init', tools: ['Bash', 'Glob', 'Grep', 'Read'], permissionMode: 'default' })
  expect(objects.at(-1)).toMatchObject({ type: 'result', subtype: 'success' })
  expect(new Set(objects.map(({ uuid }) => uuid)).size).toBe(objects.length)
  expect(
    objects.every(
      ({ session_id, uuid }) => session_id === 'session-1' && /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(uuid),
    ),
  ).toBe(true)
})

test('the agent has its colour on a terminal, and nothing has one with NO_COLOR, on a plain terminal or in a pipe', async () => {
  const [init] = await all()
  const tty = { isTTY: true, columns: 80 }
  const first = (env: Record<string, string>, stdout: object, plain = false) =>
    shown(faceFor('text', { stdout, stderr: tty, env }, { color: 'orange', plain }), [init!]).stderr
  expect(first({}, tty)).toContain('\u001B[1;93mworker\u001B[0m')
  expect(first({ NO_COLOR: '1' }, tty)).not.toContain('\u001B[1;93m')
  expect(first({}, tty, true)).not.toContain('\u001B')
  expect(first({}, {})).toBe('agentc: not available in this version, and not offered to the model: Skill\n')
  expect(coloured('red').agent('x')).toBe('\u001B[1;31mx\u001B[0m')
})

test('what is written over is there only where it can be taken away again, and nothing of it is left at the end', async () => {
  const list = await all()
  expect(shown(textFace({ live: true, status: false }), list).terminal).not.toContain('\u001B')
  const { rows } = await screenOf(shown(textFace({ live: true, status: true }), list).terminal, 80)
  expect(rows.filter((row) => row.includes('turn'))).toEqual([expect.stringMatching(/^5 turns, /)])
})

const FOLDS: [calls: [name: string, input: object][], line: string][] = [
  [[['Read', { file_path: 'a' }]], 'Read a'],
  [[['Grep', { pattern: 'x y' }]], 'Grep x y'],
  [
    [
      ['Read', { file_path: 'a' }],
      ['Read', { file_path: 'a', offset: 9 }],
    ],
    'Read 1 file',
  ],
  [
    [
      ['Grep', { pattern: 'x' }],
      ['Glob', { pattern: 'y' }],
    ],
    'Searched 2 times',
  ],
  [
    [
      ['Read', { file_path: 'a' }],
      ['Grep', { pattern: 'x' }],
      ['Read', { file_path: 'b' }],
    ],
    'Read 2 files, searched 1 time',
  ],
]
for (const [calls, line] of FOLDS) {
  test(`"${line}" is what ${calls.length} ${calls.length === 1 ? 'call' : 'calls'} to ${calls.map(([name]) => name).join(', ')} come to`, () => {
    const fold = createFold()
    for (const [name, input] of calls) expect(fold.take(name, input)).toBe(true)
    expect(fold.take('Bash', {})).toBe(false)
    expect(fold.end()).toBe(line)
    expect(fold.end()).toBe('')
  })
}

test('lines are cut by what they take on a terminal, and hold one line without control characters', () => {
  expect(cut('abcdef', 6)).toBe('abcdef')
  expect(cut('abcdefg', 6)).toBe('abcde…')
  expect([...cut('漢字漢字漢字', 7)].length).toBeLessThan(5)
  expect(subject({ command: 'a\n\u001B[2Jb' })).toBe('a [2Jb')
  expect(subject(null)).toBe('')
})

test('the status line tells the cost also where the API answers under a name without a price: that of the model that was asked', async () => {
  const renamed = (await events()).map((event) =>
    event.type === 'assistant' ? { ...event, message: { ...event.message, model: 'gateway-7' } } : event,
  )
  const said = (list: readonly RunEvent[]) => shown(textFace({ live: true, status: true, columns: 80 }), list).terminal
  const costs = (text: string) => text.match(/\$\d\.\d{4}/g)
  expect(costs(said(renamed))).toEqual(costs(said(await events())))
  expect(costs(said(renamed))!.length).toBeGreaterThan(5)
})
