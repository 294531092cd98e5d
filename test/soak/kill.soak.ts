import { expect, test } from 'vitest'
import { type Kill, KILL_SCRIPT, runKilled } from '../run/killed.ts'
import { ENDINGS, endingScript, runTo } from '../run/left-behind.ts'
import { bundledDriver, seeded } from '../run/processes.ts'
import { fakeApi } from '../run/stage.ts'

const LANES = 4

/** Does all of it, some at a time, in a fixed order of beginning. */
async function all<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items].reverse()
  const lane = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

test('after kill -9 at 200 moments of a run of 30 turns, every fourth twice, going on leaves the files of the unbroken run', async () => {
  const [driver, { url }] = await Promise.all([bundledDriver(), fakeApi(KILL_SCRIPT)])
  const whole = await runKilled(driver, url, [])
  const random = seeded(200)
  const one = (at: number): Kill => (at % 2 === 0 ? { ms: 50 + random() * 700 } : { byte: Math.floor(random() * whole.bytes) })
  const cases = Array.from({ length: 200 }, (_, at) => (at % 4 === 0 ? [one(at), one(at + 1)] : [one(at)]))
  let recognised = 0
  await all(cases, async (kills) => {
    const ran = await runKilled(driver, url, kills)
    expect(ran.files, JSON.stringify(kills)).toEqual(whole.files)
    expect(ran.rans.at(-1)!.code, JSON.stringify(kills)).toBe(0)
    expect(ran.verdict.difference, JSON.stringify(kills)).toBeUndefined()
    expect(ran.repairs, JSON.stringify(kills)).not.toContain('interrupted')
    recognised += ran.repairs.length
  })
  expect(recognised).toBeGreaterThan(0)
})

test('after 100 runs with background shells, double forks, setsid and hanging children, no process and no temporary folder is left', async () => {
  const runs = Array.from({ length: 100 }, (_, at) => ({
    prompt: `${ENDINGS[at % ENDINGS.length]!.replace(' ', '-')}-${at}-`,
    mark: `agentc-soak-${process.pid}-${at}-`,
  }))
  const script = endingScript(Object.fromEntries(runs.map(({ prompt, mark }) => [prompt, mark])))
  const [driver, { url }] = await Promise.all([bundledDriver(), fakeApi(script)])
  await all(runs, async ({ prompt, mark }) => {
    const left = await runTo(driver, url, prompt, mark)
    expect({ prompt, signal: left.signal, processes: left.processes, temporary: left.temporary }).toEqual({
      prompt,
      signal: null,
      processes: 0,
      temporary: [],
    })
  })
})
