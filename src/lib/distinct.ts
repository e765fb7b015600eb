/** Each value once, one by one: who takes them in slices does not wait for all. */
export function* distinct<T>(lists: Iterable<Iterable<T>>): Generator<T> {
  const seen = new Set<T>()
  for (const list of lists) {
    for (const value of list) {
      if (seen.has(value)) continue
      seen.add(value)
      yield value
    }
  }
}
