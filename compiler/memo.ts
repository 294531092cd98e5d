/**
 * Results by the value that they were made from. A value that is still the very same has the same result, so nothing is ever stale; one that
 * is gone takes its result along.
 */
export class Memo<K extends WeakKey, V> {
  private readonly results = new WeakMap<K, V>()
  /** How many results were made. */
  made = 0

  get(key: K): V | undefined {
    return this.results.get(key)
  }

  set(key: K, value: V): V {
    this.made += 1
    this.results.set(key, value)
    return value
  }
}

/** Something that holds only while what it depends on stays the very same. */
export class Bound<T> {
  private around: readonly unknown[] | undefined
  private value: T | undefined
  private readonly make: () => T

  constructor(make: () => T) {
    this.make = make
  }

  /** In: everything it depends on. Out: what it was, or a new one. */
  within(around: readonly unknown[]): T {
    const same = this.around?.length === around.length && around.every((value, index) => value === this.around![index])
    if (!same || this.value === undefined) this.value = this.make()
    this.around = around
    return this.value
  }
}

/** The result that is known, or a new one; without a memo it is always made. */
export function remember<K extends WeakKey, V>(memo: Memo<K, V> | undefined, key: K, make: (key: K) => V): V {
  if (!memo) return make(key)
  return memo.get(key) ?? memo.set(key, make(key))
}
