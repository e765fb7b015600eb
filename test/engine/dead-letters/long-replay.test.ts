/** On SQLite nothing but a turn of the thread lets the lease's timer run: long work takes one now and then. */
import t, { type Test } from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { replayParked } from '../../../src/engine/dead-letters/replay-parked.js'
import { listParkedAggregates, withDeadLetters } from '../../../src/engine/definition/dead-letter-collections.js'
import { type Commit, CommitTooLargeError, type GenerationStore } from '../../../src/ports/document-store.js'
import { edited, liked, published, registered } from '../../spec/events.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { replacing } from '../../support/replacing.js'
import { ProjectorFixture } from '../fixture.js'
import { SqliteFolder } from '../sqlite-folder.js'

const base = [registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' })]
const stumbling = faultyProjection(feedProjection, 'apply', ({ name }) => name === 'creation.edited').projection
const projection = withDeadLetters(feedProjection)
const likesOf = (id: string, count: number) => Array.from({ length: count }, (_, i) => liked(id, `user-${i}`))

/** How many turns this thread takes from now on. */
function turnsOfTheThread(t: Test): () => number {
  let turns = 0
  let going = true
  const turn = () => {
    turns += 1
    if (going) setImmediate(turn)
  }
  setImmediate(turn)
  t.teardown(() => {
    going = false
  })
  return () => turns
}

/** One aggregate has so many dead letters that a replay takes a while, and there is no leader. */
async function parked(t: Test): Promise<{ fixture: ProjectorFixture; opened: GenerationStore }> {
  const fixture = await ProjectorFixture.open(t, new SqliteFolder(), base, stumbling)
  await fixture.tell(...Array.from({ length: 1201 }, (_, i) => edited('c1', { title: { en: `Title ${i}` } })))
  await fixture.stop()
  const [live] = await fixture.generations()
  if (live === undefined) throw new Error('nothing is live')
  const opened = await fixture.store.openGeneration(live, projection.collections)
  t.teardown(() => opened.close())
  return { fixture, opened }
}

t.test('a replay yields while it folds, and reads and commits under a longer lease', async (t) => {
  const { fixture, opened } = await parked(t)
  const done: string[] = []
  let isPatient = false
  const withLongLease = async (step: () => Promise<void>) => {
    isPatient = true
    await step()
    isPatient = false
  }
  const watched: GenerationStore = replacing(opened, {
    async range(collection, query) {
      done.push(`${collection.name} ${isPatient}`)
      return opened.range(collection, query)
    },
    async commit(commit: Commit) {
      done.push(`commit ${isPatient}`)
      return opened.commit(commit)
    },
  })
  const aggregates = await listParkedAggregates(opened)
  const { epoch } = await opened.checkpoint()
  const turns = turnsOfTheThread(t)
  const parts = { projection, store: fixture.store, log: fixture.log, generation: watched, withLongLease }
  t.match(await replayParked(parts, epoch, aggregates), { aggregates: 1, parked: 0, events: 1201 })
  t.ok(turns() >= 4, `${turns()} turns`)
  t.strictSame([...new Set(done)].sort(), ['commit true', 'letters true', 'parked false'])
})

t.test('many short replays yield as well', async (t) => {
  const fixture = await ProjectorFixture.open(t, new SqliteFolder(), base, stumbling)
  await fixture.tell(edited('c1', { title: { en: 'First' } }), edited('c2', { title: { en: 'Second' } }))
  await fixture.stop()
  const [live] = await fixture.generations()
  if (live === undefined) throw new Error('nothing is live')
  const generation = await fixture.store.openGeneration(live, projection.collections)
  t.teardown(() => generation.close())
  const { epoch } = await generation.checkpoint()
  const turns = turnsOfTheThread(t)
  await replayParked({ projection, store: fixture.store, log: fixture.log, generation }, epoch, ['creation/c1', 'creation/c2'])
  t.ok(turns() >= 1, `${turns()} turns`)
})

t.test('many aggregates share a commit, as far as the store has room; one alone has to fit', async (t) => {
  const ids = Array.from({ length: 120 }, (_, i) => `many${i}`)
  const fixture = await ProjectorFixture.open(t, new SqliteFolder(), [...base, ...ids.map((id) => published(id, { by: 'ann' }))], stumbling)
  await fixture.tell(...ids.map((id) => edited(id, { title: { en: `Title of ${id}` } })))
  await fixture.stop()
  const [live] = await fixture.generations()
  if (live === undefined) throw new Error('nothing is live')
  const opened = await fixture.store.openGeneration(live, projection.collections)
  t.teardown(() => opened.close())
  const { epoch } = await opened.checkpoint()
  const replayWith = async (room: number, aggregates: readonly string[]) => {
    const sizes: number[] = []
    const generation = replacing(opened, {
      async commit(commit: Commit) {
        if (commit.writes.length > room) throw new CommitTooLargeError(commit.writes.length)
        await opened.commit(commit)
        sizes.push(commit.writes.length)
      },
    })
    return { result: await replayParked({ projection, store: fixture.store, log: fixture.log, generation }, epoch, aggregates), sizes }
  }
  const names = ids.map((id) => `creation/${id}`)
  await t.rejects(replayWith(1, names), CommitTooLargeError, 'it does not try for ever')
  await t.rejects(replayWith(1, ['creation/c1', ...names.slice(0, 1)]), CommitTooLargeError, 'nor behind one without dead letters')
  const few = await replayWith(60, names.slice(0, 60))
  t.match(few.result, { aggregates: 60, events: 60, parked: 0 })
  t.ok(few.sizes.length > 5 && few.sizes.length < 60, `${few.sizes.length} commits`)
  const many = await replayWith(Number.POSITIVE_INFINITY, names)
  t.match(many.result, { aggregates: 60, events: 60, parked: 0 })
  t.ok(many.sizes.length <= 2, `${many.sizes.length} commits`)
})

t.test('a switch-over yields after every page that is left to be caught up', async (t) => {
  const fixture = await ProjectorFixture.open(t, new SqliteFolder(), [...base, ...likesOf('c1', 4500)])
  let sinceTurn = 0
  let longest = 0
  let going = true
  const turn = () => {
    sinceTurn = 0
    if (going) setImmediate(turn)
  }
  t.teardown(() => {
    going = false
  })
  const read = fixture.log.read.bind(fixture.log)
  fixture.log.read = async (after, limit) => {
    sinceTurn += limit
    longest = Math.max(longest, sinceTurn)
    return read(after, limit)
  }
  // Leaves all the folding to the switch-over.
  await fixture.lead(feedProjection, {
    async buildGeneration({ generation }) {
      const opened = await fixture.store.openGeneration(generation, projection.collections)
      await opened.buildIndexes()
      await opened.close()
    },
  })
  longest = 0
  turn()
  t.match(await fixture.rebuild(), { state: 'done' })
  t.equal(await fixture.livePosition(), base.length + 4500)
  t.ok(longest > 0 && longest < 4000, `${longest} events without a turn`)
})
