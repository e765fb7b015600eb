import t from 'tap'
import { HashedSet } from '../../src/lib/hashed-set.js'

t.test('knows what was added, however much it grows', async (t) => {
  const set = new HashedSet()
  const wrong = (from: number, to: number, known: boolean) => {
    let count = 0
    for (let i = from; i < to; i++) if (set.has(`id ${i} é`) !== known) count += 1
    return count
  }
  t.equal(wrong(0, 100, false), 0)
  for (let i = 0; i < 50_000; i++) for (const again of [i, i % 7]) set.add(`id ${again} é`)
  t.equal(wrong(0, 50_000, true), 0)
  t.equal(wrong(50_000, 100_000, false), 0)
  t.notOk(set.has(''))
  set.add('')
  t.ok(set.has(''))
})
