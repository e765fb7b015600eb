/** A long fan-out on NATS and MongoDB, which is no fault. */
import t from 'tap'
import { trialsOnServers } from './faulty-cluster.js'

await t.test('no surface ever calls a long fan-out a fault', async (t) => {
  const installation = await trialsOnServers(t)
  if (installation === null) return
  const { trials } = installation
  await trials.start(20_000)
  await trials.tryFanOut()
  t.strictSame(await trials.end(), ['long fan-out'])
})
