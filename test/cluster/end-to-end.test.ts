/** The whole way, as processes: published on NATS, projected into MongoDB by two, of which one dies, and answered by another. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { AsyncAskJob, AsyncAskJobStatus } from '../../src/ask/response.js'
import { COMMUNITY } from '../harness/community.js'
import { eventually } from '../ports/subject.js'
import { liked, published } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { Cluster } from './cluster.js'

await t.test('from an event on NATS to an answer over HTTP, with a process for every role', async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  const projector = await cluster.serve(t, 'project')
  const standby = await cluster.serve(t, 'project')
  const query = await cluster.serve(t, 'query', '--rate-limit-agent', 'off')
  const worker = await cluster.serve(t, 'ask')

  t.match(await cluster.run('seed', '--creators', '5', '--creations', '20', '--seed', '4', '--json'), { code: 0, stdout: /"appended":/ })
  const before = (await cluster.log.bounds()).last
  const script = new Script()
  // The demo has defined the categories: once more with the same sequence would be a conflict, which doctor reports.
  const community = COMMUNITY.filter(({ subject }) => !subject.startsWith('category/'))
  const events = script.write(...community, published('new-one', { by: 'ben' })).map(({ payload }) => payload)
  const file = join(cluster.folder, 'events.ndjson')
  await writeFile(file, `${events.join('\n')}\n`)
  t.match(await cluster.run('publish', file), { code: 0 })
  const { last } = await cluster.log.bounds()
  t.equal(last, before + events.length)
  t.match(await cluster.run('publish', file), { code: 0 }, 'again')
  t.equal((await cluster.log.bounds()).last, last, 'does not publish twice')

  await query.ready()
  const answer = await eventually(async () => {
    const response = await fetch(`http://127.0.0.1:${query.api}/public/share/user/ben`, {
      headers: { 'service-min-position': String(last) },
    })
    return response.status === 200 && response
  })
  t.equal(answer.headers.get('service-position'), String(last))
  t.match(await answer.json(), { code: 0, data: { handle: 'ben', stats: { apps: Number } } })

  const status = await cluster.run('status', '--json')
  t.equal(status.code, 0)
  t.ok(JSON.parse(status.stdout).projections.every(({ state, lag }: { state: string; lag: number }) => state === 'live' && lag === 0))
  t.match(await cluster.run('doctor'), { code: 0, stdout: /^ok {3}NATS: /m })
  t.match(await cluster.run('rebuild', 'tags'), { code: 0 })

  await cluster.shared([projector, standby], [2, 3])
  await projector.end('SIGKILL')
  await cluster.log.append(script.write(liked('maze', 'dora')))
  await cluster.caughtUp()
  await cluster.shared([standby], [5])
  t.match(await cluster.run('verify', 'all'), { code: 0, stderr: '' })

  const asked = await fetch(`http://127.0.0.1:${query.web}/ask/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'what does it cost?' }),
  })
  t.equal(asked.status, 202)
  const { job_id } = AsyncAskJob.parse(await asked.json())
  const job = await eventually(async () => {
    const found = AsyncAskJobStatus.parse(await (await fetch(`http://127.0.0.1:${query.web}/ask/jobs/${job_id}`)).json())
    return found.status === 'completed' && found
  })
  t.ok(job.result, 'a job that JetStream keeps is answered by a worker in another process')
  for (const process of [query, standby, worker]) t.equal(await process.end('SIGTERM'), 0)
})
