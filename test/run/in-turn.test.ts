import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { turns } from '../../runner/in-turn.ts'

test('what is done in turn begins when all before it is done, and one that fails keeps none from its turn', async () => {
  const inTurn = turns()
  const seen: string[] = []
  const work = (name: string, fault?: string) => async () => {
    seen.push(`${name} begins`)
    await pause(1)
    seen.push(`${name} ends`)
    if (fault !== undefined) throw new Error(fault)
    return name
  }
  const all = await Promise.allSettled([inTurn(work('a')), inTurn(work('b', 'no')), inTurn(() => 'at once'), inTurn(work('c'))])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(all.map((done) => (done.status === 'fulfilled' ? done.value : String(done.reason)))).toEqual(['a', 'Error: no', 'at once', 'c'])
})
