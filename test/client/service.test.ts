/** The client, against the running service. */
import t from 'tap'
import { ApiError, createClient, type ResponseInfo } from '../../src/client/index.js'
import { manyCreations } from '../harness/community.js'
import { liked } from '../spec/events.js'
import { runningService } from './running.js'
import { collect } from './scripted-server.js'

const { client, service, apiUrl, webUrl } = await runningService(t)

await t.test('reads come out of their envelope, and mean what REST says', async (t) => {
  const rest = async (path: string): Promise<unknown> => (await service.get(path)).json().data
  t.strictSame(
    await client.getCommunityFeed({ sort: 'liked', limit: 2, featuredOnly: false, category: undefined }),
    await rest('/public/share/community?sort=liked&limit=2'),
  )
  t.strictSame(await client.getPopularTags(), await rest('/public/share/tags'))
  t.strictSame(await client.getCommunityLanding({ locale: 'de' }), await rest('/public/share/community/landing?locale=de'))
  t.strictSame(await client.getCreatorProfile({ handle: 'Ada-L' }), await rest('/public/share/user/Ada-L'))
  t.strictSame(await client.getCreatorFollowers({ handle: 'ben', limit: 5 }), await rest('/public/share/user/ben/followers?limit=5'))
  t.strictSame(await client.getCreatorFollowing({ handle: 'ben' }), await rest('/public/share/user/ben/following'))
  t.strictSame(
    await client.getAppShare({ handle: 'ben', slug: 'Garden.Maze', locale: 'en' }),
    await rest('/public/share/app/ben/Garden.Maze?locale=en'),
  )
})

await t.test('errors have the names of the service', async (t) => {
  const unknown = await client.getCreatorProfile({ handle: 'nobody' }).catch((error: unknown) => error)
  t.ok(unknown instanceof ApiError)
  t.match(unknown, { status: 404, code: 40_400, error: 'not_found', message: 'No creator has this handle.', retryable: false })
  t.match(unknown, { requestId: /^[\w-]{10,}$/ })
  await t.rejects(client.getCommunityFeed({ limit: 49 }), {
    name: 'ApiError',
    status: 422,
    error: 'validation_failed',
    details: [{ path: 'limit' }],
  })
  await t.rejects(client.getCommunityFeed({ cursor: 'x' }), { name: 'ApiError', error: 'validation_failed' })
  await t.rejects(client.ask('x'.repeat(2001)), { name: 'ApiError', error: 'validation_failed' })
  await t.rejects(collect(client.askStream('x'.repeat(2001))), { name: 'ApiError', error: 'validation_failed' })
  await t.rejects(client.getAskJobStatus('00000000-0000-0000-0000-000000000000'), { name: 'ApiError', error: 'not_found' })
  await t.rejects(client.ask('why?', { idempotencyKey: '日' }), TypeError, 'what no header can hold')
})

await t.test('a feed is walked to its end, by items and by pages, and not further than needed', async (t) => {
  const infos: ResponseInfo[] = []
  const { client } = await runningService(t, { events: manyCreations(60) }, { onResponse: (info) => infos.push(info) })
  const items = await collect(client.items('getCommunityFeed', { sort: 'recent', limit: 24 }))
  t.equal(new Set(items.map(({ id }) => id)).size, 60)
  t.equal(infos.length, 3)
  const pages = await collect(client.pages('getCommunityFeed', { sort: 'recent', limit: 24 }))
  t.strictSame(
    pages.flatMap((page) => page.items),
    items,
  )
  for await (const { id } of client.items('getCommunityFeed', { sort: 'recent', limit: 24 })) if (id === items[23]?.id) break
  t.equal(infos.length, 7, 'the second page was not fetched')
  const [, second] = pages
  t.ok(second)
  const rest = await collect(client.items('getCommunityFeed', { sort: 'recent', limit: 24, cursor: pages[0]?.next_cursor ?? '' }))
  t.strictSame(rest, items.slice(24), 'from a cursor on')
})

await t.test('a batch answers by name, and one that fails fails alone', async (t) => {
  const { newest, who, tags } = await client.batch({
    newest: { operation: 'getCommunityFeed', arguments: { sort: 'recent', limit: 1 } },
    who: { operation: 'getCreatorProfile', arguments: { handle: 'nobody' } },
    tags: { operation: 'getPopularTags' },
  })
  t.strictSame(newest, { ok: true, data: await client.getCommunityFeed({ sort: 'recent', limit: 1 }) })
  t.strictSame(tags, { ok: true, data: await client.getPopularTags() })
  t.match(who, { ok: false, error: { name: 'ApiError', status: 404, error: 'not_found', message: 'No creator has this handle.' } })
  // A name from a program may be anything.
  const odd = await client.batch({ ['__proto__']: { operation: 'getPopularTags' }, 'a b\u2028"': { operation: 'getPopularTags' } })
  t.strictSame(Object.keys(odd), ['__proto__', 'a b\u2028"'])
})

await t.test('questions: at once, as events, and in the background', async (t) => {
  const answer = await client.ask('how much is the smallest plan?')
  t.match(answer, { answer: /20 USD/, _meta: { response_type: 'answer', locale: 'en' } })
  t.match(await client.ask({ query: 'wie teuer ist das kleinste Abo?', streaming: true, prefer: { mode: 'list' } }), {
    _meta: { locale: 'de' },
  })

  const events = await collect(client.askStream('what is trending in games?'))
  const [start, ...others] = events
  const complete = others.pop()
  t.match(start, { message_type: 'start', _meta: { locale: 'en', streaming: true } })
  t.ok(others.length > 0)
  t.strictSame(
    others.map((event) => event.message_type === 'result' && event.index),
    others.map((_, n) => n),
  )
  t.match(complete, { message_type: 'complete', answer: /./, _meta: { total_items: others.length } })

  const seen: string[] = []
  const result = await client.askJob('how much is the smallest plan?', { onStatus: ({ status }) => seen.push(status) })
  t.strictSame({ ...result, query_id: '' }, { ...answer, query_id: '' })
  t.equal(seen[0], 'queued')
  t.equal(seen.at(-1), 'completed')

  const job = await client.createAskJob('how much is the smallest plan?', { idempotencyKey: 'with "quotes" and \\' })
  t.strictSame(await client.createAskJob('how much is the smallest plan?', { idempotencyKey: 'with "quotes" and \\' }), job)
  t.match(await client.waitForAskJob(job.job_id), { answer: answer.answer })
  t.match(await client.getAskJobStatus(job.job_id), { status: 'completed' })
})

await t.test('a reader may wait for its own writes, and sees what the headers say', async (t) => {
  const infos: ResponseInfo[] = []
  const { client, service } = await runningService(t, { limit: 100 }, { onResponse: (info) => infos.push(info) })
  const before = await client.getAppShare({ handle: 'ben', slug: 'Garden.Maze' })
  const position = await service.append(service.write(liked('maze', 'cleo'), liked('maze', 'ada')))
  const after = await client.getAppShare({ handle: 'ben', slug: 'Garden.Maze' }, { minPosition: position })
  t.ok(after.stats.likes >= before.stats.likes)
  const batch = await client.batch({ tags: { operation: 'getPopularTags' } }, { minPosition: position })
  t.ok(batch.tags.ok)
  t.match(infos[1], { method: 'GET', status: 200, attempt: 1, position, language: 'en', rateLimit: { limit: 100, remaining: 98 } })
  t.match(infos[2], { method: 'POST', position, deprecation: null, sunset: null })
  t.match(await client.getStatus(), { status: 'ok', limits: { public: { requests: 100 } } })
})

await t.test('a caller over its limit is told how long to wait, waits, and gets its answer', async (t) => {
  let now = 1_000_000
  const waits: number[] = []
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms)
    now += ms
  }
  const { client } = await runningService(t, { limit: 10, now: () => now }, { wait })
  for (let n = 0; n < 11; n++) t.ok((await client.getPopularTags()).total > 0)
  t.equal(waits.length, 1)
  t.ok((waits[0] ?? 0) >= 1000 && (waits[0] ?? 0) <= 60_000, `${waits}`)
})

await t.test('more headers, and another fetch', async (t) => {
  const seen: (string | null)[] = []
  const another = createClient({
    apiUrl,
    webUrl,
    headers: { 'x-caller': 'tests' },
    fetch: (url, init) => {
      seen.push(new Headers(init.headers).get('x-caller'), new Headers(init.headers).get('x-call'))
      return fetch(url, init)
    },
  })
  await another.getPopularTags({}, { headers: { 'x-call': '1' } })
  t.strictSame(seen, ['tests', '1'])
})
