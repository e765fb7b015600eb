/** The newest events, decoded once for all projections: what is kept of them, and that no reader is shown a gap. */
import t from 'tap'
import { type DecodedRecord, TailBuffer } from '../../src/engine/fold/log-reader.js'
import type { Position } from '../../src/events/index.js'

const at = (position: number): DecodedRecord => ({
  record: { position: position as Position, id: `e${position}`, subject: 'creation/c1', appendedAt: 0, payload: '' },
  decoded: { outcome: 'discarded', arrival: null },
})

const events = (first: number, last: number): DecodedRecord[] => Array.from({ length: last - first + 1 }, (_, i) => at(first + i))

const positions = (tail: TailBuffer, after: number, limit = 10_000): number[] =>
  tail.after(after as Position, limit).map(({ record }) => record.position)

const extend = (tail: TailBuffer, after: number, ...more: DecodedRecord[]) => tail.extend(after as Position, more)

t.test('an empty buffer returns nothing', async (t) => {
  const tail = new TailBuffer()
  t.strictSame(positions(tail, 0), [])
  extend(tail, 5)
  t.strictSame(positions(tail, 5), [], 'nor does one that has read an empty page')
})

t.test('what was read is returned again after any position in it, as the same objects, up to a limit', async (t) => {
  const tail = new TailBuffer()
  const read = events(11, 15)
  extend(tail, 10, ...read)
  t.strictSame(positions(tail, 10), [11, 12, 13, 14, 15])
  t.strictSame(positions(tail, 12), [13, 14, 15])
  t.strictSame(positions(tail, 12, 2), [13, 14])
  t.strictSame(positions(tail, 15), [], 'its end is not the end of the log: there the log has to be asked')
  t.strictSame(positions(tail, 99), [])
  t.strictSame(positions(tail, 9), [], 'the event right after 9 is unknown')
  t.equal(tail.after(10 as Position, 1)[0], read[0], 'decoded once')
})

t.test('a log with holes: positions that no event has are passed over', async (t) => {
  const tail = new TailBuffer()
  extend(tail, 10, at(14), at(20))
  t.strictSame(positions(tail, 10), [14, 20])
  t.strictSame(positions(tail, 12), [14, 20])
  t.strictSame(positions(tail, 14), [20])
  t.strictSame(positions(tail, 17), [20])
})

t.test('pages that follow each other make one stretch; one that came before, or twice, changes nothing', async (t) => {
  const tail = new TailBuffer()
  extend(tail, 0, ...events(1, 3))
  extend(tail, 3, ...events(4, 5))
  t.strictSame(positions(tail, 0), [1, 2, 3, 4, 5])
  extend(tail, 3, ...events(4, 5))
  extend(tail, 1, ...events(2, 9))
  t.strictSame(positions(tail, 0), [1, 2, 3, 4, 5])
})

t.test('a page from farther ahead begins a new stretch, so that there is never a gap inside', async (t) => {
  const tail = new TailBuffer()
  extend(tail, 0, ...events(1, 3))
  extend(tail, 7, ...events(8, 9))
  t.strictSame(positions(tail, 0), [])
  t.strictSame(positions(tail, 3), [])
  t.strictSame(positions(tail, 7), [8, 9])
})

t.test('only the newest events are kept, and dropped ones are never skipped silently', async (t) => {
  const tail = new TailBuffer()
  for (let after = 0; after < 50_000; after += 1000) extend(tail, after, ...events(after + 1, after + 1000))
  const kept = positions(tail, 49_000)
  t.strictSame([kept.at(0), kept.at(-1)], [49_001, 50_000])
  t.strictSame(positions(tail, 0), [])
  for (let after = 0; after < 50_000; after += 500) {
    const [next] = positions(tail, after, 1)
    if (next !== undefined && next !== after + 1) t.fail(`${next} comes right after ${after}`)
  }
  t.strictSame(positions(tail, 50_000 - 1024).length, 1024, 'the newest are all there')
  t.strictSame(positions(tail, 50_000 - 2048), [])
})

t.test('a single page larger than all that is kept', async (t) => {
  const tail = new TailBuffer()
  extend(tail, 0, ...events(1, 20_000))
  t.strictSame(positions(tail, 0), [])
  t.equal(positions(tail, 20_000 - 1024).length, 1024)
})
