/** A document explained from the events that have to do with it is the one that the whole log makes. */
import t from 'tap'
import { demoLog } from '../../../demo/index.js'
import { explain } from '../../../src/engine/replay/explain.js'
import type { EventLog } from '../../../src/ports/event-log.js'
import { DataFolder } from '../../harness/data-folder.js'
import {
  edited,
  erased,
  followed,
  liked,
  profileChanged,
  published,
  registered,
  removed,
  type Told,
  unpublished,
} from '../../spec/events.js'
import { openedStore } from '../../spec/opened-store.js'
import { Script } from '../../spec/script.js'
import { projections } from '../../support/built-in-models.js'
import { replacing } from '../../support/replacing.js'
import { projectionOf, ReplayFixture } from './fixture.js'

const aggregatesIn = async ({ log }: { log: EventLog }) => {
  const { last } = await log.bounds()
  return [...new Set((await log.read(0 as never, last)).map(({ subject }) => subject))]
}

/** What differs, for all aggregates in all models. */
async function differing(t: Parameters<typeof ReplayFixture.open>[0], folder: DataFolder): Promise<string[]> {
  const wrong: string[] = []
  for (const subject of await aggregatesIn(folder)) {
    const [kind = '', id = ''] = subject.split('/')
    for (const projection of projections) {
      const options = { projection, kind, id, log: folder.log, store: folder.documents, scratch: await openedStore(t) }
      const found = await explain({ ...options, wholeLog: false })
      if (found !== null && found.differing?.length !== 0) wrong.push(`${projection.name} ${subject}: ${JSON.stringify(found.differing)}`)
    }
  }
  return wrong
}

t.test('of a whole community', async (t) => {
  const folder = await DataFolder.open(t)
  await folder.append(demoLog({ creators: 12, creations: 50, seed: 3, webUrl: 'https://vitrine.example' }))
  await folder.project()
  t.strictSame(await differing(t, folder), [])
})

t.test('of those whose owner, original, remix or liker is removed, and of those that are removed', async (t) => {
  const told: Told[] = [
    ...['ada', 'ben', 'cleo', 'dan', 'eve'].map((id) => registered(id)),
    published('one', { by: 'ada' }),
    published('two', { by: 'ben', remixOf: 'one' }),
    published('three', { by: 'cleo', remixOf: 'two' }),
    published('four', { by: 'dan', remixOf: 'one' }),
    published('five', { by: 'eve', remixOf: 'four' }),
    ...['one', 'two', 'three', 'four', 'five'].flatMap((id) => [liked(id, 'ada'), liked(id, 'dan'), liked(id, 'eve')]),
    followed('ada', 'dan'),
    followed('dan', 'ada'),
    followed('ben', 'eve'),
    profileChanged('ben', { displayName: 'Benjamin' }),
    edited('two', { title: { en: 'Second' } }),
    unpublished('three'),
    erased('dan'),
    removed('two'),
    erased('eve'),
    liked('one', 'cleo'),
  ]
  const folder = await DataFolder.of(t, ...told)
  await folder.project()
  t.strictSame(await differing(t, folder), [])
})

t.test('only those events are read, and a wrong document is noticed', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const read: string[] = []
  const log = replacing(fixture.log, {
    read: () => Promise.reject(new Error('the whole log is read')),
    readSubjects(subjects) {
      read.push(...subjects)
      return fixture.log.readSubjects(subjects)
    },
  })
  const feed = projectionOf('feed')
  const options = { projection: feed, kind: 'creation', id: 'maze', store: fixture.store, log, wholeLog: false }
  const right = await explain({ ...options, scratch: await fixture.scratch() })
  t.strictSame(right?.differing, [])
  t.ok(right?.steps.some(({ type }) => type === 'creation.liked'))
  t.strictSame(read.slice().sort(), ['creation/maze', 'creation/mazetwo', 'creator/ben', 'creator/cleo'])
  const [documents] = feed.collections
  if (documents === undefined) return t.fail('it has documents')
  await fixture.damage(feed, documents, 'maze', (doc) => ({ ...doc, plays: 700 }))
  const wrong = await explain({ ...options, scratch: await fixture.scratch() })
  t.match(wrong?.differing, [{ path: 'plays', left: 700, right: 5 }])
})

t.test('without a live model the whole log is read', async (t) => {
  const folder = await DataFolder.open(t)
  await folder.append(new Script().write(registered('ada'), published('one', { by: 'ada' })))
  const options = { projection: projectionOf('feed'), kind: 'creation', id: 'one', log: folder.log, store: folder.documents }
  t.match(await explain({ ...options, scratch: await openedStore(t), wholeLog: false }), { document: { _id: 'one' }, differing: null })
  const fixture = await ReplayFixture.open(t, registered('ada'), published('one', { by: 'ada' }))
  await fixture.runSql(options.projection, `UPDATE items SET doc = '{"_id": "one", ' WHERE id = 'one'`)
  const damaged = { ...options, log: fixture.log, store: fixture.store, scratch: await fixture.scratch(), wholeLog: false }
  t.match(await explain(damaged), { document: { _id: 'one' }, differing: null }, 'nor with one that is damaged')
})
