/** Upstream on a bad day, on real servers: once all has been delivered, the models are as if nothing had happened. */
import fc from 'fast-check'
import t from 'tap'
import { SeededRandom } from '../../demo/random.js'
import { readIntegrityReport } from '../../src/compose/live-models.js'
import { heldLeases } from '../../src/ports/coordination.js'
import { type LogRecord, START } from '../../src/ports/event-log.js'
import { sameAsInSequence } from '../harness/sequence-order.js'
import { among, EVERYONE } from '../reference-model/arbitrary-events.js'
import { logOf } from '../reference-model/arbitrary-log.js'
import { Community } from '../reference-model/community.js'
import { missingSequences } from '../reference-model/missing-sequences.js'
import { DOMAIN, eventsOf, Reader } from '../support/models.js'
import { sameAnswers } from '../support/same-answers.js'
import { UnreliablePublisher } from '../support/unreliable-publisher.js'
import { Cluster } from './cluster.js'

const EVENTS = 1500
const KILLS = 4

/** How many aggregates miss something. */
const gapsIn = (records: readonly LogRecord[]): number =>
  [...missingSequences(records).values()].filter((ranges) => ranges.length > 0).length

for (const seed of [1, 2])
  await t.test(`events come late, swapped, twice and long after they were lost, seed ${seed}`, async (t) => {
    const cluster = await Cluster.start(t)
    if (cluster === null) return
    const dice = new SeededRandom(seed)
    const { settling, anything } = among(EVERYONE)
    const [settled = []] = fc.sample(settling, { seed, numRuns: 1 })
    const { records } = logOf([...settled, ...fc.sample(anything, { seed, numRuns: EVENTS })])
    const publisher = new UnreliablePublisher(dice, records, records.length)
    let deliveries = 0
    // Every delivery has its own message id: JetStream would not take the same one twice.
    const deliver = (events: readonly LogRecord[]) =>
      cluster.log.append(events.map(({ subject, payload }) => ({ id: `delivery-${++deliveries}`, subject, payload })))

    let projector = await cluster.serve(t, 'project')
    for (let kill = 1; kill <= KILLS; kill++) {
      for (let told = 0; told < EVENTS / KILLS; ) {
        const turns = 1 + dice.below(60)
        told += turns
        await deliver([...publisher.next(turns), ...(dice.chance(1, 4) ? publisher.again() : [])])
      }
      await projector.end('SIGKILL')
      for (const lease of await heldLeases(cluster.documents)) await cluster.documents.releaseLease(lease)
      projector = await cluster.serve(t, 'project')
    }
    await cluster.caughtUp()
    const halfway = await readIntegrityReport(cluster.documents)
    t.match(halfway, { gaps: gapsIn(await cluster.log.read(START, Number.MAX_SAFE_INTEGER)), conflicts: 0 }, 'what is missing now is known')
    t.ok(halfway?.late && halfway.duplicates, JSON.stringify(halfway))

    await deliver([...publisher.rest()])
    await cluster.caughtUp()
    t.comment(publisher.troubles)
    const arrived = await cluster.log.read(START, Number.MAX_SAFE_INTEGER)
    t.equal(arrived.length, deliveries)
    const report = await readIntegrityReport(cluster.documents)
    t.match(report, { gaps: gapsIn(arrived), conflicts: 0 }, 'only what upstream never sent is missing')
    await t.resolves(sameAsInSequence(cluster.documents, cluster.log), 'the documents are those of the events in order')
    await t.resolves(sameAnswers(new Reader(cluster.documents), new Community(eventsOf(arrived), DOMAIN), 'en'), 'so are the answers')
    t.match(await cluster.verify(), { code: 0 })
    t.equal(await projector.end('SIGTERM'), 0)
  })
