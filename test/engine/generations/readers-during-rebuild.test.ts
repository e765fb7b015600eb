/** Readers notice nothing of a rebuild, a switch-over, a rollback and an abort: no error, no half-filled feed, no broken cursor. */
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { manyCreations } from '../../harness/community.js'
import { liked, registered } from '../../spec/events.js'
import { ProjectorFixture, READS } from '../fixture.js'
import { STORES } from '../stores.js'

const told = [...manyCreations(30), registered('bob'), liked('c001', 'bob')]

for (const subject of STORES) {
  t.test(`${subject.name}: every read answers the same throughout`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    const answers = () => Promise.all(READS.map(({ name, input }) => fixture.reader.ask(name, input)))
    const expected = JSON.stringify(await answers())
    let going = true
    let rounds = 0
    const different: string[] = []
    const traffic = (async () => {
      while (going) {
        const found = JSON.stringify(await answers())
        if (found !== expected) different.push(found)
        rounds += 1
        await turn()
      }
    })()
    try {
      t.equal((await fixture.rebuild()).state, 'done')
      t.equal((await fixture.ask({ kind: 'rollback' })).state, 'done')
      const aborted = await fixture.place({ kind: 'rebuild', maxRate: 40 })
      await fixture.reached(aborted, ({ position }) => position > 0)
      t.equal((await fixture.ask({ kind: 'abort' })).state, 'done')
      t.equal((await fixture.rebuild()).state, 'done')
      t.equal((await fixture.ask({ kind: 'prune' })).state, 'done')
    } finally {
      going = false
      await traffic
    }
    t.ok(READS.length > 5 && rounds > 10, `${rounds} rounds of ${READS.length} reads`)
    t.strictSame(different, [])
  })

  t.test(`${subject.name}: paging begun before a switch-over continues after it, and after a rollback`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told)
    const walk: string[] = []
    let cursor: string | null = null
    for (let page = 0; page === 0 || cursor !== null; page++) {
      const { items, next_cursor } = await fixture.reader.feed({ sort: 'recent', limit: 7, ...(cursor === null ? {} : { cursor }) })
      walk.push(...items.map(({ id }) => id))
      cursor = next_cursor
      if (page === 0) t.equal((await fixture.rebuild()).state, 'done')
      if (page === 1) await fixture.tell(liked('c002', 'bob'))
      if (page === 2) t.equal((await fixture.ask({ kind: 'rollback' })).state, 'done')
    }
    t.strictSame(
      walk,
      Array.from({ length: 30 }, (_, i) => `c${String(29 - i).padStart(3, '0')}`),
    )
  })
}
