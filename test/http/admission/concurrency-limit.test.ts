/** The limit follows the duration of reads. */
import t from 'tap'
import { ConcurrencyLimit } from '../../../src/http/admission/concurrency-limit.js'

/** Reads that take a given time, as many at once as the limit allows. */
class SimulatedReads {
  readonly concurrency = new ConcurrencyLimit({ now: 0 })
  #now = 0

  /** For some windows of a hundred milliseconds. */
  run(windows: number, msOf: (inFlight: number) => number, atMost = Number.POSITIVE_INFINITY): number {
    for (let window = 0; window < windows; window += 1) {
      const inFlight = Math.min(this.concurrency.limit, atMost)
      this.#now += 101
      for (let i = 0; i < 20; i += 1) this.concurrency.record(msOf(inFlight), inFlight, this.#now)
    }
    return this.concurrency.limit
  }
}

const serial = (inFlight: number) => inFlight * 5

t.test('the limit grows while many reads are as quick as a few', async (t) => {
  const reads = new SimulatedReads()
  t.equal(reads.concurrency.limit, 8, 'beginning with a few')
  t.ok(reads.run(35, () => 20) > 1000)
})

t.test('it does not grow when reads run one after the other', async (t) => {
  const reads = new SimulatedReads()
  reads.run(10, serial, 4)
  t.ok(reads.run(50, serial) <= 13, 'for seconds')
  t.ok(reads.run(5000, serial) <= 20, 'for minutes')
})

t.test('a database that becomes slower for good', async (t) => {
  const reads = new SimulatedReads()
  const before = reads.run(25, () => 5)
  t.ok(before > 400)
  t.equal(
    reads.run(30, () => 100),
    8,
    'is spared at first',
  )
  t.ok(reads.run(200, () => 100) > 400, 'then that is what it takes')
})

t.test('few reads are no reason to raise the limit', async (t) => {
  t.equal(
    new SimulatedReads().run(100, () => 5, 3),
    8,
  )
})
