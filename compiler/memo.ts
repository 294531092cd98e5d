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

/** A memo that holds only while what it also depends on stays the very same. */
export class BoundMemo<K extends WeakKey, V> {
  private around: readonly unknown[] = []
  private memo = new Memo<K, V>()

  /** In: everything the results depend on besides their keys. */
  within(around: readonly unknown[]): Memo<K, V> {
    const same = around.length === this.around.length && around.every((value, index) => value === this.around[index])
    if (!same) this.memo = new Memo()
    this.around = around
    return this.memo
  }
}

/** The result that is known, or a new one; without a memo it is always made. */
export function remember<K extends WeakKey, V>(memo: Memo<K, V> | undefined, key: K, make: (key: K) => V): V {
  if (!memo) return make(key)
  return memo.get(key) ?? memo.set(key, make(key))
}
