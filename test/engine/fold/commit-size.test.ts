import t, { type Test } from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { liked, published, registered } from '../../spec/events.js'
import { World } from '../../spec/world.js'
import { decode } from '../../support/decode.js'

const likes = Array.from({ length: 12 }, (_, i) => liked('c1', `user-${i}`))

const told = [registered('ada'), published('c1', { by: 'ada' }), ...likes]

/** How many commits the load of a few events makes while commits are deferred. */
async function commitsOf(t: Test, ample: { preferredCommitSize?: number }, folded: () => void = () => {}): Promise<number> {
  let commits = 0
  const world = await World.open(t, feedProjection, {
    loading: true,
    between: (store) => {
      const commit = store.commit.bind(store)
      const counted: typeof commit = (...args) => {
        commits += 1
        return commit(...args)
      }
      return Object.assign(store, ample, { commit: counted })
    },
  })
  for (const record of world.script.write(...told)) {
    await world.session.advance([{ record, decoded: decode(record) }], { defer: true })
    folded()
  }
  return commits
}

t.test('while loading, changes are gathered for one commit', async (t) => {
  t.equal(await commitsOf(t, {}), 0)
})

t.test('but no more than the store prefers in one commit', async (t) => {
  const commits = await commitsOf(t, { preferredCommitSize: 6 })
  t.ok(commits > 1 && commits < told.length, `${commits} commits for ${told.length} events`)
})

t.test('nor for so long that a crash of a slow load would cost minutes', async (t) => {
  const { now } = performance
  let ahead = 0
  performance.now = () => now.call(performance) + ahead
  t.teardown(() => {
    performance.now = now
  })
  const commits = await commitsOf(t, {}, () => {
    ahead += 1000
  })
  t.ok(commits > 0 && commits < told.length / 2, `${commits} commits in ${told.length} seconds`)
})
