/** The whole way, as processes: published on NATS, projected into MongoDB by one, answered by another; and every command on those servers. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { AsyncAskJob, AsyncAskJobStatus } from '../../src/ask/jobs/shapes.js'
import { CommunityFeedPage } from '../../src/operations/shapes.js'
import { eventually } from '../contracts/subject.js'
import { dataOf } from '../serving/answers.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { Serving, vitrine } from '../serving/program.js'
import { request } from '../serving/sockets.js'
import { liked, published } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { Cluster } from './cluster.js'

t.setTimeout(300_000)

await t.test('from an event on NATS to an answer over HTTP, with a process for every role', async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  const projector = await cluster.serve(t, 'project')
  const query = await cluster.serve(t, 'query', '--rate-limit-agent', 'off')
  const worker = await cluster.serve(t, 'ask')

  t.match(await cluster.run('seed', '--creators', '5', '--creations', '20', '--seed', '4', '--json'), { code: 0, stdout: /"appended":/ })
  const before = (await cluster.log.bounds()).last
  const script = new Script()
  const events = script.write(...COMMUNITY, published('new-one', { by: 'ben' })).map(({ payload }) => payload)
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
  t.match(await cluster.run('verify', 'all'), { code: 0 })

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
  for (const process of [query, projector, worker]) t.equal(await process.end('SIGTERM'), 0)
})

await t.test('a copy of the log and three variables: the same answers', async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  const folder = await DataFolder.open(t)
  const demo = ['--creators', '30', '--creations', '150', '--seed', '7']
  t.match(await vitrine(['seed', ...demo, '--data-dir', folder.path]), { code: 0 })
  await folder.append(new Script().write(...COMMUNITY, liked('maze', 'ann')))
  const embedded = await Serving.start(t, folder.path)
  const paths = await pathsOf(embedded)
  const expected = await answersOf(embedded, paths)
  t.equal(await embedded.end('SIGTERM'), 0)

  t.match(await vitrine(['copy', '--to', cluster.nats.url, '--data-dir', folder.path]), { code: 0 })
  const served = await cluster.serve(t, 'query,project,ask')
  const found = await answersOf(served, paths)
  for (const [path, answer] of expected) t.strictSame(found.get(path), answer, path)
  t.equal(await served.end('SIGTERM'), 0)
})

/** Every public read, and every page of the feed in every order. */
async function pathsOf(serving: Serving): Promise<string[]> {
  await serving.ready()
  const paths = ['/public/share/tags', '/public/share/community/landing', '/public/share/community/landing?locale=es']
  for (const query of ['', 'sort=recent', 'sort=popular', 'sort=remixed', 'sort=liked', 'featuredOnly=true', 'q=garden', 'tag=fun']) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = `/public/share/community?limit=48&${query}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
      paths.push(path)
      const { items, next_cursor } = dataOf(CommunityFeedPage, await request(serving.api, path))
      cursor = next_cursor
      for (const { creator, slug } of query === '' ? items.slice(0, 10) : []) {
        paths.push(`/public/share/app/${creator.handle}/${slug}`)
        for (const more of ['', '/followers', '/following']) paths.push(`/public/share/user/${creator.handle}${more}`)
      }
    }
  }
  return [...new Set(paths)]
}

async function answersOf(serving: Serving, paths: readonly string[]): Promise<Map<string, unknown>> {
  await serving.ready()
  const answers = new Map<string, unknown>()
  for (const path of paths) {
    const response = await fetch(`http://127.0.0.1:${serving.api}${path}`)
    answers.set(path, [response.status, response.headers.get('service-position'), await response.text()])
  }
  return answers
}

await t.test('processes that start while the servers are away listen, say so, and recover', async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  const [mongod] = cluster.mongo.members
  await cluster.log.append(new Script().write(...COMMUNITY))
  await mongod?.process.kill()
  await cluster.nats.process.kill()

  const serving = await cluster.serve(t, 'query,project,ask', '--rate-limit-agent', 'off')
  await eventually(() =>
    fetch(`http://127.0.0.1:${serving.admin}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
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
