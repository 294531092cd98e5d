import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunEvent, RunResult } from '../../../runner/index.ts'
import { agentc, agents, project } from '../../support/bin.ts'
import { fakeApi } from '../stage.ts'
import { call } from './stage.ts'

const BACKGROUND = { description: 'd', prompt: 'take your time', subagent_type: 'helper', run_in_background: true }
const WHY = /1 in the background were still at work after 0\.4 seconds, and their work is lost: (a[0-9a-f]{12})/

/** A headless run of the program, whose agent is done while the one it has started in the background goes on past the time to wait. */
async function outlived(...flags: string[]) {
  const cwd = project(agents({ lead: ['tools: Agent'], helper: ['tools: Glob'] }))
  const { url, requests } = await fakeApi({
    rules: [
      { when: { system: 'You are lead' }, turns: [{ content: [call('Agent', BACKGROUND)] }, { text: 'my part is done', repeat: 3 }] },
      {
        when: { system: 'You are helper' },
        turns: [
          { content: [{ type: 'text', text: 'HALF OF IT' }, call('Glob', { pattern: '*' })] },
          { text: 'too late', delay_ms: 20_000 },
        ],
      },
    ],
  })
  const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'test-key-0123456789', CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: '400' }
  const ran = await agentc(['run', 'lead', 'go', ...flags], { cwd, env })
  const runs = join(cwd, '.agentc/runs')
  const folder = join(
    runs,
    readdirSync(runs).find((name) => name !== '.gitignore')!,
  )
  return { ...ran, cwd, env, folder, requests }
}

function linesOf(file: string): { kind: string; result?: RunResult; event?: RunEvent }[] {
  const text = readFileSync(file, 'utf8').trim()
  return text.split('\n').map((line) => JSON.parse(line) as { kind: string })
}

describe('work in the background that outlives the ceiling of a headless run', () => {
  test('ends the program with exit code 7, keeps the answer, and says on standard error whose work is lost', async () => {
    const { code, out, err } = await outlived()
    expect(code).toBe(7)
    expect(out).toBe('my part is done\n')
    expect(err).toMatch(WHY)
  })

  test('is an error for programs too, and stands in the transcripts of the run and of the lost agent', async () => {
    const { code, out, folder } = await outlived('--format', 'json')
    expect(code).toBe(7)
    const result = JSON.parse(out) as RunResult
    expect(result).toMatchObject({
      is_error: true,
      terminal_reason: 'background_lost',
      errors: [expect.stringMatching(WHY)],
      subagent_stats: { spawned: 1, completed: 0, killed: 1 },
    })
    expect(linesOf(join(folder, 'transcript.jsonl')).at(-1)).toMatchObject({ kind: 'end', result: { terminal_reason: 'background_lost' } })
    const lost = WHY.exec(result.errors[0]!)![1]!
    const side = linesOf(join(folder, 'agents', `agent-${lost}.jsonl`))
    expect(side.at(-1)).toMatchObject({ kind: 'end', result: { terminal_reason: 'interrupted', result: 'HALF OF IT' } })
  })

  test('does not keep the run from going on with a next prompt', async () => {
    const { cwd, env, folder, requests } = await outlived()
    const again = await agentc(['run', '--resume', folder.split('/').at(-1)!, 'what became of it?'], { cwd, env })
    expect([again.code, again.out]).toEqual([0, 'my part is done\n'])
    expect(JSON.stringify((await requests()).at(-1)!.messages)).toContain('what became of it?')
  })
})
