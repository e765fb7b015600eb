/** The rate of a rebuild is measured by a monotonic clock. */
import t from 'tap'
import { Throttle } from '../../../src/engine/generations/build-generation.js'

t.test('a wall clock that is put back does not stop a slow rebuild', async (t) => {
  const pace = new Throttle(1000)
  const now = Date.now
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => now() - 3_600_000
  const timeout = AbortSignal.timeout(20_000)
  await pace.wait(10, timeout)
  t.notOk(timeout.aborted, 'it continues at once')
})
