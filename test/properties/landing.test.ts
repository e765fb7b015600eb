/** Semantics 14: the landing is a pure function of the feed's documents, after every commit. */
import { equal } from 'node:assert/strict'
import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { derivedLanding } from '../../projections/landing/index.js'
import type { Log } from '../reference-model/arbitrary-log.js'
import { busyLogs } from '../reference-model/busy-logs.js'
import { fullRailLogs, RAILS_FULL_AFTER } from '../reference-model/full-rails.js'
import { Folding } from '../support/project-log.js'
import { holds } from '../support/property.js'

await holds(t, 'with any number of creations', busyLogs(), (log) => alwaysUpToDate(log, 22), 20)
await holds(t, 'with ties at the last place of every rail', fullRailLogs(), (log) => alwaysUpToDate(log, RAILS_FULL_AFTER), 100)

/** One event at a time: in a larger batch, one change that cannot be overlooked would hide all that can. */
async function alwaysUpToDate({ records }: Log, opening: number): Promise<void> {
  const folding = await Folding.begin(feedProjection, { loading: 1, cut: [opening] })
  for (let folded = opening; folded <= records.length; folded++) {
    await folding.through(records.slice(0, folded))
    const reads = await folding.reads()
    for (const { collection, id, after } of await derivedLanding.compute(reads)) {
      const [stored] = await reads.get(collection, [id])
      equal(JSON.stringify(stored), JSON.stringify(after), `${collection.name} after position ${records[folded - 1]?.position}`)
    }
  }
}
