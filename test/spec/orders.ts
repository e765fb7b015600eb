/** Every order of the records. Their number grows fast, so use it for a few records only. */
export function* orders<R>(records: readonly R[]): Generator<R[]> {
  if (records.length === 0) yield []
  for (const [i, next] of records.entries()) for (const rest of orders(records.toSpliced(i, 1))) yield [next, ...rest]
}
