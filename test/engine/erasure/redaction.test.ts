/** Semantics 8: after a redaction not a word of the erased is left, and the models come out of the log as before. */

import { join } from 'node:path'
import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { integrityProjection } from '../../../projections/integrity/index.js'
import { SqliteEventLog } from '../../../src/adapters/sqlite/event-log.js'
import { RequestStore } from '../../../src/engine/requests/request-store.js'
import type { Position } from '../../../src/events/index.js'
import type { LogRecord } from '../../../src/ports/event-log.js'
import { folderWith, holdsBytes } from '../../adapters/folder.js'
import { COMMUNITY } from '../../harness/community.js'
import {
  but,
  edited,
  erased,
  followed,
  handleChanged,
  liked,
  poison,
  profileChanged,
  published,
  registered,
  type Told,
  unreadable,
} from '../../spec/events.js'
import { openedStore } from '../../spec/opened-store.js'
import { Script } from '../../spec/script.js'
import { projections } from '../../support/built-in-models.js'
import { decode } from '../../support/decode.js'
import { sameDump, withoutDeadLetters } from '../../support/dump.js'
import { MemoryEventLog } from '../../support/memory-log.js'
import { memoryStore } from '../../support/memory-store.js'
import { project } from '../../support/project-log.js'
import { redactCreator } from '../../support/redact.js'

const START = 0 as Position

/** Ada's words, which must be gone, and what others said and did about her, which may stay. */
const story: readonly Told[] = [
  ...COMMUNITY,
  profileChanged('ada', { bio: 'Still near the sea, still Ada Lovelight.' }),
  handleChanged('ada', 'ada-lovelight'),
  edited('tides', { title: { en: 'Lovelight clock' }, tags: ['lovelight'], slug: 'lovelight-clock' }),
  published('offshoot', { by: 'ada', remixOf: 'maze', title: { en: 'Lovelight maze' }, tags: ['lovelight'] }),
  published('onshoot', { by: 'ben', remixOf: 'tides' }),
  liked('offshoot', 'cleo'),
  followed('ada', 'stranger'),
  erased('ada'),
  profileChanged('ada', { bio: 'Lovelight, too late.' }),
  liked('maze', 'ada'),
]
const WORDS = ['ovelight', 'Tide clock', 'near the sea', 'Ada L.', 'ada.svg', 'plantes', 'Gezeitenuhr']

const none = () => {}

t.test('the models are the same from the redacted log', async (t) => {
  const records = new Script().write(...story)
  const log = new MemoryEventLog(records)
  const done = await redactCreator(log, memoryStore(), projections, 'ada', none)
  const redacted = await log.read(START, 10_000)
  t.match(done, { creations: 4 })
  const dataOf = (record?: LogRecord) => JSON.stringify(JSON.parse(record?.payload ?? '').data)
  t.equal(redacted.filter((record, i) => dataOf(record) !== dataOf(records[i])).length, done.events, 'a removal has no words')
  for (const word of WORDS)
    t.notOk(
      redacted.some(({ payload }) => payload.includes(word)),
      word,
    )
  for (const projection of projections) sameDump(await project(projection, redacted), await project(projection, records))
  t.match(await redactCreator(log, memoryStore(), projections, 'ada', none), { events: 0 }, 'once is enough')
})

t.test('what could not be folded is redacted, too: it is no longer poison, and its sequence is not missing', async (t) => {
  const records = new Script().write(
    registered('ada'),
    poison(edited('c1', { title: { en: 'Lovelight' } })),
    published('c1', { by: 'ada' }),
    but(edited('c1', { title: { en: 'Lovelight' } }), { type: 'creation.sung.v1' }),
    { ...edited('c1', {}), payload: 'Lovelight' },
    but(liked('c1', 'ben'), { sequence: 1e15 }),
    edited('c1', { title: { en: 'Lovelight' } }),
    erased('ada'),
  )
  const log = new MemoryEventLog(records)
  t.match(await redactCreator(log, memoryStore(), projections, 'ada', none), { events: 7 }, 'a removal has no words')
  const redacted = await log.read(START, 100)
  t.notOk(redacted.some(({ payload }) => payload.includes('Lovelight')))
  t.notOk(redacted.some((record) => decode(record).outcome === 'poison'))
  for (const projection of projections)
    sameDump(await project(projection, redacted), withoutDeadLetters(await project(projection, records)))
  t.match(await redactCreator(log, memoryStore(), projections, 'ada', none), { events: 0 }, 'once is enough')
})

t.test(
  'a publication that could not be folded names its owner: what it names theirs is redacted, and the models are the same',
  async (t) => {
    const secret = { title: { en: 'Lovelight' } }
    const records = new Script().write(
      ...[registered('ada'), registered('ben'), erased('ada')],
      ...[poison(published('c1', { by: 'ada', ...secret })), edited('c1', { title: { en: 'Lovelight, edited' } })],
      unreadable('creation/c3', '{"creatorId":"ada","title":"Lovelight"'),
      ...[edited('c3', { title: { en: 'Lovelight, edited' } }), liked('c3', 'ben')],
      ...[poison(liked('c4', 'ada')), edited('c4', { title: { en: 'Of somebody' } })],
      unreadable('creation/c4', '{"remixOf":"ada","title":"Lovelight"'),
    )
    // Also where the removal comes last, so that a rebuild reads the redacted publications before it.
    const removal = records[2]
    if (removal === undefined) throw new Error('there is no removal')
    const last = { ...removal, position: 99 as Position }
    for (const order of [records, [...records.filter((record) => record !== removal), last]]) {
      const log = new MemoryEventLog(order)
      t.match(await redactCreator(log, memoryStore(), projections, 'ada', none), { creations: 2 })
      const redacted = await log.read(START, 100)
      const text = redacted.map(({ payload }) => payload).join('\n')
      t.notMatch(text, 'Lovelight')
      t.match(text, 'Of somebody')
      for (const projection of projections)
        sameDump(withoutDeadLetters(await project(projection, redacted)), withoutDeadLetters(await project(projection, order)))
      t.match(JSON.parse((await project(feedProjection, redacted)).get('items/c3') ?? ''), { removed: true })
      t.match(await redactCreator(log, memoryStore(), projections, 'ada', none), { events: 0 }, 'once is enough')
    }
  },
)

t.test('what was delivered twice, and what is missing, is the same from the redacted log', async (t) => {
  const first = but(registered('ada'), { id: 'first' })
  const records = new Script().write(
    ...[first, but(first, { sequence: 1 }), but(published('c1', { by: 'ada' }), { sequence: 3 })],
    ...[unreadable('creation/c1'), but(edited('c1', {}), { sequence: 4, type: 'creation.painted.v1' }), erased('ada')],
  )
  // The log has its own id for each delivery.
  const delivered = records.map((record, i) => ({ ...record, id: `delivery ${i}` }))
  const log = new MemoryEventLog(delivered)
  await redactCreator(log, memoryStore(), projections, 'ada', none)
  const expected = await project(integrityProjection, delivered)
  t.match(JSON.parse(expected.get('integrity/summary') ?? ''), { duplicates: 1, conflicts: 0, gaps: 1 })
  sameDump(await project(integrityProjection, await log.read(START, 100)), expected)
})

t.test('a creation goes with every creator whom one of its publications names, wherever that stands in the log', async (t) => {
  const byBen = published('c1', { by: 'ben', title: { en: 'By Ben' } })
  const byAda = published('c1', { by: 'ada', title: { en: 'By Ada' } })
  const people = [registered('ada'), registered('ben'), published('c2', { by: 'ben' })]
  const logs: Record<string, readonly Told[]> = {
    'a later one': [...people, byBen, byAda, erased('ada')],
    'the first one': [...people, byAda, byBen, erased('ada')],
    'an earlier one that came late': [...people, but(byBen, { sequence: 2 }), but(byAda, { sequence: 1 }), erased('ada')],
    'one after the removal': [...people, byBen, erased('ada'), byAda, edited('c1', { title: { en: 'By Ada, still' } })],
  }
  for (const [name, told] of Object.entries(logs)) {
    const records = new Script().write(...told)
    const log = new MemoryEventLog(records)
    t.match(await redactCreator(log, memoryStore(), projections, 'ada', none), { creations: 1 }, name)
    const redacted = await log.read(START, 100)
    for (const word of ['By Ada', 'By Ben']) t.notMatch(redacted.map(({ payload }) => payload).join('\n'), word, `${name}: ${word}`)
    t.match(redacted[2]?.payload, /c2 title/, 'and nothing else')
    for (const projection of projections) {
      const dump = await project(projection, redacted)
      sameDump(dump, await project(projection, records))
      if (projection === feedProjection) t.match(JSON.parse(dump.get('items/c1') ?? ''), { removed: true })
    }
  }
})

t.test('it is refused while the creator is not erased, in the log and in every model', async (t) => {
  const script = new Script()
  const log = new MemoryEventLog(script.write(registered('ada'), published('c1', { by: 'ada' })))
  const store = memoryStore()
  await t.rejects(redactCreator(log, store, projections, 'ada', none), /creator\/ada has not been removed/)
  for (const { name, version, collections } of projections) await store.promote(await store.createGeneration(name, version, collections))
  log.extend(script.write(erased('ada')))
  await t.rejects(redactCreator(log, store, projections, 'ada', none), /feed has not come to the removal at position 3 yet/)
  t.ok((await log.read(START, 1))[0]?.payload.includes('"handle":"ada"'), 'and nothing is changed')
})

t.test('it is refused while a model that holds people has no tombstone, in a live or a retired generation', async (t) => {
  const records = new Script().write(registered('ada'), erased('ada'), registered('ben'))
  const after = records.at(-1)
  for (const retired of [false, true]) {
    for (const { name } of projections.filter(({ state }) => state.creator !== undefined)) {
      const store = memoryStore()
      for (const projection of projections) {
        // One that has passed the removal, and has not applied it.
        if (projection.name === name) await project(projection, after === undefined ? [] : [after], { store })
        if (projection.name !== name || retired) await project(projection, records, { store })
      }
      const where = retired ? `the retired generation \\d+ of ${name}` : name
      const message = new RegExp(`^${where} has no tombstone of creator/ada`)
      await t.rejects(redactCreator(new MemoryEventLog(records), store, projections, 'ada', none), { message })
    }
  }
})

t.test('no byte is left in any file of the log', async (t) => {
  const folder = folderWith()
  const log = new SqliteEventLog(join(folder, 'events.db'))
  const store = memoryStore()
  t.teardown(() => log.close())
  await log.append(new Script().write(...story).map(({ position: _, ...record }) => record))
  for (const word of WORDS) t.ok(await holdsBytes(folder, word), word)
  await redactCreator(log, store, projections, 'ada', none)
  for (const word of WORDS) t.notOk(await holdsBytes(folder, word), word)
})

t.test('redacting an event releases what was parked because of it', async (t) => {
  const store = await openedStore(t)
  const records = new Script().write(
    registered('ben'),
    published('c1', { by: 'ben' }),
    unreadable('creation/c1', '{"userId":"ada"}'),
    erased('ada'),
  )
  await project(feedProjection, records, { store })
  await redactCreator(new MemoryEventLog(records), store, projections, 'ada', none)
  t.match(await new RequestStore(store).open('feed'), [{ order: { kind: 'replay', aggregate: 'creation/c1' } }])
})

t.test('an event that was read before its redaction and parked after it is released once the projector is past it', async (t) => {
  const store = memoryStore()
  const records = new Script().write(registered('ada'), published('c1', { by: 'ada' }), erased('ada'), poison(edited('c1', {})))
  await project(feedProjection, records.slice(0, 3), { store })
  const log = new MemoryEventLog(records)
  for (const run of ['the first', 'one after a crash']) {
    await redactCreator(log, store, projections, 'ada', none)
    const orders = (await new RequestStore(store).open('feed')).map(({ order }) => order)
    t.match(orders.at(-1), { kind: 'replay', aggregate: null, from: 4 }, run)
  }
})
