import type { EventLog, NewRecord } from '../ports/event-log.js'
import type { Progress } from './progress.js'

/** Appends records in transactions of `size`. */
export async function appendInChunks(
  log: EventLog,
  records: Iterable<NewRecord>,
  size: number,
  progress: Progress,
): Promise<{ appended: number; duplicates: number; last: number }> {
  const sum = { appended: 0, duplicates: 0, last: (await log.bounds()).last as number }
  try {
    for (const chunk of chunks(records, size)) {
      const { appended, duplicates, last } = await log.append(chunk)
      sum.appended += appended
      sum.duplicates += duplicates
      sum.last = last
      progress.advance(chunk.length)
    }
  } finally {
    progress.end()
  }
  return sum
}

function* chunks(records: Iterable<NewRecord>, size: number): Iterable<NewRecord[]> {
  let chunk: NewRecord[] = []
  for (const record of records) {
    chunk.push(record)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
