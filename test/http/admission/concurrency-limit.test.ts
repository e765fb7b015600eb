/** How many reads at a time are let through, from what they take. */
import t from 'tap'
import { ConcurrencyLimit } from '../../../src/http/admission/concurrency-limit.js'

/** A database that answers reads in so many milliseconds, whatever comes; asked for as many as are let through. */
class Visitors {
  readonly breadth = new ConcurrencyLimit(0)
  #now = 0

  /** Some windows of a hundred milliseconds. */
  ask(windows: number, msOf: (underWay: number) => number, atMost = Number.POSITIVE_INFINITY): number {
    for (let window = 0; window < windows; window += 1) {
      const underWay = Math.min(this.breadth.limit, atMost)
      this.#now += 101
      for (let i = 0; i < 20; i += 1) this.breadth.record(msOf(underWay), underWay, this.#now)
    }
    return this.breadth.limit
  }
}

const serial = (underWay: number) => underWay * 5

t.test('a database that answers many as quickly as a few is asked more and more', async (t) => {
  const visitors = new Visitors()
  t.equal(visitors.breadth.limit, 8, 'beginning with a few')
  t.ok(visitors.ask(35, () => 20) > 1000)
})

t.test('one that answers them one after the other is not', async (t) => {
  const visitors = new Visitors()
  visitors.ask(10, serial, 4)
  t.ok(visitors.ask(50, serial) <= 13, 'for seconds')
  t.ok(visitors.ask(5000, serial) <= 20, 'for minutes')
})

t.test('a database that becomes slower for good', async (t) => {
  const visitors = new Visitors()
  const before = visitors.ask(25, () => 5)
  t.ok(before > 400)
  t.equal(
    visitors.ask(30, () => 100),
    8,
    'is spared at first',
  )
  t.ok(visitors.ask(200, () => 100) > 400, 'then that is what it takes')
})

t.test('nobody there is no reason to let in more', async (t) => {
  t.equal(
    new Visitors().ask(100, () => 5, 3),
    8,
  )
})
