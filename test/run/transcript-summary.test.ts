import { describe, expect, test } from 'vitest'
import { runs, RUNS_HELP } from '../../runner/commands/runs.ts'
import { summaryOf } from '../../runner/transcript/summary.ts'
import { temporary } from '../support/tree.ts'

/** A transcript with no more of each line than its kind. */
function transcript(...kinds: string[]): string {
  return ['start', ...kinds].map((kind) => `{"kind":"${kind}","agent":"a","at":0}\n`).join('')
}

describe('a run in one line', () => {
  test.each([
    [['assistant', 'tool_start', 'tool_end', 'assistant'], 2],
    [['assistant', 'compact', 'assistant', 'assistant'], 2],
    [['assistant', 'compact', 'fault', 'assistant'], 2],
    [['compact', 'assistant', 'compact', 'assistant'], 0],
  ])('counts the turns of %j as %d: a reply with a summary is none', (kinds, turns) => {
    expect(summaryOf('r', transcript(...kinds), false).turns).toBe(turns)
  })
})

test.each([[['show', 'some-run', '--help']], [['show', '--help']], [['--help']]])('agentc runs %j shows the help', async (argv) => {
  const said: string[] = []
  const stream = { write: (text: string) => said.push(text) > 0 }
  expect(await runs(argv, { stdout: stream, stderr: stream, cwd: temporary() })).toBe(0)
  expect(said).toEqual([RUNS_HELP])
})
