import { type ArrivalsDoc, arrivals } from '../../readmodels/integrity/documents.js'
import type { Projection } from '../engine/definition/projection.js'
import { scanDocuments } from '../engine/definition/scan-documents.js'
import { liveGeneration, withGeneration } from '../engine/fold/open-generation.js'
import { LogReplay } from '../engine/replay/log-replay.js'
import { gapSize, type SequenceGaps } from '../lib/sequence-gaps.js'
import type { DocumentStore, Reads } from '../ports/document-store.js'
import type { EventLog } from '../ports/event-log.js'
import { withScratchStore } from './stores.js'

export interface LostSequences {
  aggregates: number
  sequences: number
  /** The first ones. */
  named: { aggregate: string; lost: SequenceGaps }[]
}

const MAX_NAMED = 10_000

/** What the live `integrity` model has seen and the log lacks. `null` if there is no model of this version to compare with. */
export async function findLostSequences(
  log: EventLog,
  store: DocumentStore,
  integrity: Projection,
  onFolded: (events: number) => void,
): Promise<LostSequences | null> {
  const live = await liveGeneration(store, integrity.name)
  if (live?.version !== integrity.version) return null
  return withScratchStore(async (scratch) => {
    const replay = await LogReplay.open({ projection: integrity, log, store, scratch, onProgress: onFolded })
    try {
      await replay.foldWhile(() => true)
      return await withGeneration(store, live, integrity.collections, (known) => compare(known, replay.reads))
    } finally {
      await replay.close()
    }
  })
}

async function compare(known: Reads, found: Reads): Promise<LostSequences> {
  const result: LostSequences = { aggregates: 0, sequences: 0, named: [] }
  for await (const doc of scanDocuments(known, arrivals)) {
    const [there] = await found.get(arrivals, [doc._id])
    const lost = lostOf(doc, there)
    if (lost.length === 0) continue
    result.aggregates += 1
    result.sequences += gapSize(lost)
    if (result.named.length < MAX_NAMED) result.named.push({ aggregate: doc._id, lost })
  }
  return result
}

/** What the log misses up to the last known sequence, without what had never come. */
function lostOf(known: ArrivalsDoc, found: ArrivalsDoc | undefined): SequenceGaps {
  const last = found?.last ?? 0
  const beyond: SequenceGaps = last < known.last ? [[last + 1, known.last]] : []
  return known.missing.reduce(without, [...(found?.missing ?? []), ...beyond])
}

const without = (ranges: SequenceGaps, [first, last]: SequenceGaps[number]): SequenceGaps =>
  ranges.flatMap(([from, to]) =>
    [[from, Math.min(to, first - 1)] as const, [Math.max(from, last + 1), to] as const].filter(([a, b]) => a <= b),
  )
