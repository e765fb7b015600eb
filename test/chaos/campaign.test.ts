/** A short campaign: processes of an installation on SQLite killed, frozen, started with a wrong clock and left without disk. */
import t from 'tap'
import { anySeed } from '../simulation/processes.js'
import { campaign } from './campaign.js'

t.setTimeout(240_000)

const seed = anySeed()
t.test(`seed ${seed}: nothing is lost`, { timeout: 0 }, async (t) => {
  const { faults, inFlight, events, jobs } = await campaign(seed, 8, (line) => t.comment(line))
  t.equal(
    Object.values(faults).reduce((sum, count) => sum + count, 0),
    8,
  )
  t.ok(inFlight > 0, `${inFlight} of them with work in flight, ${events} events, ${jobs} questions`)
})
