/** A very short campaign on NATS and three mongods. `npm run chaos -- --on cluster` has the long ones. */
import t from 'tap'
import { campaign } from './campaign.js'
import { NoServersError } from './cluster-environment.js'

t.test('nothing is lost', async (t) => {
  try {
    const { inFlight, events, jobs } = await campaign({ on: 'cluster', seed: 1, faults: 6, told: (line) => t.comment(line) })
    t.equal(inFlight, 6, `with work in flight, ${events} events`)
    t.comment(jobs)
  } catch (error) {
    if (!(error instanceof NoServersError)) throw error
    t.pass('nothing is lost', { skip: error.message })
  }
})
