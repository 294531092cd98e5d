import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runs } from '../../runner/commands/runs.ts'
import { verify } from '../../runner/commands/verify.ts'
import { read, write } from './calls.ts'
import { agentcRun, linesOf, outcomeOf, runFolder, runId, transcriptOf } from './kept.ts'
import { manifestText } from './manifest-fixture.ts'
import { fakeApi, folder } from './stage.ts'

/** A finished run with calls that fail, are denied, are two of a kind, and an end at the limit of turns when `maxTurns` says so. */
async function finished(more: string[] = [], env: Record<string, string> = {}) {
  const tools = [read('a.txt'), read('none.txt'), { name: 'Nonsense', input: {} }, write('b', 'B')]
  const { url } = await fakeApi({ turns: [{ text: 'One.', tools }, { text: 'Two.', tools: [read('a.txt')] }, { text: 'Done.' }] })
  const cwd = await folder({ 'a.txt': 'the first line\n', 'CLAUDE.md': 'x' })
  await agentcRun(['worker', 'What is in it?', ...more], {
    cwd,
    url,
    env,
    manifest: manifestText({ worker: { tools: ['Read', 'Write'], reminder: 'Be kind.', initialPrompt: 'Hello.' } }),
  })
  const id = runId(cwd)
  return { cwd, id }
}

test('every request of a finished run is derived again from its two files, in another folder too', async () => {
  const { cwd, id } = await finished()
  expect(await outcomeOf(verify, [id], cwd)).toEqual({ code: 0, out: `Run ${id}: 3 requests are as recorded.\n`, err: '' })
  const elsewhere = await folder({
    'copy/transcript.jsonl': transcriptOf(cwd),
    'copy/manifest.json': await readFile(join(runFolder(cwd), 'manifest.json'), 'utf8'),
  })
  expect(await outcomeOf(verify, ['copy', '--format', 'json'], elsewhere)).toMatchObject({ code: 0 })
  expect(JSON.parse((await outcomeOf(verify, ['./copy', '--format', 'json'], elsewhere)).out)).toEqual({
    run: 'copy',
    verified: true,
    requests: 3,
    ended: true,
    difference: null,
  })
})

test('a run with secrets in its texts is verified by all that was not taken out', async () => {
  const { cwd, id } = await finished([], { A_TOKEN: 'the first line' })
  expect(transcriptOf(cwd)).toContain('[redacted]')
  expect(await outcomeOf(verify, [id], cwd)).toMatchObject({ code: 0 })
  await changeLine(cwd, (text) => text.replaceAll('1\\t[redacted]', '2\\t[redacted]'), 'tool_end')
  expect(await outcomeOf(verify, [id], cwd)).toMatchObject({
    code: 1,
    out: expect.stringContaining('request 2 differs at messages[2].content[0].content') as string,
  })
})

test('a secret in the manifest is in no transcript, and the run is verified all the same', async () => {
  const { cwd, id } = await finished([], { A_TOKEN: 'Be kind.', B_TOKEN: 'Hello.xx' })
  expect(await outcomeOf(verify, [id], cwd)).toMatchObject({ code: 0 })
})

/** Changes the lines of one kind of the transcript. */
async function changeLine(cwd: string, change: (text: string) => string, kind: string): Promise<void> {
  const lines = transcriptOf(cwd).split('\n')
  const changed = lines.map((line) => (line.startsWith(`{"kind":"${kind}"`) ? change(line) : line))
  expect(changed).not.toEqual(lines)
  await writeFile(join(runFolder(cwd), 'transcript.jsonl'), changed.join('\n'))
}

test('the first request that differs is named, with the place and both texts', async () => {
  const { cwd, id } = await finished()
  await changeLine(cwd, (text) => text.replace('the first line', 'another line'), 'tool_end')
  expect(await outcomeOf(verify, [id], cwd)).toEqual({
    code: 1,
    out: `Run ${id}: request 2 differs at messages[2].content[0].content: recorded "1\\tthe first line", derived "1\\tanother line".\n`,
    err: '',
  })
})

test('a request that was changed after it was sent does not have its hash', async () => {
  const { cwd, id } = await finished()
  await changeLine(cwd, (text) => text.replace('What is in it?', 'What is not in it?'), 'request')
  expect((await outcomeOf(verify, [id], cwd)).out).toContain('request 1 is not what was sent: its text does not have the recorded hash')
})

test('a request that was changed together with its hash differs from what the manifest gives', async () => {
  const { cwd, id } = await finished()
  const { hashOf } = await import('../../schemas/canonical.ts')
  const { rebuilt } = await import('../../runner/transcript/delta.ts')
  const first = linesOf(cwd).find((line) => line.kind === 'request')!
  const forged = JSON.parse(JSON.stringify(first).replace('Be brief', 'Be rude')) as typeof first
  const hash = hashOf(rebuilt(forged, undefined))
  await changeLine(cwd, (text) => (text.includes('"turn":1,') ? JSON.stringify({ ...forged, sha256: hash }) : text), 'request')
  expect((await outcomeOf(verify, [id], cwd)).out).toContain(
    'request 1 differs at system[0].text: recorded "You are worker. Be rude.", derived "You are worker. Be brief."',
  )
})

test('another manifest beside the transcript is noticed', async () => {
  const { cwd, id } = await finished()
  await writeFile(join(runFolder(cwd), 'manifest.json'), manifestText({ worker: { tools: ['Read', 'Write'] } }))
  expect((await outcomeOf(verify, [id], cwd)).out).toContain(
    'the manifest beside the transcript is not the one that the run was started with',
  )
})

test('a run that ended at its limit, or was cut off, is verified as far as it came', async () => {
  const { cwd, id } = await finished(['--max-turns', '1'])
  expect(await outcomeOf(verify, [id], cwd)).toMatchObject({ code: 0, out: `Run ${id}: 1 request is as recorded.\n` })
  const lines = transcriptOf(cwd).split('\n')
  await writeFile(join(runFolder(cwd), 'transcript.jsonl'), `${lines.slice(0, 4).join('\n')}\n{"kind":"tool_st`)
  expect(await outcomeOf(verify, [id], cwd)).toMatchObject({
    code: 0,
    out: `Run ${id}: 1 request is as recorded, as far as the run has come.\n`,
  })
})

test('what is no run, no transcript or no usage is told in a line', async () => {
  const { cwd, id } = await finished()
  expect(await outcomeOf(verify, [`${id.slice(0, -1)}_`], cwd)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Did you mean ${id}?`) as string,
  })
  expect(await outcomeOf(verify, [], cwd)).toMatchObject({ code: 2, out: '' })
  expect(await outcomeOf(verify, [id, '--format', 'xml'], cwd)).toMatchObject({ code: 2 })
  expect(await outcomeOf(verify, ['--help'], cwd)).toMatchObject({ code: 0, err: '' })
  const lines = transcriptOf(cwd).split('\n')
  await writeFile(join(runFolder(cwd), 'transcript.jsonl'), [lines[0], 'nonsense', ...lines.slice(1)].join('\n'))
  expect(await outcomeOf(verify, [id], cwd)).toMatchObject({ code: 1, err: 'agentc: Line 2 of the transcript is damaged.\n' })
  await writeFile(join(runFolder(cwd), 'transcript.jsonl'), '')
  expect((await outcomeOf(verify, [id], cwd)).err).toContain('cut off before it began')
})

test('agentc runs lists every run with its agent, state, turns and the time of its own clock', async () => {
  const { cwd, id } = await finished(['--max-turns', '1'])
  const started = new Date((linesOf(cwd)[0] as { at: number }).at).toISOString()
  const row = ['RUN'.padEnd(id.length), 'AGENT ', 'STATE    ', 'TURNS', 'STARTED'].join('  ')
  expect(await outcomeOf(runs, [], cwd)).toEqual({ code: 0, out: `${row}\n${id}  worker  max_turns  1      ${started}\n`, err: '' })
  await writeFile(join(runFolder(cwd), 'transcript.jsonl'), `${transcriptOf(cwd).split('\n')[0]}\n`)
  const [cut] = JSON.parse((await outcomeOf(runs, ['--format', 'json'], cwd)).out) as unknown[]
  expect(cut).toEqual({ id, agent: 'worker', state: 'cut off', turns: 0, started, ended: null })
  expect(await outcomeOf(runs, [], await folder())).toMatchObject({ code: 0, out: 'There are no runs in .agentc/runs yet.\n' })
  expect(await outcomeOf(runs, ['--format', 'xml'], cwd)).toMatchObject({ code: 2 })
})

test('what the fallback model got is derived again too: its model, and the conversation without the thinking of the other', async () => {
  const thought = [{ type: 'thinking', thinking: 'Hm.', signature: 's' }]
  const turns = [
    { content: [...thought, { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'a.txt' } }] },
    { text: 'Done.' },
  ]
  const { url, requests } = await fakeApi({ turns, faults: [{ type: 529, turn: 1, when: { model: 'claude-haiku-5-5' } }] })
  const cwd = await folder({ 'a.txt': 'A' })
  const { code } = await agentcRun(['worker', 'go', '--model', 'haiku', '--fallback-model', 'sonnet'], { cwd, url })
  const id = runId(cwd)
  expect({ code, models: (await requests()).map(({ model }) => model) }).toEqual({
    code: 0,
    models: ['claude-haiku-5-5', 'claude-haiku-5-5', 'claude-haiku-5-5', 'claude-haiku-5-5', 'claude-sonnet-5-5'],
  })
  expect(await outcomeOf(verify, [id], cwd)).toEqual({ code: 0, out: `Run ${id}: 2 requests are as recorded.\n`, err: '' })
  const file = join(runFolder(cwd), 'transcript.jsonl')
  const whole = await readFile(file, 'utf8')
  const sent = linesOf(cwd).flatMap((line) => (line.kind === 'assistant' && line.fallback ? [line.fallback] : []))
  expect(sent).toEqual([{ model: 'claude-sonnet-5-5', sha256: expect.stringMatching(/^sha256:/) as string }])
  await writeFile(file, whole.replace(sent[0]!.sha256, `sha256:${'0'.repeat(64)}`))
  expect(await outcomeOf(verify, [id], cwd)).toMatchObject({
    code: 1,
    out: `Run ${id}: request 2 is not what was sent to claude-sonnet-5-5.\n`,
  })
  await writeFile(file, whole.replace('"fallback":{"model":"claude-sonnet-5-5"', '"fallback":{"model":"claude-opus-5"'))
  expect(await outcomeOf(verify, [id], cwd)).toMatchObject({
    code: 1,
    out: `Run ${id}: request 2 went to claude-opus-5, which is not the fallback of the run.\n`,
  })
})

test('a folder of --project that is not there is wrong usage, and not a project without runs', async () => {
  const cwd = await folder({ 'notes.txt': '' })
  const asked = [
    await outcomeOf(runs, ['--project', 'nowhere'], cwd),
    await outcomeOf(runs, ['show', 'x', '--project', 'nowhere'], cwd),
    await outcomeOf(verify, ['x', '--project', 'nowhere'], cwd),
  ]
  for (const { code, out, err } of asked) {
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('The folder nowhere does not exist.')
  }
  expect(await outcomeOf(runs, ['--project', 'notes.txt'], cwd)).toMatchObject({
    code: 2,
    err: expect.stringContaining('notes.txt is a file, and no folder.') as string,
  })
})
