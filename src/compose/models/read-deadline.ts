import { ServiceError } from '../../contract/errors.js'

/** Well below the time after which a connection is cut: a read that never ends must not hold its place for that long. */
const DEADLINE_MS = 5000
/** After a removal. A read's snapshot keeps removed words in SQLite's write-ahead log, and its answer may hold them. */
const REMOVAL_DEADLINE_MS = 1000

const shortenings = new Set<() => void>()

/** The answer of a custom read; a rejection if it takes too long. */
export function beforeDeadline<T>(name: string, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const startedAt = performance.now()
    const end = (settle: () => void) => {
      clearTimeout(timer)
      shortenings.delete(shorten)
      settle()
    }
    const giveUp = (why: string) => end(() => reject(new ServiceError('timeout', `${name} ${why}.`, { retryAfterS: 1 })))
    let timer = setTimeout(giveUp, DEADLINE_MS, `took longer than ${DEADLINE_MS / 1000} seconds`)
    const shorten = () => {
      clearTimeout(timer)
      const leftMs = Math.max(0, startedAt + REMOVAL_DEADLINE_MS - performance.now())
      timer = setTimeout(giveUp, leftMs, 'was given up, because something was removed while it ran')
    }
    shortenings.add(shorten)
    work.then(
      (answer) => end(() => resolve(answer)),
      (error) => end(() => reject(error)),
    )
  })
}

/** Something was removed: custom reads that run get a second in all. */
export function shortenDeadlines(): void {
  for (const shorten of shortenings) shorten()
}
