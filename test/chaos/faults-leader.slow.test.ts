/** The faults of the table in docs/operating.md that the leader can have, on NATS and MongoDB. */
import t from 'tap'
import { trialsOnServers } from './faulty-cluster.js'

await t.test('every fault of a leader shows on every surface, and passes', async (t) => {
  const installation = await trialsOnServers(t)
  if (installation === null) return
  const { trials } = installation
  await trials.start(10)
  await trials.tryLeader()
  t.strictSame(await trials.end(), ['leader stopped (SIGSTOP)', 'no projector', 'thread crashed', 'thread cannot start'])
})
