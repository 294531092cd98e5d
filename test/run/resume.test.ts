import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, read, write } from './calls.ts'
import { type Kill, KILL_SCRIPT, runKilled } from './killed.ts'
import { agentcRun, linesOf, resultOf, runFolder, runId, transcriptOf } from './kept.ts'
import { bundledDriver, seeded } from './processes.ts'
import { fakeApi, folder } from './stage.ts'

test('after kill -9 at 20 moments of a run of 30 turns, going on leaves the files of the unbroken run, and nothing is written twice', async () => {
  const [driver, { url }] = await Promise.all([bundledDriver(), fakeApi(KILL_SCRIPT)])
  const whole = await runKilled(driver, url, [])
  expect(whole.rans[0]).toMatchObject({ code: 0 })
  expect(whole.verdict).toEqual({ requests: 30, ended: true, difference: undefined })
  const random = seeded(1)
  const kills = Array.from({ length: 20 }, (_, at): Kill => {
    return at % 2 === 0 ? { ms: 100 + random() * 500 } : { byte: Math.floor(random() * whole.bytes) }
  })
  const repairs = new Set<string>()
  const lane = async () => {
    for (let kill = kills.pop(); kill; kill = kills.pop()) {
      const ran = await runKilled(driver, url, [kill])
      const last = ran.rans.at(-1)!
      expect(last.code, `${JSON.stringify(kill)} ${last.err}`).toBe(0)
      expect(ran.files, JSON.stringify(kill)).toEqual(whole.files)
      expect(ran.verdict.difference).toBeUndefined()
      for (const repair of ran.repairs) repairs.add(repair)
    }
  }
  await Promise.all([lane(), lane(), lane()])
  // Every one of these writes can be recognised, so nothing was left for the model to find out.
  expect(repairs).not.toContain('interrupted')
}, 120_000)

/** A run of two turns, the transcript of which is cut right behind the last line that `keep` takes. */
async function cutOff(
  calls: object[],
  keep: (line: { kind: string; call?: number; turn?: number }) => boolean,
  files: Record<string, string> = {},
  env = {},
) {
  const { url, requests } = await fakeApi({ turns: [{ text: 'Working.', tools: calls }, { text: 'Done: {{last_tool_result}}' }] })
  const cwd = await folder(files)
  await agentcRun(['worker', 'go'], { cwd, url, env })
  const lines = transcriptOf(cwd).split('\n')
  const last = linesOf(cwd).findLastIndex((line) => keep(line))
  writeFileSync(join(runFolder(cwd), 'transcript.jsonl'), `${lines.slice(0, last + 1).join('\n')}\n{"kind":"tool_e`)
  const id = runId(cwd)
  return { cwd, url, id, requests }
}

const ended = (cwd: string) => linesOf(cwd).flatMap((line) => (line.kind === 'tool_end' ? [line] : []))

test('a command that was at work is never run again: the model is told that its effects are not known', async () => {
  const { cwd, url, id } = await cutOff(
    [bash('echo ran >> log.txt'), bash('echo next >> log.txt')],
    (line) => line.kind === 'tool_start' && line.call === 0,
  )
  await writeFile(join(cwd, 'log.txt'), 'ran\n')
  const { code, result } = await resultOf(['--resume', id], { cwd, url })
  expect(code).toBe(0)
  expect(result).toMatchObject({ session_id: id, run_id: id, num_turns: 2 })
  expect(await readFile(join(cwd, 'log.txt'), 'utf8')).toBe('ran\nnext\n')
  expect(ended(cwd)).toMatchObject([
    {
      call: 0,
      is_error: true,
      repair: 'interrupted',
      text: expect.stringContaining('Interrupted; effects unknown: verify before repeating.') as string,
    },
    { call: 1, is_error: false },
  ])
  expect(linesOf(cwd).map((line) => line.kind)).toContain('resume')
})

test('a call that only reads is simply made again', async () => {
  const { cwd, url, id } = await cutOff([read('a.txt'), read('b.txt')], (line) => line.kind === 'tool_start', {
    'a.txt': 'A',
    'b.txt': 'B',
  })
  expect(await agentcRun(['--resume', id], { cwd, url })).toMatchObject({ code: 0, stdout: 'Done: 1\tA\n1\tB\n' })
  expect(ended(cwd).map((line) => [line.text, line.repair])).toEqual([
    ['1\tA', undefined],
    ['1\tB', undefined],
  ])
})

test('what is said to a run that is cut off twice, before it could tell it, is told whole', async () => {
  const { cwd, url, id, requests } = await cutOff([read('a.txt')], (line) => line.kind === 'tool_start', { 'a.txt': 'A' })
  const before = (await requests()).length
  await agentcRun(['--resume', id, 'Mind the tests.'], { cwd, url })
  const at = linesOf(cwd).findIndex((line) => line.kind === 'resume')
  const whole = transcriptOf(cwd)
    .split('\n')
    .slice(0, at + 1)
  writeFileSync(join(runFolder(cwd), 'transcript.jsonl'), `${whole.join('\n')}\n`)
  await agentcRun(['--resume', id, 'And the docs.'], { cwd, url })
  expect(JSON.stringify((await requests())[before + 1]!.messages.at(-1))).toContain('Mind the tests.\\n\\nAnd the docs.')
})

test('a write that was done when the run was cut off is recognised and not done again', async () => {
  const { cwd, url, id } = await cutOff([write('a.txt', 'new\n')], (line) => line.kind === 'tool_start', { 'a.txt': 'old\n' })
  expect(await agentcRun(['--resume', id], { cwd, url })).toMatchObject({ code: 0 })
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('old\nnew\n')
  expect(ended(cwd)).toMatchObject([{ is_error: false, repair: 'recognised' }])
})

test('a write that had not begun is done once', async () => {
  const { cwd, url, id } = await cutOff([write('a.txt', 'new\n')], (line) => line.kind === 'tool_start', { 'a.txt': 'old\n' })
  await writeFile(join(cwd, 'a.txt'), 'old\n')
  expect(await agentcRun(['--resume', id], { cwd, url })).toMatchObject({ code: 0 })
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('old\nnew\n')
  expect(ended(cwd)).toMatchObject([{ text: 'Wrote a.txt.', is_error: false }])
})

test('a write whose file is neither as before nor as after is left to the model', async () => {
  const { cwd, url, id } = await cutOff([write('a.txt', 'new\n')], (line) => line.kind === 'tool_start', { 'a.txt': 'old\n' })
  await writeFile(join(cwd, 'a.txt'), 'something else\n')
  expect(await agentcRun(['--resume', id], { cwd, url })).toMatchObject({ code: 0 })
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('something else\n')
  expect(ended(cwd)).toMatchObject([{ is_error: true, repair: 'interrupted' }])
})

test('a call whose input held a secret is not run from a transcript that does not hold it', async () => {
  const env = { MY_TOKEN: 'a-secret-token' }
  const { cwd, url, id } = await cutOff(
    [write('a.txt', 'a-secret-token\n')],
    (line) => line.kind === 'assistant' && line.turn === 1,
    {},
    env,
  )
  await writeFile(join(cwd, 'a.txt'), '')
  expect(await agentcRun(['--resume', id], { cwd, url, env })).toMatchObject({ code: 0 })
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('')
  expect(ended(cwd)).toMatchObject([{ is_error: true, repair: 'redacted', text: expect.stringContaining('held a secret') as string }])
})

test('cut at any byte, a run goes on to a valid conversation and a whole transcript', async () => {
  const turns = [{ text: 'One.', tools: [read('a.txt'), read('none.txt')] }, { text: 'Two.', tools: [read('a.txt')] }, { text: 'Done.' }]
  const { url } = await fakeApi({ turns })
  const cwd = await folder({ 'a.txt': 'A — ä' })
  await agentcRun(['worker', 'go'], { cwd, url })
  const file = join(runFolder(cwd), 'transcript.jsonl')
  const id = runId(cwd)
  const bytes = readFileSync(file)
  const first = bytes.indexOf('\n') + 1
  const random = seeded(7)
  const cuts = [first, bytes.length - 1, ...Array.from({ length: 40 }, () => first + Math.floor(random() * (bytes.length - first)))]
  for (const cut of cuts) {
    writeFileSync(file, bytes.subarray(0, cut))
    const { code, result } = await resultOf(['--resume', id], { cwd, url })
    expect({ cut, code, errors: result.errors, result: result.result, turns: result.num_turns }).toEqual({
      cut,
      code: 0,
      errors: [],
      result: 'Done.',
      turns: 3,
    })
    expect(linesOf(cwd).at(-1)).toMatchObject({ kind: 'end' })
    expect(new Set(ended(cwd).map((line) => line.text)).size).toBe(2)
  }
})

test('a run that was cut off before its first line was whole never began', async () => {
  const { cwd, url, id } = await cutOff([], (line) => line.kind === 'start')
  writeFileSync(join(runFolder(cwd), 'transcript.jsonl'), transcriptOf(cwd).slice(0, 100))
  expect(await agentcRun(['--resume', id], { cwd, url })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Start it again') as string,
  })
})

/** A run to its end. */
async function finished(turns: object[], argv: string[] = []) {
  const { url, requests } = await fakeApi({ turns })
  const cwd = await folder({ 'a.txt': 'A' })
  const { code } = await agentcRun(['worker', 'go', ...argv], { cwd, url })
  return { cwd, url, code, requests, id: runId(cwd) }
}

test('a finished run goes on with a new prompt, which follows on all that was said', async () => {
  const { cwd, url, id, requests } = await finished([{ text: 'One.' }, { text: 'Two: {{last_user}}' }])
  expect(await agentcRun(['--resume', id, 'And now?'], { cwd, url })).toMatchObject({ code: 0, stdout: 'Two: And now?\n' })
  const [first, second] = await requests()
  expect(second!.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user'])
  expect({ ...second, messages: [] }).toEqual({ ...first, messages: [] })
})

test('who goes on twice with a run that has done its work gets its result again, and nothing is sent', async () => {
  const { cwd, url, id, requests } = await finished([{ text: 'One.' }])
  const before = transcriptOf(cwd)
  expect(await agentcRun(['--resume', id], { cwd, url })).toMatchObject({ code: 0, stdout: 'One.\n' })
  expect(transcriptOf(cwd)).toBe(before)
  expect(await requests()).toHaveLength(1)
})

test('a run that has used its turns goes on with more, and not without', async () => {
  const turns = [{ text: 'One.', tools: [read('a.txt')] }, { text: 'Two.', tools: [read('a.txt')] }, { text: 'Three.' }]
  const { cwd, url, id, code } = await finished(turns, ['--max-turns', '1'])
  expect(code).toBe(3)
  expect(await agentcRun(['--resume', id], { cwd, url })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has used its 1 turns') as string,
  })
  expect(await agentcRun(['--resume', id, '--max-turns', '1'], { cwd, url })).toMatchObject({ code: 3 })
  expect(await agentcRun(['--resume', id, 'Go on.'], { cwd, url })).toMatchObject({ code: 0, stdout: 'Three.\n' })
})

test('an interrupted run goes on by itself', async () => {
  const control = new AbortController()
  const { url } = await fakeApi({ turns: [{ text: 'One.', tools: [bash('touch began; sleep 20')] }, { text: 'Two.' }] })
  const cwd = await folder()
  setTimeout(() => control.abort('SIGTERM'), 1000)
  const { code, result } = await resultOf(['worker', 'go'], { cwd, url, signal: control.signal })
  expect({ code, reason: result.terminal_reason }).toEqual({ code: 143, reason: 'interrupted' })
  expect(await agentcRun(['--resume', result.run_id!], { cwd, url })).toMatchObject({ code: 0, stdout: 'Two.\n' })
})

test('a run that is at work is not gone on with by another process', async () => {
  const { cwd, url, id } = await finished([{ text: 'One.' }])
  const { bornAt } = await import('../../runner/processes.ts')
  await writeFile(join(runFolder(cwd), 'lock'), `${process.ppid} ${bornAt(process.ppid)}\n`)
  expect(await agentcRun(['--resume', id, 'more'], { cwd, url })).toMatchObject({
    code: 1,
    stderr: `agentc: Run ${id} is still running; it can be gone on with when it has ended.\n`,
  })
  await writeFile(join(runFolder(cwd), 'lock'), `${process.ppid} 1\n`)
  expect(await agentcRun(['--resume', id, 'more'], { cwd, url })).toMatchObject({ code: 0 })
})

test('what cannot be is told in a line', async () => {
  const { cwd, url, id } = await finished([{ text: 'One.' }])
  expect(await agentcRun(['--resume', 'none', 'x'], { cwd, url })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no run "none"') as string,
  })
  expect(await agentcRun(['--resume', id, '--model', 'opus'], { cwd, url })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--model is for new runs') as string,
  })
  await mkdir(join(cwd, 'other'))
  expect(await agentcRun(['--resume', `./other/../.agentc/runs/${id}`, 'x'], { cwd, url })).toMatchObject({ code: 0 })
})
