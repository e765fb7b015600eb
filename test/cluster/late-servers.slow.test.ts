/** A process that starts before its servers do. */
import t, { type Test } from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { eventually } from '../ports/subject.js'
import { Script } from '../spec/script.js'
import { Cluster } from './cluster.js'

await t.test('processes that start while the servers are away listen, say so, and recover', async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  const [mongod] = cluster.mongo.members
  await cluster.log.append(new Script().write(...COMMUNITY))
  await mongod?.process.kill()
  await cluster.nats.process.kill()

  const serving = await cluster.serve(t, 'query,project,ask', '--rate-limit-agent', 'off')
  await eventually(() => {
    if (!serving.isRunning) throw new Error(`serve has ended: ${serving.stderr}`)
    return fetch(`http://127.0.0.1:${serving.admin}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  await away(t, `http://127.0.0.1:${serving.api}/public/share/tags`)
  await away(t, `http://127.0.0.1:${serving.web}/ask/jobs`, { method: 'POST' })

  await cluster.nats.process.start()
  await eventually(async () => (await fetch(`http://127.0.0.1:${serving.web}/ask/jobs`, { method: 'POST' })).status === 202)
  await away(t, `http://127.0.0.1:${serving.api}/public/share/tags`)
  await mongod?.process.start()
  await serving.ready()
  // A machine with much to do may take longer over the first read than a reader is kept waiting.
  await eventually(async () => (await fetch(`http://127.0.0.1:${serving.api}/public/share/tags`)).status === 200)
  t.equal(await serving.end('SIGTERM'), 0)
})

async function away(t: Test, url: string, request: RequestInit = {}): Promise<void> {
  const response = await fetch(url, request)
  t.equal(response.status, 503, url)
  t.ok(response.headers.get('retry-after'))
  t.match(await response.json(), { error: 'upstream_unavailable', retryable: true })
}
