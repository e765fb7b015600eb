/** Every order that keeps the order of each subject's own records. Their number grows fast, so use it for a few records only. */
export function* orders<R extends { subject: string }>(records: readonly R[]): Generator<R[]> {
  if (records.length === 0) yield []
  const started = new Set<string>()
  for (const [i, next] of records.entries()) {
    // Only the first of each subject may come next.
    if (started.has(next.subject)) continue
    started.add(next.subject)
    for (const rest of orders(records.toSpliced(i, 1))) yield [next, ...rest]
  }
}
