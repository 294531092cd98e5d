import { readFileSync } from 'node:fs'
import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { bashTool } from '../../../runner/tools/bash.ts'
import { taskOutputTool, taskStopTool } from '../../../runner/tools/tasks.ts'
import type { Tool, ToolContext, ToolInput } from '../../../runner/tools/tool.ts'
import { withWord } from '../../support/processes.ts'
import { inWalls, works } from '../sandbox/walls.ts'
import { folder } from '../stage.ts'
import { call, toolContext as contextIn } from './use.ts'

/** A number of seconds that no other test sleeps. */
let seconds = 600_000 + process.pid
const sleep = () => String(++seconds)

/** Whatever commands do, they do in walls as well. */
describe.each([
  { where: 'as they are', walls: false },
  { where: 'in walls', walls: true },
])('commands $where', ({ walls }) => {
  const test = walls && !works ? it.skip : it
  const toolContext = async (cwd: string, more: Partial<ToolContext> = {}): Promise<ToolContext> =>
    contextIn(cwd, { ...(walls && (await inWalls(cwd, { env: more.env ?? process.env }))), ...more })
  const use = async (tool: Tool, cwd: string, input: ToolInput, more: Partial<ToolContext> = {}) => {
    const { sandboxed, ...output } = await call(tool, await toolContext(cwd, more), input)
    expect(sandboxed).toBe(walls || undefined)
    return output
  }

  test('Bash gives both outputs in their order, and the exit code when it is not 0', async () => {
    const cwd = await folder()
    expect(await use(bashTool, cwd, { command: 'echo a; echo b >&2; echo c' })).toEqual({ text: 'a\nb\nc', isError: false })
    expect(await use(bashTool, cwd, { command: 'echo a; exit 3' })).toEqual({ text: 'a\n[exit code 3]', isError: true })
    expect(await use(bashTool, cwd, { command: 'kill -9 $$' })).toEqual({ text: '[exit code 137, as after SIGKILL]', isError: true })
    expect(await use(bashTool, cwd, { command: 'true' })).toEqual({ text: '[no output]', isError: false })
  })

  test('every command starts in the working directory, without input, terminal, start files or credentials', async () => {
    const cwd = await folder({ 'start.sh': 'echo started' })
    const env = { ...process.env, ANTHROPIC_API_KEY: 'sk-secret', BASH_ENV: `${cwd}/start.sh`, 'BASH_FUNC_ls%%': '() { echo fake; }' }
    const context = await toolContext(cwd, { env })
    await call(bashTool, context, { command: 'cd / && export X=1' })
    expect((await call(bashTool, context, { command: 'pwd; echo "[$X]"; cat; tty' })).text).toBe(`${cwd}\n[]\nnot a tty\n[exit code 1]`)
    expect((await call(bashTool, context, { command: 'env | grep -c ANTHROPIC; type -t ls' })).text).toBe('0\nfile')
  })

  test('a long output is shortened in the middle, and kept whole', async () => {
    const kept: string[] = []
    const keep = (text: string) => (kept.push(text), '.agentc/runs/x/outputs/1.txt')
    const { text } = await use(bashTool, await folder(), { command: 'seq 1 100000' }, { keep })
    expect(text).toMatch(
      /^1\n2\n[^]*\[\d+ characters left out here; the whole output is in \.agentc\/runs\/x\/outputs\/1\.txt\][^]*\n100000$/,
    )
    expect(text.length).toBeLessThan(31_000)
    expect(kept[0]!.split('\n')).toHaveLength(100_000)
  })

  test('an output without end takes no more memory than is kept, and says what is missing', async () => {
    const before = process.memoryUsage().rss
    const { text, isError } = await use(bashTool, await folder(), { command: 'yes | head -c 300000000' })
    expect([isError, text.length < 31_000]).toEqual([false, true])
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2)
  })

  test('control sequences of terminals are left out, and bytes that are no text do no harm', async () => {
    const { text } = await use(bashTool, await folder(), { command: String.raw`printf '\033[31mred\033[0m\000\377'` })
    expect(text).toBe('red\uFFFD\uFFFD')
  })

  test('a command that takes too long is ended with everything it has started, however it hid', async () => {
    const [word, began] = [sleep(), Date.now()]
    const command = `sleep ${word} & (trap '' TERM; sleep ${word}; sleep ${word}) & setsid sleep ${word} & (setsid bash -c 'sleep ${word} & exit' &) ; nohup sleep ${word} & echo begun; sleep ${word}`
    const { text, isError } = await use(bashTool, await folder(), { command, timeout: 500 })
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/^begun[^]*\[The command timed out after 500 ms and was ended, with all it had started\]$/),
    ])
    expect(withWord(word)).toEqual([])
    expect(Date.now() - began).toBeLessThan(5000)
  })

  test('a command that is interrupted is ended, and says so', async () => {
    const [word, control] = [sleep(), new AbortController()]
    const running = use(bashTool, await folder(), { command: `sleep ${word}` }, { signal: control.signal })
    await pause(200)
    control.abort()
    expect(await running).toEqual({ text: '[The run was interrupted, and the command was ended]', isError: true })
    expect(withWord(word)).toEqual([])
  })

  test('what a command leaves running does not hold its result, goes on, and ends with the run', async () => {
    const [word, cwd] = [sleep(), await folder()]
    const context = await toolContext(cwd)
    const { text, isError } = await call(bashTool, context, {
      command: `(while sleep 0.05; do echo x; echo y >> ticks; done; : ${word}) & echo done`,
    })
    expect([isError, text]).toEqual([
      false,
      expect.stringMatching(/^done\n(?:x\n)*\[Something that the command started is still at work; it ends with the run\]$/),
    ])
    await pause(300)
    expect(readFileSync(`${cwd}/ticks`, 'utf8').length).toBeGreaterThan(4)
    const { stray } = await context.scope.close()
    expect(stray).toBeGreaterThan(0)
    const ticks = readFileSync(`${cwd}/ticks`, 'utf8').length
    await pause(200)
    expect(readFileSync(`${cwd}/ticks`, 'utf8')).toHaveLength(ticks)
  })

  test('ending one command leaves the others alone', async () => {
    const [word, other] = [sleep(), sleep()]
    const context = await toolContext(await folder())
    await call(bashTool, context, { command: `sleep ${other}`, run_in_background: true })
    await call(bashTool, context, { command: `sleep ${word}`, timeout: 300 })
    expect([withWord(word), withWord(other).length > 0]).toEqual([[], true])
  })

  test('a background shell is asked for its output, waited for, and says how it ended', async () => {
    const context = await toolContext(await folder())
    const { text } = await call(bashTool, context, { command: 'echo one; sleep 0.4; echo two; exit 4', run_in_background: true })
    expect(text).toContain('Running in the background as shell-1.')
    await pause(150)
    expect((await call(taskOutputTool, context, { task_id: 'shell-1', block: false })).text).toBe('[shell-1: running]\none')
    expect((await call(taskOutputTool, context, { task_id: 'shell-1', timeout: 1 })).text).toBe('[shell-1: running]\none')
    expect((await call(taskOutputTool, context, { task_id: 'shell-1' })).text).toBe('[shell-1: failed]\none\ntwo\n[exit code 4]')
    expect((await call(taskStopTool, context, { task_id: 'shell-1' })).text).toBe('shell-1 has ended already (failed).')
  })

  test('a long output of a background shell is kept once for each that it becomes, however often it is asked for', async () => {
    const kept: string[] = []
    const cwd = await folder()
    const context = await toolContext(cwd, { keep: (text) => `outputs/${kept.push(text)}.txt` })
    const command = 'seq 1 20000; touch half; until [ -e on ]; do sleep 0.02; done; echo end'
    await call(bashTool, context, { command, run_in_background: true })
    await vi.waitFor(() => access(join(cwd, 'half')))
    const ask = async (block: boolean) => (await call(taskOutputTool, context, { task_id: 'shell-1', block })).text
    await vi.waitFor(async () => expect(await ask(false)).toContain('\n20000'))
    const before = kept.length
    expect([await ask(false), kept.length]).toEqual([await ask(false), before])
    await writeFile(join(cwd, 'on'), '')
    const whole = await ask(true)
    expect(whole).toContain(`the whole output is in outputs/${before + 1}.txt`)
    expect([await ask(true), kept.length]).toEqual([whole, before + 1])
  })

  test('waiting for a background shell ends when the run is interrupted', async () => {
    const control = new AbortController()
    const context = await toolContext(await folder(), { signal: control.signal })
    await call(bashTool, context, { command: 'sleep 30', run_in_background: true })
    const waiting = call(taskOutputTool, context, { task_id: 'shell-1', timeout: 600_000 })
    control.abort()
    expect((await waiting).text).toBe('[shell-1: running]')
  })

  test('TaskStop ends a background shell and all that left its group', async () => {
    const word = sleep()
    const context = await toolContext(await folder())
    await call(bashTool, context, { command: `(setsid bash -c 'sleep ${word} & sleep ${word}' &); sleep ${word}`, run_in_background: true })
    await vi.waitFor(() => expect(withWord(word).length).toBeGreaterThan(1), 10_000)
    expect((await call(taskStopTool, context, { task_id: 'shell-1' })).isError).toBe(false)
    expect(withWord(word)).toEqual([])
    expect((await call(taskOutputTool, context, { task_id: 'shell-1' })).text).toMatch(/^\[shell-1: stopped\]/)
  })

  test('background shells end with the run, and count as what was left', async () => {
    const word = sleep()
    const context = await toolContext(await folder())
    await call(bashTool, context, { command: `(setsid bash -c 'sleep ${word} & exit' &); sleep ${word}`, run_in_background: true })
    await vi.waitFor(() => expect(withWord(word)).toHaveLength(2), 10_000)
    expect((await context.scope.close()).faults).toEqual([])
    expect(withWord(word)).toEqual([])
  })

  test('a task that is not there is told, with those that are', async () => {
    const context = await toolContext(await folder())
    expect((await call(taskOutputTool, context, { task_id: 'x' })).text).toBe('There is no background task x. None was started.')
    await call(bashTool, context, { command: 'sleep 5', run_in_background: true })
    expect((await call(taskStopTool, context, { task_id: 'x' })).text).toBe('There is no background task x. There are shell-1 (running).')
  })
})
