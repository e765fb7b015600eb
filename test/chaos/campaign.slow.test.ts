/** A short campaign on SQLite: processes killed, frozen, started with a wrong clock, left without disk. `npm run chaos` has the long ones. */
import t from 'tap'
import { campaign } from './campaign.js'

t.test('nothing is lost', async (t) => {
  const { faults, inFlight, events, jobs } = await campaign({ on: 'sqlite', seed: 1, faults: 12, told: (line) => t.comment(line) })
  t.equal(
    Object.values(faults).reduce((sum, count) => sum + count, 0),
    12,
  )
  t.equal(inFlight, 12, `with work in flight, ${events} events`)
  t.comment(jobs)
})
