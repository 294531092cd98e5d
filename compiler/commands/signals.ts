const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const

/** From now on a signal ends the program with 128 and its number, and not before what waits for its `exit` is done. Out: takes that back. */
export function exitOnSignals(): () => void {
  const stops = Object.entries(SIGNALS).map(([signal, number]) => [signal, () => process.exit(128 + number)] as const)
  for (const [signal, stop] of stops) process.once(signal, stop)
  return () => {
    for (const [signal, stop] of stops) process.off(signal, stop)
  }
}
