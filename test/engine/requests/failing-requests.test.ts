/** A request that goes wrong is refused, or tried again later; events go on being projected, and later requests are carried out. */
import t, { type Test } from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { listParked } from '../../../src/engine/dead-letters/dead-letter-queries.js'
import { type Commit, CommitTooLargeError, type DocumentStore } from '../../../src/ports/document-store.js'
import type { Subject } from '../../ports/subject.js'
import { edited, liked, published, registered, type Told } from '../../spec/events.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { type MemoryStore, memoryStore } from '../../support/memory-store.js'
import { replacing } from '../../support/replacing.js'
import { ProjectorFixture } from '../fixture.js'
import { SqliteFolder } from '../sqlite-folder.js'

const base = [registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' })]
/** Trips over edits, and over nothing else. */
const stumbling = faultyProjection(feedProjection, 'apply', ({ name }) => name === 'creation.edited').projection

const REMEDY = /items\/c1 cannot be read: .*; "vitrine verify feed --repair" writes it as the log says it is: then ask for the \w+ again$/

/** `c1` has a dead letter, and what the live generation has of it cannot be read. */
async function unreadable(t: Test, ...more: Told[]) {
  const folder = new SqliteFolder()
  const fixture = await ProjectorFixture.open(t, folder, base, stumbling)
  await fixture.tell(edited('c1', { title: { en: 'First' } }), liked('c1', 'bob'), ...more)
  const right: object = JSON.parse((await fixture.dump()).get('items/c1') ?? '')
  await fixture.stop()
  const [live] = await fixture.generations()
  folder.scribble(live, "UPDATE items SET doc = 'no document' WHERE id = 'c1'")
  await fixture.lead(feedProjection)
  const documents = [{ collection: 'items', id: 'c1', found: null, unreadable: true, right: { ...right } }]
  return { fixture, repair: { kind: 'repair' as const, documents } }
}

t.test('a replay that meets what cannot be read is refused, with the remedy', async (t) => {
  const { fixture, repair } = await unreadable(t)
  const replay = { kind: 'replay' as const, aggregate: 'creation/c1', limit: null }
  t.match(await fixture.ask(replay), { state: 'failed', outcome: REMEDY })
  await fixture.tell(registered('eve'))
  t.pass('events go on being projected')
  t.match(await fixture.ask(repair), { state: 'done', outcome: 'rewrote 1 document' })
  t.match(await fixture.ask(replay), { state: 'done', outcome: 'replayed 1 event of 1 aggregate' })
  t.match(JSON.parse((await fixture.dump()).get('items/c1') ?? ''), { title: { en: 'First' }, likes: 1 })
})

t.test('a discard that meets what cannot be read is decided, and can be finished after the repair', async (t) => {
  // Another dead letter of the same creation is folded with it.
  const { fixture, repair } = await unreadable(t, edited('c1', { title: { en: 'Second' } }))
  const discard = { kind: 'discard' as const, position: 4, reason: 'a slip' }
  const refused = await fixture.ask(discard)
  t.match(refused, { state: 'failed', outcome: REMEDY })
  t.match(refused.outcome, /^it is decided, but nothing was folded: /)
  await fixture.tell(registered('eve'))
  t.match(await fixture.ask(repair), { state: 'done' })
  t.match(await fixture.ask(discard), { state: 'done', outcome: /: 1 other event was folded, no dead letter is left$/ })
})

/** A store on which, when switched on, commits that fold nothing new fail, such as those of a replay. */
class Reluctant implements Subject<DocumentStore> {
  readonly name = 'memory'
  refusal: Error | null = null

  async open() {
    const store = memoryStore()
    return { store, another: async () => this.#reluctant(store.another()), remove: async () => {} }
  }

  #reluctant(store: MemoryStore): DocumentStore {
    const open = store.openGeneration.bind(store)
    const openGeneration: DocumentStore['openGeneration'] = async (...args) => {
      const opened = await open(...args)
      const commit = async (given: Commit) => {
        if (this.refusal !== null && given.from.position === given.to.position) throw this.refusal
        await opened.commit(given)
      }
      return replacing(opened, { commit })
    }
    return Object.assign(store, { openGeneration })
  }
}

t.test('a replay that is too large for one commit is refused, with the remedy', async (t) => {
  const store = new Reluctant()
  const fixture = await ProjectorFixture.open(t, store, base, stumbling)
  await fixture.tell(edited('c1', { title: { en: 'First' } }))
  store.refusal = new CommitTooLargeError(9)
  t.match(await fixture.ask({ kind: 'replay', aggregate: null, limit: null }), {
    state: 'failed',
    outcome: 'the store has no room for a commit of 9 changes; "vitrine rebuild feed" makes the model anew in smaller ones',
  })
  t.match(await fixture.ask({ kind: 'discard', position: 4, reason: 'a slip' }), {
    state: 'failed',
    outcome: /^it is decided, but nothing was folded: the store has no room/,
  })
  await fixture.tell(liked('c2', 'bob'))
  t.pass('events go on being projected')
})

t.test('a request that fails for another reason stays open, delays nothing else, and is tried again', async (t) => {
  const store = new Reluctant()
  const fixture = await ProjectorFixture.open(t, store, base, stumbling)
  await fixture.tell(edited('c1', { title: { en: 'First' } }))
  await fixture.lead(feedProjection)
  store.refusal = new Error('out of paper')
  const request = await fixture.place({ kind: 'replay', aggregate: null, limit: null })
  t.match(await fixture.ask({ kind: 'prune' }), { state: 'done' }, 'what was asked for later is carried out')
  await fixture.tell(liked('c2', 'bob'))
  t.match(await fixture.requests.find(request.id), { state: 'open' })
  t.ok(fixture.warnings.includes('replay is tried again'), 'it is said')
  t.notOk(fixture.warnings.includes('projection retrying'), 'and the leader did not start again for it')
  store.refusal = null
  t.match(await fixture.settled(request), { state: 'done', outcome: 'replayed 1 event of 1 aggregate' })
  t.strictSame(await listParked(fixture.store, 'feed'), [])
})

/** A store whose answer to the first settled request gets lost, after it was written. */
class Mumbling implements Subject<DocumentStore> {
  readonly name = 'memory'
  lost = 0

  async open() {
    const store = memoryStore()
    return { store, another: async () => this.#mumbling(store.another()), remove: async () => {} }
  }

  #mumbling(store: MemoryStore): DocumentStore {
    const put = store.putControlRecord.bind(store)
    const putControlRecord: DocumentStore['putControlRecord'] = async (record) => {
      const written = await put(record)
      const { state } = record.value as { state?: string }
      if (state === 'done' && this.lost++ === 0) throw new Error('the answer got lost')
      return written
    }
    return Object.assign(store, { putControlRecord })
  }
}

t.test('a rebuild that finished although the store reported an error does not block the next one', async (t) => {
  const store = new Mumbling()
  const fixture = await ProjectorFixture.open(t, store, base)
  const rebuild = { kind: 'rebuild' as const, maxRate: null }
  t.match(await fixture.ask(rebuild), { state: 'done', outcome: /^generation 2 is live/ })
  t.match(await fixture.ask(rebuild), { state: 'done', outcome: /^generation 3 is live/ })
  t.ok(store.lost > 1)
})
