import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Position } from '../../events/index.js'
import type { GenerationWriter } from './generation-writer.js'
import type { DecodedRecord, Page } from './log-page.js'

interface FoldPagesOptions {
  /** The events after a position. May wait, and may return none. */
  read(after: Position): Promise<Page>
  /** Stop before the first event that this refuses. */
  wanted?: (event: DecodedRecord) => boolean
  /** Applies operators' decisions, such as discarded events. */
  decide(events: readonly DecodedRecord[]): readonly DecodedRecord[]
  /** Commit when the batch is full instead of after every page. */
  defer?: boolean
}

interface FoldedPage {
  /** Folded so far. Lower than before when the writer had to go back. */
  position: Position
  /** How many events this page held. */
  read: number
  /** The bound or the end of the log is reached, and everything up to it is committed. */
  atEnd: boolean
}

/**
 * Folds the log into a generation, page by page. Live projecting, loading, catching up and replaying all use it.
 * Never ends by itself: the caller breaks when it has what it wants.
 */
export async function* foldPages(
  writer: GenerationWriter,
  { read, wanted, decide, defer = false }: FoldPagesOptions,
): AsyncGenerator<FoldedPage, undefined, void> {
  let failed = true
  try {
    for (;;) {
      const before = writer.position
      const page = await read(before)
      const end = wanted === undefined ? -1 : page.events.findIndex((event) => !wanted(event))
      const events = end < 0 ? page.events : page.events.slice(0, end)
      if (events.length > 0) await writer.advance(decide(events), { defer })
      const last = events.at(-1)?.record.position ?? before
      let atEnd = (end >= 0 || page.isLast) && writer.position === last
      if (atEnd && defer) {
        await writer.flush()
        // A refused commit takes the fold back.
        atEnd = writer.position === last
      }
      failed = false
      yield { position: writer.position, read: events.length, atEnd }
      failed = true
      // Lets the lease timer and the other projections run.
      await nextTurn()
    }
  } finally {
    // The caller left, and a commit may be in flight. After an error the writer is discarded as it is.
    if (!failed) await writer.awaitCommit()
  }
}
