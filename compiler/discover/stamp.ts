import type { Stat } from './file-system.ts'

/** Everything a system tells of a file that changes when the file does. */
export function stampOf(stat: Stat): string {
  return `${identityOf(stat)}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
}

export function identityOf({ kind, dev, ino }: Stat): string {
  return `${kind}:${dev}:${ino}`
}

/**
 * So long before it was read nothing may have changed, if a stat is to be trusted: within one tick of a clock a file can be written twice
 * and keep its size and times, and on some systems a tick is two seconds (git has the same "racy" rule).
 */
const GRACE_NS = 2_000_000_000n

/** In: a stat, and a time before the reading (ns since 1970). Out: whether the content may have changed since without the stat telling. */
export function isYoung({ mtimeNs, ctimeNs }: Stat, began: bigint): boolean {
  const trusted = began - GRACE_NS
  return ctimeNs >= trusted || mtimeNs >= trusted
}
