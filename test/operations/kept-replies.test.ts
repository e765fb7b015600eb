/** What outlives a request, of someone who is removed: replies by idempotency key, ask jobs, cached answers. */
import { pino } from 'pino'
import t from 'tap'
import { JobErasure } from '../../src/ask/jobs/job-erasure.js'
import { jobStream, toStreamEvent } from '../../src/ask/jobs/job-events.js'
import { JobFollower } from '../../src/ask/jobs/job-follower.js'
import { toQuestion } from '../../src/ask/request.js'
import type { AskResponse } from '../../src/ask/response.js'
import { ErasureWatch } from '../../src/operations/erasure-watch.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { eventually } from '../ports/subject.js'
import { erased, removed } from '../spec/events.js'
import { MemoryEventStore } from '../support/memory-event-store.js'

const poster =
  ({ web }: Service) =>
  (url: string, payload: object, key: string) =>
    web.inject({ method: 'POST', url, payload, headers: { 'idempotency-key': key } })

const ADA = /Ada L|Ada-L|ada-l/

const profile = (handle: string) => ({ requests: [{ id: 'a', operation: 'get_creator_profile', arguments: { handle } }] })
const REQUESTS: readonly (readonly [url: string, payload: object])[] = [
  ['/batch', profile('ada-l')],
  ['/batch', { requests: [{ id: 'a', operation: 'get_app_share', arguments: { handle: 'ben', slug: 'Garden.Maze' } }] }],
  ['/ask', { query: 'who made the tide clock?' }],
  ['/ask', { query: 'newest widgets', prefer: { streaming: true } }],
]

await t.test('a reply is not repeated after someone was removed', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const post = poster(service)
  for (const [i, [url, payload]] of REQUESTS.entries()) {
    const first = await post(url, payload, `k${i}`)
    t.match(first.body, ADA, `${url} shows Ada`)
    t.equal((await post(url, payload, `k${i}`)).body, first.body)
  }
  t.notMatch((await post('/batch', profile('cleo'), 'others')).body, ADA)
  await service.tell(erased('ada'))
  for (const [i, [url, payload]] of REQUESTS.entries()) {
    const again = await post(url, payload, `k${i}`)
    t.notMatch(again.body, ADA, `${url} no longer`)
    t.equal(again.headers['idempotency-replayed'], undefined, 'it is answered anew')
  }
  for (const replayed of [undefined, 'true']) {
    const others = await post('/batch', profile('cleo'), 'others')
    t.equal(others.headers['idempotency-replayed'], replayed, 'nor are replies without them, but from then on they are')
  }
})

await t.test('nor after a creation in it was removed', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const post = poster(service)
  const share = { requests: [{ id: 'a', operation: 'get_app_share', arguments: { handle: 'cleo', slug: 'winter-maze' } }] }
  t.match((await post('/batch', share, 'k')).body, /Garden maze/, 'a remix shows its original')
  await service.tell(removed('maze'))
  t.notMatch((await post('/batch', share, 'k')).body, /Garden maze/)
  const answered = await post('/batch', share, 'later')
  const repeated = await post('/batch', share, 'later')
  t.strictSame([repeated.body, repeated.headers['idempotency-replayed']], [answered.body, 'true'], 'without its words it is kept')
  const job = (await post('/ask/jobs', { query: 'who made the winter maze?' }, 'job')).json().job_id as string
  const found = () => service.web.inject(`/ask/jobs/${job}`)
  await eventually(async () => !['queued', 'running'].includes((await found()).json().status))
  t.match((await found()).body, /Winter maze/)
})

await t.test('a job about someone who was removed is gone, and its key starts a new one', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const post = poster(service)
  const finished = async (id: string) => {
    const response = await service.web.inject(`/ask/jobs/${id}`)
    return response.json().status === 'completed' && response
  }
  const ask = async (query: string, key: string) => (await post('/ask/jobs', { query }, key)).json().job_id as string
  const hers = await ask('who made the tide clock?', 'hers')
  const others = await ask('how much does it cost?', 'others')
  t.match((await eventually(() => finished(hers))).body, ADA)
  await eventually(() => finished(others))
  await service.tell(erased('ada'))
  t.equal((await service.web.inject(`/ask/jobs/${hers}`)).statusCode, 404)
  const again = await post('/ask/jobs', { query: 'who made the tide clock?' }, 'hers')
  t.strictSame([again.statusCode, again.headers['idempotency-replayed']], [202, undefined])
  t.not(again.json().job_id, hers)
  t.notMatch((await eventually(() => finished(again.json().job_id))).body, ADA)
  t.equal(await ask('how much does it cost?', 'others'), others, 'others stay')
})

await t.test('cached answers with their words leave the memory without another request', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  for (const url of ['/public/share/user/ada-l', '/public/share/community', '/public/share/user/cleo']) await service.get(url)
  t.equal(service.answers.stats.answers, 3)
  await service.tell(erased('ada'))
  await eventually(async () => service.answers.stats.answers <= 1)
})

const logger = pino({ level: 'silent' })
const QUIET = { onRemoval: () => () => {} }
const HERS = new Set(['ada'])
const removedAmong = (ids: Iterable<string>) => new Set([...ids].filter((id) => HERS.has(id)))

async function jobAnswered(store: MemoryEventStore, id: string, subjects: string[]): Promise<void> {
  const result = { answer: 'about Ada' } as AskResponse
  const question = toQuestion({ query: 'about Ada' })
  const events = [
    { type: 'requested', data: { question } } as const,
    { type: 'started', data: { attempt: 1, worker: 'w', leaseMs: 1000 } } as const,
    { type: 'completed', data: { attempt: 1, result, subjects } } as const,
  ]
  await store.append(jobStream(id), events.map(toStreamEvent), 'no stream')
}

await t.test('a process that was away when someone was removed erases their jobs at its start, and late answers too', async (t) => {
  const store = new MemoryEventStore()
  await jobAnswered(store, 'before', ['ada', 'tides'])
  await jobAnswered(store, 'others', ['ben'])
  const jobs = new JobFollower(store, logger)
  t.teardown(() => jobs.stop())
  const tombstones = { among: async (ids: Iterable<string>) => removedAmong(ids) }
  const erasure = new JobErasure(store, tombstones, () => t.fail('nothing to try again'))
  t.teardown(() => erasure.stop())
  jobs.onEvent((event) => erasure.apply(event))
  jobs.start()
  await eventually(async () => (await store.read(jobStream('before'))).length === 0)
  await jobAnswered(store, 'late', ['ada'])
  await eventually(async () => (await store.read(jobStream('late'))).length === 0)
  t.equal((await store.read(jobStream('others'))).length, 3)
})

await t.test('what cannot be looked up now is looked up again', async (t) => {
  let failures = 2
  const purged: string[] = []
  const tombstones = {
    async among(ids: Iterable<string>) {
      if (failures-- > 0) throw new Error('away')
      return removedAmong(ids)
    },
  }
  const watch = new ErasureWatch(tombstones, logger)
  t.teardown(() => watch.stop())
  watch.add({ subjects: () => ['ada', 'ben'], purge: (removed) => void purged.push(...removed) })
  watch.start(QUIET)
  await eventually(async () => purged.length > 0)
  t.strictSame(purged, ['ada'])
})
