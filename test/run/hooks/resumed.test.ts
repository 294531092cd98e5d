import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Hooks } from '../../../schemas/shapes/hook.ts'
import { resumed } from '../../../runner/commands/resumed.ts'
import { verify } from '../../../runner/commands/verify.ts'
import { linesOf, outcomeOf, resultOf, runFolder, runId, transcriptOf } from '../kept.ts'
import { manifestText } from '../manifest-fixture.ts'
import { saying, talk, texts } from '../session/saying.ts'
import { callSkill, rule, skill } from '../skills/stage.ts'
import { fakeApi, folder } from '../stage.ts'

/** Of the person: those of a project count only where it is trusted. */
const origin = { source: 'user', path: 'settings.json', line: 1, column: 1 } as const
const BRANCH: Hooks = { SessionStart: [{ handlers: [{ type: 'command', command: 'echo on branch main' }], origin }] }
const write = (path: string) => ({ name: 'Write', input: { file_path: path, content: 'x' } })

/** A run that was cut off behind the results of its second reply, in which a skill was called. */
async function cutOff() {
  const { url, requests } = await fakeApi({
    turns: [{ tools: [write('a')] }, { tools: [callSkill('careful')] }, { tools: [write('b')] }, { tools: [write('c')] }, { text: 'done' }],
  })
  const careful = skill('careful', { disallowedTools: [rule('Write', { path: 'b', anchor: 'cwd' })] })
  const manifest = manifestText({ worker: { tools: ['Skill', 'Write'] } }, { hooks: BRANCH, skills: { careful } })
  const cwd = await folder()
  const stage = { cwd, url, manifest }
  await resultOf(['worker', 'go', '--max-turns', '4'], { ...stage })
  const second = linesOf(cwd).findIndex(({ kind }, at, all) => kind === 'tool_end' && all.slice(0, at).some((line) => line.kind === kind))
  const whole = transcriptOf(cwd)
    .split('\n')
    .slice(0, second + 1)
  writeFileSync(join(runFolder(cwd), 'transcript.jsonl'), `${whole.join('\n')}\n`)
  return { cwd, requests, resume: () => resultOf(['--resume', runId(cwd)], stage) }
}

describe('what a hook says when a run is gone on with is no prompt of a person', () => {
  test('the turns that the run had left are those that it has, and the model reads what was said', async () => {
    const { cwd, requests, resume } = await cutOff()
    const before = (await requests()).length
    const { result } = await resume()
    expect([result.terminal_reason, result.num_turns]).toEqual(['max_turns', 4])
    expect(JSON.stringify((await requests())[before]!.messages.at(-1))).toContain('on branch main')
    expect((await outcomeOf(verify, [runId(cwd)], cwd)).code).toBe(0)
  })

  test('a skill that was at work still is, with what it denies', async () => {
    const { cwd, resume } = await cutOff()
    const { result } = await resume()
    expect(existsSync(join(cwd, 'b'))).toBe(false)
    expect(result.permission_denials).toMatchObject([{ tool_name: 'Write', tool_input: { file_path: 'b' } }])
  })

  test('a conversation that had ended waits for the person, and tells the model both', async () => {
    const { url, requests } = await fakeApi({ turns: [{ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }] })
    const first = await talk(saying('one'), url, {}, {}, { hooks: BRANCH })
    const resume = resumed({ id: first.id, folder: '', transcript: first.transcript, manifest: first.manifest }, {}, true)
    const again = await talk(saying('two'), url, {}, { cwd: first.cwd, resume, start: resume.history.start, keep: undefined })
    const last = texts((await requests()).at(-1)!.messages)
    expect(last.at(-1)).toBe('two')
    expect(last.at(-2)).toContain('on branch main')
    expect([again.result.num_turns, again.verdict]).toEqual([2, { requests: 2, ended: true, difference: undefined }])
  })
})
