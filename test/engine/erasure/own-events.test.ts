/** Redaction of events on aggregates of custom models. */
import t from 'tap'
import { modelSet } from '../../../src/compose/models/model-set.js'
import { OwnEventsOf } from '../../../src/engine/erasure/redact.js'
import { builtInEvents, decode, type EventTypes, redacted } from '../../../src/events/index.js'
import { CreatorId, event, id, text, z } from '../../../src/index.js'
import type { LogRecord } from '../../../src/ports/event-log.js'
import { happened, toRecords } from '../../../src/testing/happened.js'
import { gardening, planted, renamed } from '../../compose/models/fixture.js'

const { events: types } = modelSet([gardening()])

const RECORDS = toRecords([
  happened(planted, { bedId: 'b_1', creatorId: 'ann', title: 'Anns roses' }),
  happened(planted, { bedId: 'b_2', creatorId: 'bob', title: 'Bobs roses' }),
  happened(renamed, { bedId: 'b_1', title: 'Anns lilies' }),
  happened(renamed, { bedId: 'b_2', title: 'Bobs lilies' }),
])

/** The payloads of the log afterwards. */
function afterErasing(person: string, records: readonly LogRecord[], known: EventTypes): string[] {
  const own = new OwnEventsOf(new Set([person]), known)
  for (const record of records) own.note(record, decode(record, known))
  return records.map((record) => (own.includes(record) ? (redacted(record, known) ?? record.payload) : record.payload))
}

t.test('what an event holds of a person is redacted by its own rule, also where another event names them', async (t) => {
  const left = afterErasing('ann', RECORDS, types)
  t.notMatch(left.join('\n'), /Anns/)
  t.equal(left.filter((payload, i) => payload === RECORDS[i]?.payload).length, 2, 'the events of others stay')
  for (const [i, payload] of left.entries())
    t.equal(decode({ ...atLeast(RECORDS[i]), payload }, types).outcome, 'event', 'and can be folded')
})

t.test('without its types, whatever names the person goes, and its aggregate with it', async (t) => {
  const left = afterErasing('ann', RECORDS, builtInEvents)
  t.notMatch(left.join('\n'), /Anns/)
  t.match(left.join('\n'), /Bobs roses.*Bobs lilies/s)
  t.match(left[0], '"sequence":1', 'its sequence has arrived all the same')
})

t.test('one that cannot be read goes, too', async (t) => {
  const [first] = RECORDS
  const unreadable = { ...atLeast(first), payload: atLeast(first).payload.replace('"title"', '"name"') }
  t.notMatch(afterErasing('ann', [unreadable], types).join(), /Anns/)
})

t.test('nor does one stay that names nobody, where another of its aggregate names the person', async (t) => {
  const [first, , third] = RECORDS
  const poison = { ...atLeast(third), payload: atLeast(third).payload.replace('"title"', '"name"') }
  const unknown = { ...atLeast(third), payload: atLeast(third).payload.replace('bed.renamed', 'bed.described') }
  t.notMatch(afterErasing('ann', [atLeast(first), poison, unknown], types).join(), /Anns/)
})

t.test('nor one of the same people, where the event that names them cannot be read', async (t) => {
  const [first, , third] = RECORDS
  const unreadable = { ...atLeast(first), payload: atLeast(first).payload.replace('"title"', '"name"') }
  t.notMatch(afterErasing('ann', [unreadable, atLeast(third)], types).join(), /Anns/)
})

t.test('words of an owner stay when a person goes whom another event of the same aggregate names', async (t) => {
  const visited = event({
    name: 'bed.visited',
    summary: 'A person saw a bed.',
    schema: z.object({ bedId: id, by: CreatorId, word: text(99) }),
    example: { bedId: 'b_1', by: 'u_2', word: 'Oh' },
  })
  const named = event({
    name: 'bed.named',
    sameAs: 'bed.planted',
    summary: 'Named.',
    schema: renamed.schema,
    example: { bedId: 'b_1', title: 'Lilies' },
  })
  const known = builtInEvents.with([planted, visited, named])
  const records = toRecords([
    happened(planted, { bedId: 'b_1', creatorId: 'ann', title: 'Anns roses' }),
    happened(visited, { bedId: 'b_1', by: 'bob', word: 'Bobs word' }),
    happened(named, { bedId: 'b_1', title: 'Anns lilies' }),
  ])
  t.match(afterErasing('bob', records, known).join(), /Anns roses.*Anns lilies/s)
  t.notMatch(afterErasing('bob', records, known).join(), /Bobs/)
  t.notMatch(afterErasing('ann', records, known).join(), /Anns/)
})

t.test('what redacting leaves of one that cannot be read has arrived as it had before', async (t) => {
  const [first] = RECORDS
  const broken = { ...atLeast(first), payload: atLeast(first).payload.replace('"title"', '"name"') }
  const before = decode(broken, types)
  const after = decode({ ...broken, payload: redacted(broken, types) ?? '' }, types)
  t.strictSame('arrival' in after && after.arrival, 'arrival' in before && before.arrival)
})

t.test('a redaction that fails takes everything', async (t) => {
  const [first] = RECORDS
  const failing = builtInEvents.with([
    {
      ...planted,
      redact: () => {
        throw new Error('broken')
      },
    },
  ])
  t.notMatch(redacted(atLeast(first), failing) ?? '', /Anns/)
})

t.test('adding a type changes nothing of what an envelope says', async (t) => {
  const [first] = RECORDS
  const broken = { ...atLeast(first), payload: atLeast(first).payload.replace('"title"', '"name"') }
  const known = decode(broken, types)
  const unknown = decode(broken, builtInEvents)
  t.equal(known.outcome, 'poison')
  t.equal(unknown.outcome, 'unknown')
  t.strictSame('arrival' in known && known.arrival, 'arrival' in unknown && unknown.arrival)
})

function atLeast(record: LogRecord | undefined): LogRecord {
  if (record === undefined) throw new Error('there is no such record')
  return record
}
