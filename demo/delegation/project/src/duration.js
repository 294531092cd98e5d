const UNITS = { s: 1, m: 60, h: 3600 }

/** Seconds of a duration such as "1h 30m". */
export function seconds(text) {
  let sum = 0
  for (const [, number, unit] of text.matchAll(/(\d+)\s*([smhd])/g)) sum += Number(number) * UNITS[unit]
  return sum
}
