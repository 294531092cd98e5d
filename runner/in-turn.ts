/** Does a piece of work when all that came before it is done. */
export type InTurn = <T>(work: () => T | Promise<T>) => Promise<T>

/** One piece of work after another, in the order in which they come. One that fails keeps none from its turn. */
export function turns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}
