/** Semantics 15: a fan-out too large for one commit is written in steps, and a crash between them loses nothing. */
import { ok } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { logOf } from '../reference-model/arbitrary-log.js'
import { erased, largeFanOut, renamed, takenDown } from '../reference-model/large-fan-outs.js'
import { projectInOrder } from '../support/any-order.js'
import { projections } from '../support/built-in-models.js'
import { sameDump } from '../support/dump.js'
import { type Crash, Folding } from '../support/project-log.js'
import { holds } from '../support/property.js'

/** A little more than one step. */
const SIZE = 2100

const endings = { renamed, 'star erased': erased('star'), 'fan erased': erased('fan'), 'taken down': takenDown }
/** Which of them cause a large fan-out, by projection; in `tags` only a creator's creations do. */
const wide: Record<string, (keyof typeof endings)[]> = {
  feed: ['renamed', 'star erased', 'fan erased', 'taken down'],
  tags: ['star erased'],
  profiles: ['star erased'],
  shares: ['star erased', 'fan erased', 'taken down'],
}

const crashes = fc.array(fc.constantFrom<Crash[]>(null, 'before', 'after'), { minLength: 1, maxLength: 12 })

for (const projection of projections) {
  for (const name of wide[projection.name] ?? []) {
    const { records } = logOf(largeFanOut(SIZE, endings[name]))
    const inOnePiece = await projectInOrder(projection, records, records.length)
    await holds(
      t,
      `${projection.name}, ${name}: in steps, with crashes between them, the same documents as in one commit`,
      fc.tuple(crashes, fc.constantFrom(1, 500, 20_000)),
      async ([plan, last]) => {
        // The last events are in their own batch, or in one with much before them.
        const before = records.length - last
        const folding = await Folding.begin(projection, { cut: [before > 0 ? before : records.length, last], crashes: plan })
        await folding.through(records)
        ok(folding.partialCommits > 0, 'there were several commits')
        sameDump(await folding.dump(), inOnePiece)
      },
      2,
    )
  }
}
