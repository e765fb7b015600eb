import fc from 'fast-check'
import t from 'tap'
import { isoTime } from '../../src/events/index.js'

t.test('a time is written as Date writes it', async (t) => {
  const times = fc.oneof(fc.date({ noInvalidDate: true }).map(Number), fc.integer({ min: 0, max: 4e12 }))
  fc.assert(fc.property(times, (time) => isoTime(time) === new Date(time).toISOString()))
  const edges = [0, 999, 59_999, 86_399_999, 86_400_000, 951_782_400_000, 253_402_300_799_999, 253_402_300_800_000, -1, 8.64e15]
  for (const time of edges) t.equal(isoTime(time), new Date(time).toISOString())
})

t.test('what is no time is refused, as by Date', async (t) => {
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1]) t.throws(() => isoTime(time), RangeError)
})
