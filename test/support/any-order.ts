import { DEAD_LETTER_COLLECTIONS } from '../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import { EventApplier } from '../../src/engine/fold/event-applier.js'
import { UnitOfWork } from '../../src/engine/fold/unit-of-work.js'
import type { Position } from '../../src/events/index.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { decode } from './decode.js'
import { type Dump, dumpOf } from './dump.js'
import { memoryStore } from './memory-store.js'

/**
 * Folds records in the order given, not by their positions. A generation writer would refuse: its checkpoint only moves
 * forward. What is under test here are the folds, which must not care.
 */
export async function projectInOrder(projection: Projection, records: readonly LogRecord[], batch: number): Promise<Dump> {
  const collections = [...projection.collections, ...DEAD_LETTER_COLLECTIONS]
  const store = memoryStore()
  const target = await store.openGeneration(await store.createGeneration(projection.name, projection.version, collections), collections)
  await target.buildIndexes()
  const unitOfWork = new UnitOfWork(target)
  const applier = new EventApplier({ ...projection, collections }, unitOfWork, { count: 0, publishers: new Map() })
  // Never commits on the way, however large a fan-out is.
  const slice = async () => {}
  for (let done = 0; done < records.length; done += batch) {
    const events = records.slice(done, done + batch).map((record) => ({ record, decoded: decode(record) }))
    await applier.prefetch(events)
    for (const event of events) await applier.apply(event, null, slice)
    const from = await target.checkpoint()
    await target.commit({ from, to: { ...from, position: (done + events.length) as Position }, writes: unitOfWork.writes() })
    unitOfWork.committed()
  }
  return dumpOf(collections, target)
}
