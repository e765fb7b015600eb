/** Turns of the event loop that work leaves to connections. */
import t from 'tap'
import { AcceptTurns } from '../../../src/lib/accept-turns.js'
import { LoopTurns } from '../../../src/lib/loop-turns.js'

t.test('requests leave some turns to connections that bring others; reads do not', async (t) => {
  const accepting = new AcceptTurns()
  const [reads, requests] = [accepting.forReads(), accepting.forRequests()]
  t.strictSame([reads(), requests()], [false, false], 'nothing arrives')
  accepting.noteAccepted()
  t.strictSame([reads(), requests(), requests()], [false, true, false])
  let left = 0
  for (let i = 0; i < 1000; i += 1) {
    accepting.noteAccepted()
    if (!requests()) break
    left += 1
  }
  t.equal(left, 32)
})

t.test('both leave turns to connections that are refused, for some milliseconds', async (t) => {
  const accepting = new AcceptTurns()
  for (const isLeft of [accepting.forReads(), accepting.forRequests()]) {
    const began = performance.now()
    do accepting.noteRefused()
    while (isLeft())
    t.ok(performance.now() - began >= 5)
    accepting.noteRefused()
    t.ok(isLeft(), 'and again after the next piece of work')
  }
})

t.test('reads of a turn that is left to connections begin in a later one', async (t) => {
  let left = 3
  const turns = new LoopTurns(() => left-- > 0)
  await turns.take('a')
  for (const until = performance.now() + 6; performance.now() < until; );
  let passed = 0
  const counting = setInterval(() => {}, 1000)
  const count = () => {
    passed += 1
    if (passed < 100) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all([turns.take('a'), turns.take('b')])
  clearInterval(counting)
  t.ok(passed >= 3, `${passed} turns`)
  passed = 100
})
