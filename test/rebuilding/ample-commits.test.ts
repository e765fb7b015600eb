import t, { type Test } from 'tap'
import { feed } from '../../projections/feed/index.js'
import { decode } from '../../src/events/index.js'
import { liked, published, registered } from '../spec/events.js'
import { World } from '../spec/world.js'

const likes = Array.from({ length: 12 }, (_, i) => liked('c1', `user-${i}`))

/** How far a load of few events has come before anybody asks for a commit. */
async function committedBy(t: Test, ampleCommit: number | undefined): Promise<number> {
  const world = await World.open(feed, {
    loading: true,
    between: (store) => (ampleCommit === undefined ? store : Object.assign(store, { ampleCommit })),
  })
  t.teardown(() => world.close())
  for (const record of world.script.write(registered('ada'), published('c1', { by: 'ada' }), ...likes))
    await world.session.advance([{ record, decoded: decode(record) }], { defer: true })
  return world.session.checkpoint.position
}

t.test('while loading, changes are gathered for one commit', async (t) => {
  t.equal(await committedBy(t, undefined), 0)
})

t.test('but no more of them than the store has room for in one', async (t) => {
  t.ok((await committedBy(t, 6)) >= 6)
})
