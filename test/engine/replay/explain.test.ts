import t from 'tap'
import { DocumentHistory, explain } from '../../../src/engine/replay/explain.js'
import { builtInEvents, type Position } from '../../../src/events/index.js'
import { but, edited, handleChanged, liked, played, poison, published, registered, removed } from '../../spec/events.js'
import { Script } from '../../spec/script.js'
import { decode } from '../../support/decode.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { projectionOf, ReplayFixture } from './fixture.js'

async function explained(fixture: ReplayFixture, id: string, projection = projectionOf('feed')) {
  const found = await explain({
    projection,
    kind: 'creation',
    id,
    log: fixture.log,
    store: fixture.store,
    scratch: await fixture.scratch(),
    wholeLog: true,
  })
  if (found === null) throw new Error(`${projection.name} keeps no creations`)
  return found
}

t.test('a document that is deleted is gone with that event, also when it was written long before', (t) => {
  const history = new DocumentHistory('creation/one', builtInEvents)
  const at = (position: number) => {
    const [record] = new Script().write(but(liked('two', 'ben'), { sequence: position }))
    if (record === undefined) throw new Error('nothing was written')
    const moved = { ...record, position: position as Position }
    return { record: moved, decoded: decode(moved) }
  }
  history.observe(at(1), { _id: 'one' })
  history.onWrite({ _id: 'one' })
  history.onCommit(1 as Position)
  history.observe(at(2), undefined)
  history.observe(at(3), null)
  history.onWrite(undefined)
  history.observe(at(4), undefined)
  t.match(
    history.entries().map(({ position }) => position),
    [1, 3],
  )
  t.end()
})

await t.test('lists each event that changed a document, also those about others, and the document now', async (t) => {
  const fixture = await ReplayFixture.open(
    t,
    registered('ada'),
    published('one', { by: 'ada' }),
    liked('one', 'ben'),
    handleChanged('ada', 'countess'),
    published('two', { by: 'ada' }),
  )
  const { steps, document } = await explained(fixture, 'one')
  t.strictSame(
    steps.map(({ position, type, subject }) => [position, type, subject]),
    [
      [2, 'creation.published', 'creation/one'],
      [3, 'creation.liked', 'creation/one'],
      [4, 'creator.handle_changed', 'creator/ada'],
    ],
  )
  t.match(steps[0]?.changes, [{ path: '', left: undefined, right: { _id: 'one' } }])
  t.ok(steps[1]?.changes.some(({ path, left, right }) => path === 'likes' && left === 0 && right === 1))
  t.ok(steps[2]?.changes.some(({ path, right }) => path === 'creator.handle' && right === 'countess'))
  t.match(document, { likes: 1, creator: { handle: 'countess' } })
})

await t.test('events that changed nothing are listed too: repeated, broken, after its removal', async (t) => {
  const fixture = await ReplayFixture.open(
    t,
    registered('ada'),
    published('one', { by: 'ada' }),
    removed('one'),
    liked('one', 'ben'),
    poison(played('one')),
  )
  const { steps, document } = await explained(fixture, 'one')
  t.strictSame(
    steps.map(({ position }) => position),
    [2, 3, 4, 5],
  )
  t.match(steps[3], { changes: [], note: /cannot be folded: .*version/i })
  t.match(document, { _id: 'one', removed: true })
  t.notOk('title' in (document ?? {}))
})

await t.test('so is one that was discarded', async (t) => {
  const fixture = await ReplayFixture.open(t, registered('ada'), published('one', { by: 'ada' }), poison(played('one')))
  await fixture.discard(projectionOf('feed'), 'creation/one', 3)
  t.match((await explained(fixture, 'one')).steps[1], { position: 3, changes: [], note: 'discarded' })
})

await t.test('nothing is known of what was never mentioned, nor of kinds a projection does not follow', async (t) => {
  const fixture = await ReplayFixture.open(t)
  t.match(await explained(fixture, 'nowhere'), { steps: [], document: null })
  const options = {
    kind: 'category',
    id: 'games',
    log: fixture.log,
    store: fixture.store,
    scratch: await fixture.scratch(),
    wholeLog: false,
  } as const
  t.equal(await explain({ ...options, projection: projectionOf('shares') }), null)
})

await t.test('a document that the fold has dropped from memory is neither gone nor new', async (t) => {
  const fixture = await ReplayFixture.open(t, registered('ada'))
  const crowd = Array.from({ length: 11_000 }, (_, i) => published(`c${String(i).padStart(5, '0')}`, { by: 'ada' }))
  const unknown = but(played('c00000'), { type: 'creation.admired.v1' })
  // The fan-out begins with this one, and has dropped it from memory by the time it ends.
  await fixture.append(...crowd, handleChanged('ada', 'countess'), unknown, liked('c00000', 'ben'))
  const { steps } = await explained(fixture, 'c00000')
  const changed = (path: string) => steps.filter(({ changes }) => changes.some((each) => each.path === path)).map(({ type }) => type)
  t.strictSame(
    steps.map(({ position, type }) => [position, type]),
    [
      [2, 'creation.published'],
      [11_002, 'creator.handle_changed'],
      [11_003, 'creation.admired.v1'],
      [11_004, 'creation.liked'],
    ],
  )
  t.strictSame(changed(''), ['creation.published'])
  t.strictSame(changed('creator.handle'), ['creator.handle_changed'])
  t.strictSame(changed('likes'), ['creation.liked'])
  t.strictSame(steps[2]?.changes, [{ path: 'seq', left: 1, right: 2 }], 'its sequence has come')
})

await t.test('events that are folded again because a document was invalid are listed once', async (t) => {
  const fixture = await ReplayFixture.open(
    t,
    registered('ada'),
    published('one', { by: 'ada' }),
    published('two', { by: 'ada' }),
    liked('one', 'ben'),
    edited('two', { title: { en: 'Unfit' } }),
    liked('one', 'cleo'),
  )
  const { projection } = faultyProjection(projectionOf('feed'), 'unfit', ({ position }) => position === 5)
  const { steps, document } = await explained(fixture, 'one', projection)
  t.strictSame(
    steps.map(({ position, changes }) => [position, changes.find(({ path }) => path === 'likes')?.right]),
    [
      [2, undefined],
      [4, 1],
      [6, 2],
    ],
  )
  t.match(steps[0]?.changes, [{ path: '', left: undefined }])
  t.match(document, { likes: 2 })
})
