import { measure, median } from './measure.mjs'

/** Interleaved rounds: every contender once a round, each round starting with another one, so that a slow moment meets all alike. */

/**
 * In: contenders, how many rounds, and what `measure` needs. A contender's `after` gets a sample and adds figures of its own.
 * Out: per contender `{ id, kind, wall, best, cpu, rss, code, samples }`; the first round warms up.
 */
export async function inRounds(contenders, rounds, { env, notes }) {
  const samples = new Map(contenders.map((contender) => [contender, []]))
  for (let round = 0; round <= rounds; round++) {
    const order = contenders.map((_, i) => contenders[(i + round) % contenders.length])
    for (const contender of order) {
      await contender.before?.()
      const whole = await measure(contender.command, { cwd: contender.cwd, env: { ...env, ...contender.env }, notes })
      const sample = { ...whole, ...(await contender.after?.(whole)) }
      if (round > 0) samples.get(contender).push(sample)
    }
  }
  return contenders.map((contender) => summary(contender, samples.get(contender)))
}

function summary({ id, kind, expect }, samples) {
  const of = (key) => samples.map((sample) => sample[key])
  const strange = of('code').find((code) => !expect.includes(code))
  const figures = { wall: median(of('wall')), best: Math.min(...of('wall')), cpu: median(of('cpu')), rss: median(of('rss')) }
  return { id, kind, ...figures, ...(strange !== undefined && { strangeExit: strange }), samples }
}
