/** Redaction takes what is theirs, names what nobody can tell, and is refused while a model still holds something. */
import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { recordDiscard } from '../../../src/engine/dead-letters/discards.js'
import { START } from '../../../src/events/index.js'
import { but, edited, erased, liked, poison, published, registered, removed, unreadable } from '../../spec/events.js'
import { Script } from '../../spec/script.js'
import { projections } from '../../support/built-in-models.js'
import { sameDump, withoutDeadLetters } from '../../support/dump.js'
import { MemoryEventLog } from '../../support/memory-log.js'
import { memoryStore } from '../../support/memory-store.js'
import { project } from '../../support/project-log.js'
import { redactCreation, redactCreator } from '../../support/redact.js'

const none = () => {}

t.test('a discarded publication makes nothing theirs, but loses its own words', async (t) => {
  const records = new Script().write(
    ...[registered('ada'), registered('ben'), published('c1', { by: 'ben', title: { en: 'Of Ben' } })],
    ...[poison(published('c1', { by: 'ada', title: { en: 'Lovelight' } })), erased('ada')],
  )
  const store = memoryStore()
  await recordDiscard(store, 'feed', 4, 'sent by mistake')
  const log = new MemoryEventLog(records)
  t.match(await redactCreator(log, store, projections, 'ada', none), { creations: 0 })
  const text = (await log.read(START, 100)).map(({ payload }) => payload).join('\n')
  t.notMatch(text, 'Lovelight')
  t.match(text, 'Of Ben')
})

t.test('it names what it leaves: unreadable events about others that mention the person. They go when asked for', async (t) => {
  const records = new Script().write(
    ...[registered('ada'), registered('ben'), published('c1', { by: 'ben' })],
    but({ ...edited('c1', {}), data: { creationId: 'c1', singer: 'ada', song: 'Lovelight' } }, { type: 'creation.sung.v1' }),
    poison({ ...liked('c1', 'ada'), data: { userId: 'ada', note: 'Lovelight' } }),
    unreadable('creator/ben', '{"note":"Lovelight, says creator/ada"'),
    but({ ...edited('c1', {}), data: { note: 'of adam and ada-2' } }, { type: 'creation.sung.v1' }),
    ...[liked('c1', 'ada'), erased('ada')],
  )
  const log = new MemoryEventLog(records)
  const redact = (...also: number[]) => redactCreator(log, memoryStore(), projections, 'ada', none, also)
  const left = [
    { position: 4, subject: 'creation/c1', type: 'creation.sung.v1' },
    { position: 5, subject: 'creation/c1', type: 'creation.liked' },
    { position: 6, subject: 'creator/ben', type: null },
  ]
  t.strictSame((await redact()).left, left)
  await t.rejects(redact(4, 3, 99), { name: 'RedactionError', message: /no event at position 3, 99 / })
  t.match((await log.read(START, 100))[3]?.payload, 'Lovelight', 'and nothing is changed')
  t.match(await redact(4, 6), { events: 2, left: [left[1]] })
  t.match(await redact(4, 5), { creations: 0, events: 1, left: [] }, 'also where some of it was done before')
  const redacted = await log.read(START, 100)
  t.notOk(redacted.some(({ payload }) => payload.includes('Lovelight')))
  t.match(redacted[2]?.payload, 'c1 title', 'the words of others stay')
  for (const projection of projections)
    sameDump(await project(projection, redacted), withoutDeadLetters(await project(projection, records)))
})

t.test('of a creation whose publication never came the id is enough, once it is removed', async (t) => {
  const script = new Script()
  script.write(registered('ada'), edited('c1', { title: { en: 'Lovelight' } }), edited('c2', { title: { en: 'Of somebody' } }))
  const log = new MemoryEventLog(script.records)
  const store = memoryStore()
  const redact = () => redactCreation(log, store, projections, 'c1', none)
  await t.rejects(redact(), /creation\/c1 has not been removed: there is no creation.removed in the log/)
  for (const projection of projections) await project(projection, script.records, { store })
  log.extend(script.write(removed('c1')))
  await t.rejects(redact(), /feed has not come to the removal at position 4 yet/)
  const records = await log.read(START, 100)
  const folded = memoryStore()
  for (const projection of projections) await project(projection, records, { store: folded })
  t.match(await redactCreation(log, folded, projections, 'c1', none), { creations: 1, events: 1, left: [] })
  const redacted = await log.read(START, 100)
  t.notMatch(redacted.map(({ payload }) => payload).join('\n'), 'Lovelight')
  t.match(redacted[2]?.payload, 'Of somebody')
  for (const projection of projections) sameDump(await project(projection, redacted), await project(projection, records))
})

t.test('it is refused while a generation holds what only an unreadable publication names theirs', async (t) => {
  const records = new Script().write(
    ...[registered('ada'), poison(published('c1', { by: 'ada' })), edited('c1', { title: { en: 'Lovelight' } }), erased('ada')],
  )
  // As a release folded it that did not know whose c1 is.
  const unaware = records.map((record) => (record.position === 2 ? { ...record, payload: '{' } : record))
  for (const retired of [false, true]) {
    const store = memoryStore()
    await project(feedProjection, unaware, { store })
    if (retired) await project(feedProjection, records, { store })
    const message = retired
      ? /^the retired generation 1 of feed still holds creation\/c1 .* feed --prune"$/
      : /^feed still .* rebuild feed"$/
    await t.rejects(redactCreator(new MemoryEventLog(records), store, projections, 'ada', none), { message })
  }
})
