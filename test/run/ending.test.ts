import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { RunResult } from '../../runner/index.ts'
import { EXIT, exitCodeOf } from '../../runner/exit-codes.ts'
import { bornAt, isAlive, openProcesses, ownerIn, ownerText } from '../../runner/processes.ts'
import { Scope } from '../../runner/scope.ts'
import { MARKER } from '../../schemas/run-mark.ts'
import { withArgument } from '../support/processes.ts'
import { resultOf } from './kept.ts'
import { ENDINGS, endingScript, runTo } from './left-behind.ts'
import { manifestText } from './manifest-fixture.ts'
import { bundledDriver } from './processes.ts'
import { fakeApi, folder } from './stage.ts'
import { leavesBehind } from './writing-tools.ts'

const CODES = { success: 0, error: 1, SIGINT: 130, SIGTERM: 143, SIGHUP: 129, 'closed stdout': 1, 'second SIGINT': 130 }

test('however a run ends, no process of it is left and no temporary folder: background shells, double forks, setsid, deaf to SIGTERM, hanging', async () => {
  const marks = Object.fromEntries(ENDINGS.map((name, at) => [`${name.replace(' ', '-')}-`, `agentc-left-${process.pid}-${at}`]))
  const [driver, { url }] = await Promise.all([bundledDriver(), fakeApi(endingScript(marks))])
  const left = await Promise.all(Object.entries(marks).map(([prompt, mark]) => runTo(driver, url, prompt, mark)))
  for (const [at, ending] of ENDINGS.entries()) {
    const { code, processes, temporary, result, ms } = left[at]!
    expect({ ending, code, processes }).toEqual({ ending, code: CODES[ending], processes: 0 })
    expect({ ending, temporary }).toEqual({ ending, temporary: [] })
    if (ending === 'second SIGINT') expect(ms).toBeLessThan(1500)
    if (ending === 'success') expect(result).toMatchObject({ subtype: 'success', stray_processes: expect.any(Number) as number })
    if (ending === 'success') expect(result!.stray_processes).toBeGreaterThanOrEqual(5)
    if (ending.startsWith('SIG')) expect(result).toMatchObject({ terminal_reason: 'interrupted', is_error: true })
  }
}, 120_000)

test('a run that is gone on with ends what the killed one has left behind', async () => {
  const mark = `agentc-killed-${process.pid}`
  const { url } = await fakeApi({ turns: [{ tools: [{ name: 'Bash', input: { command: 'true' } }] }, { text: 'Done.' }] })
  const cwd = await folder()
  const { result } = await resultOf(['worker', 'go'], { cwd, url })
  const child = spawn('setsid', ['bash', '-c', `exec -a ${mark} sleep 300`], {
    env: { ...process.env, [MARKER]: `outer:${result.run_id!}` },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  while (withArgument(mark).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await resultOf(['--resume', result.run_id!, 'again'], { cwd, url })
  expect(withArgument(mark).length).toBe(0)
})

/** Processes started with a mark, and whether they are still there. */
function marked(mark: string, name: string, command = `exec -a ${name} sleep 300`) {
  const child = spawn('bash', ['-c', command], { env: { PATH: process.env.PATH, [MARKER]: mark }, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('only processes of the run itself are ended, those of runs inside it included', async () => {
  const names = ['own', 'inner', 'other'].map((name) => `agentc-mark-${process.pid}-${name}`)
  marked('mine', names[0]!)
  marked('mine:inner', names[1]!)
  marked('mine-too', names[2]!)
  while (names.some((name) => withArgument(name).length === 0)) await new Promise((resolve) => setTimeout(resolve, 10))
  const processes = openProcesses('mine', {}, process, 100)
  expect(processes.environment()).toEqual({ [MARKER]: 'mine' })
  expect(await processes.end()).toEqual({ stray: 2, left: 0 })
  expect(names.map((name) => withArgument(name).length)).toEqual([0, 0, 1])
  expect(openProcesses('inner', { [MARKER]: 'outer' }, process).environment()).toEqual({ [MARKER]: 'outer:inner' })
})

test('a group that has cleared its environment is ended by its group, and all at once when there is no time', async () => {
  const name = `agentc-group-${process.pid}`
  const child = spawn(
    'env',
    ['-i', 'bash', '-c', `trap "" TERM; (exec -a ${name} sleep 300) & (exec -a ${name} sleep 300) & wait; sleep 300`],
    { detached: true, stdio: 'ignore' },
  )
  const processes = openProcesses('none', {}, process)
  processes.own(child.pid)
  while (withArgument(name).length < 3) await new Promise((resolve) => setTimeout(resolve, 10))
  processes.kill()
  expect(withArgument(name).length).toBe(0)
})

test('without a process that a tool has started nothing is looked through', async () => {
  const name = `agentc-unused-${process.pid}`
  marked('unused', name)
  while (withArgument(name).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  const processes = openProcesses('unused', {}, process)
  const [part, other] = [processes.part(), processes.part()]
  for (const each of [part, other.part(), other, processes]) expect(await each.end()).toEqual({ stray: 0, left: 0 })
  expect(withArgument(name).length).toBe(1)
})

test('what a part of a part has started is a part of the whole: its end finds it, and that of the part beside it does not', async () => {
  const name = `agentc-part-${process.pid}`
  const processes = openProcesses(name, {}, process, 100)
  const [above, beside] = [processes.part(), processes.part()]
  const mark = above.part().environment()[MARKER]!
  beside.environment()
  marked(mark, name)
  while (withArgument(name).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(await beside.end()).toEqual({ stray: 0, left: 0 })
  expect(withArgument(name).length).toBe(1)
  expect(await processes.end()).toEqual({ stray: 1, left: 0 })
})

test('a process is known by its number and the time of its birth', () => {
  expect(ownerIn(`${ownerText(process)}\n`)).toEqual({ pid: process.pid, born: bornAt(process.pid) })
  for (const text of ['', 'somebody', '-1 2']) expect(ownerIn(text)).toBeUndefined()
  expect(isAlive({ pid: process.pid, born: bornAt(process.pid) }, process)).toBe(true)
  expect(isAlive({ pid: process.pid, born: '1' }, process)).toBe(false)
  expect(isAlive({ pid: 2 ** 22 + 1, born: '' }, process)).toBe(false)
})

test('what a run opens is closed in reverse, whatever fails on the way, and only once', async () => {
  const closed: string[] = []
  const scope = new Scope(openProcesses('scope', {}, process))
  const temporary = await scope.temporary()
  scope.defer('the first', () => closed.push('first'))
  scope.defer('the second', () => Promise.reject(new Error('it is stuck')))
  scope.defer('the third', () => closed.push(`third, ${existsSync(temporary)}`))
  const [once, twice] = await Promise.all([scope.close(), scope.close()])
  expect(closed).toEqual(['third, true', 'first'])
  expect(once).toEqual({ stray: 0, faults: ['the second could not be closed: it is stuck'] })
  expect(twice).toBe(once)
  expect(existsSync(temporary)).toBe(false)
  expect(() => scope.defer('the late', () => {})).toThrow('the late was opened after the run had been closed')
})

test('a fault of closing is in the errors of the result', async () => {
  const { runToEnd } = await import('./stage.ts')
  const { startOf } = await import('./manifest-fixture.ts')
  const { url } = await fakeApi({ turns: [{ tools: [{ name: 'Bash', input: { command: 'x' } }] }, { text: 'Done.' }] })
  const tools = () => ({
    run: (_: unknown, { scope }: { scope: Scope }) => {
      scope.defer('the shell', () => Promise.reject(new Error('stuck')))
      return Promise.resolve({ text: 'ok', isError: false })
    },
  })
  const { result } = await runToEnd(startOf({ tools: ['Bash'] }, 'go'), { cwd: await folder(), url, tools })
  expect(result).toMatchObject({ terminal_reason: 'completed', errors: ['the shell could not be closed: stuck'] })
})

test('a run whose events nobody takes any more is closed too', async () => {
  const mark = `agentc-dropped-${process.pid}`
  const { openRun } = await import('../../runner/index.ts')
  const { startOf } = await import('./manifest-fixture.ts')
  const { writingTools } = await import('./writing-tools.ts')
  const { url } = await fakeApi({ turns: [{ tools: [{ name: 'Bash', input: { command: leavesBehind(mark) } }] }, { text: 'Done.' }] })
  const api = { apiKey: 'test-key-0123456789', authToken: undefined, baseURL: url }
  const signal = new AbortController().signal
  const run = await openRun({
    start: startOf({ tools: ['Bash'] }, 'go'),
    cwd: await folder(),
    env: process.env,
    signal,
    api,
    host: process,
    tools: writingTools,
  })
  let left = 0
  for await (const event of run.events) {
    if (event.type !== 'user') continue
    left = withArgument(mark).length
    break
  }
  expect(left).toBeGreaterThanOrEqual(5)
  expect(withArgument(mark)).toEqual([])
})

const ENDED: [reason: string, stopped: unknown, code: number, denied?: boolean][] = [
  ['completed', undefined, 0],
  ['api_error', undefined, 1],
  ['replay_mismatch', undefined, 1],
  ['max_turns', undefined, 3],
  ['budget_exhausted', undefined, 4],
  ['completed', undefined, 5, true],
  ['interrupted', 'SIGINT', 130],
  ['interrupted', 'SIGTERM', 143],
  ['interrupted', 'SIGHUP', 129],
  ['interrupted', 'EPIPE', 1],
  ['interrupted', undefined, 130],
  ['completed', 'SIGINT', 0],
]
test.each(ENDED)('a run that ended with %s (%s) has the exit code %i', (terminal_reason, stopped, code, denied = false) => {
  expect(exitCodeOf({ terminal_reason, denied } as RunResult, stopped)).toBe(code)
})

test('the table of exit codes holds the ones that are promised', () => {
  expect(Object.values(EXIT)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 70, 124, 129, 130, 143])
})

test('a call that a rule wants asked about, with nobody to ask, changes the exit code; one that is denied does not', async () => {
  const { url } = await fakeApi({ turns: [{ tools: [{ name: 'Write', input: { file_path: 'a', content: 'b' } }] }, { text: 'Done.' }] })
  const rule = { tool: 'Write', origin: { source: 'project' as const, path: '.claude/settings.json', line: 3, column: 5 } }
  const permissions = { allow: [], ask: [], deny: [] }
  const asked = manifestText({ worker: { tools: ['Write'] } }, { permissions: { ...permissions, ask: [rule] } })
  expect(await resultOf(['worker', 'go'], { cwd: await folder(), url, manifest: asked })).toMatchObject({
    code: 5,
    result: { denied: true },
  })
  const denied = manifestText({ worker: { tools: ['Write'] } }, { permissions: { ...permissions, deny: [rule] } })
  expect(await resultOf(['worker', 'go'], { cwd: await folder(), url, manifest: denied })).toMatchObject({
    code: 0,
    result: { denied: false },
  })
})
