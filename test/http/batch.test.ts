import { pino } from 'pino'
import t from 'tap'
import { validateOperations } from '../../src/contract/operation.js'
import { createHost } from '../../src/http/host.js'
import { serveBatch } from '../../src/http/web/batch.js'
import { BatchRequest, BatchResponse } from '../../src/operations/batch.js'
import { refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { Service, WEB_URL } from '../harness/service.js'
import { published, registered } from '../spec/events.js'
import { publicReads } from '../support/built-in-models.js'

type Item = { id?: unknown; operation?: unknown; arguments?: unknown }

const tags = (id: string): Item => ({ id, operation: 'get_popular_tags', arguments: {} })

const poster =
  ({ web }: Service) =>
  (payload: unknown, headers: Record<string, string> = {}) =>
    web.inject({
      method: 'POST',
      url: '/batch',
      remoteAddress: '192.0.2.1',
      headers: { 'content-type': 'application/json', ...headers },
      ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    })

await t.test('a batch', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const post = poster(service)

  await t.test('answers every operation as it answers on its own, in the order asked', async (t) => {
    const requests = [
      { id: 'feed', operation: 'get_community_feed', arguments: { sort: 'liked', limit: 2, locale: 'de' } },
      tags('tags'),
      { id: 'landing', operation: 'get_community_landing' },
      { id: 'profile', operation: 'get_creator_profile', arguments: { handle: 'ben' } },
      { id: 'followers', operation: 'get_creator_followers', arguments: { handle: 'ben', limit: 1 } },
      { id: 'following', operation: 'get_creator_following', arguments: { handle: 'ben' } },
      { id: 'share', operation: 'get_app_share', arguments: { handle: 'ben', slug: 'Garden.Maze' } },
    ]
    const alone = [
      '/public/share/community?sort=liked&limit=2&locale=de',
      '/public/share/tags',
      '/public/share/community/landing',
      '/public/share/user/ben',
      '/public/share/user/ben/followers?limit=1',
      '/public/share/user/ben/following',
      '/public/share/app/ben/Garden.Maze',
    ]
    const response = await post({ requests })
    t.equal(response.statusCode, 200)
    const { responses } = BatchResponse.strict().parse(response.json())
    t.strictSame(
      responses.map(({ id }) => id),
      requests.map(({ id }) => id),
    )
    for (const [i, url] of alone.entries()) {
      const single = await service.get(url)
      const { id: _, ...answer } = responses[i] ?? { id: '' }
      t.strictSame(answer, { status: 200, ...single.json() }, url)
      t.equal(response.headers['service-position'], single.headers['service-position'])
    }
    t.equal(response.headers['cache-control'], 'no-store')
  })

  await t.test('one with unknown arguments is refused, as the tools of MCP refuse them', async (t) => {
    const requests = [
      { id: 'a', operation: 'get_community_feed', arguments: { query: 'maze' } },
      { id: 'b', operation: 'get_popular_tags', arguments: { limit: 3, ['x'.repeat(50)]: 1 } },
      { id: 'c', operation: 'get_creator_profile', arguments: { handle: 'ben', __proto: 1 } },
      { id: 'd', operation: 'get_community_feed', arguments: { q: 'maze' } },
    ]
    const { responses } = (await post({ requests })).json()
    t.match(responses, [
      { id: 'a', status: 422, code: 42_200, message: /^Unknown argument "query": this operation takes only locale, sort, / },
      { id: 'b', status: 422, message: /^Unknown argument "limit", "x{40}…": this operation takes no arguments/ },
      { id: 'c', status: 422 },
      { id: 'd', status: 200, code: 0 },
    ])
    const { operations } = (await service.web.inject('/batch')).json()
    for (const { name, arguments: schema } of operations) t.equal(schema.additionalProperties, false, `${name} says so`)
    t.equal((await service.get('/public/share/tags?utm_source=x')).statusCode, 200, 'an address may have parameters that are not ours')
  })

  await t.test('of nothing but wrong ones is a short answer', async (t) => {
    const wrong = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${i}${'x'.repeat(100)}`, 'x']))
    const requests = Array.from({ length: 10 }, (_, i) => ({ id: String(i), operation: 'get_community_feed', arguments: wrong }))
    t.ok((await post({ requests })).body.length <= 4096)
  })

  await t.test('one that fails fails alone', async (t) => {
    const { responses } = (
      await post({
        requests: [
          tags('a'),
          { id: 'b', operation: 'get_creator_profile', arguments: { handle: 'nobody' } },
          { id: 'c', operation: 'get_community_feed', arguments: { limit: '5' } },
          { id: 'd', operation: 'get_creator_profile', arguments: {} },
          { id: 'e', operation: 'get_community_feed', arguments: { cursor: 'x' } },
          tags('f'),
        ],
      })
    ).json()
    t.match(responses, [
      { id: 'a', status: 200, code: 0, data: { total: Number } },
      { id: 'b', status: 404, code: 40400, message: 'No creator has this handle.' },
      { id: 'c', status: 422, code: 42200, message: /limit/ },
      { id: 'd', status: 422, code: 42200, message: /handle/ },
      { id: 'e', status: 422, code: 42200, message: /cursor/ },
      { id: 'f', status: 200, code: 0 },
    ])
    for (const response of responses) t.equal('data' in response, response.code === 0)
  })

  await t.test('that is none is a 400 that says why', async (t) => {
    const table: [what: string, body: unknown, path: string | RegExp][] = [
      ['nothing', undefined, 'body'],
      ['null', null, 'body'],
      ['a list', [tags('a')], 'body'],
      ['text', '"x"', 'body'],
      ['no requests', {}, 'requests'],
      ['requests that are no list', { requests: { 0: tags('a') } }, 'requests'],
      ['none', { requests: [] }, 'requests'],
      ['more than ten', { requests: Array.from({ length: 11 }, (_, i) => tags(String(i))) }, 'requests'],
      ['no id', { requests: [{ operation: 'get_popular_tags' }] }, 'requests.0.id'],
      ['a number for an id', { requests: [{ ...tags('a'), id: 1 }] }, 'requests.0.id'],
      ['an empty id', { requests: [tags('')] }, 'requests.0.id'],
      ['a huge id', { requests: [tags('x'.repeat(201))] }, 'requests.0.id'],
      ['an id twice', { requests: [tags('a'), tags('b'), tags('a')] }, 'requests.2.id'],
      ['an unknown operation', { requests: [tags('a'), { id: 'b', operation: 'delete_everything' }] }, 'requests.1.operation'],
      ['a name every object has', { requests: [{ id: 'a', operation: 'constructor' }] }, 'requests.0.operation'],
      ['no operation', { requests: [{ id: 'a' }] }, 'requests.0.operation'],
      ['arguments that are none', { requests: [{ ...tags('a'), arguments: [] }] }, 'requests.0.arguments'],
      ['an item that is none', { requests: [null] }, 'requests.0'],
    ]
    for (const [what, body, path] of table) {
      const { details, message } = refused(t, await post(body), 400, 'invalid_request', what)
      t.equal(details?.[0]?.path, path, `${what}: says where`)
      t.match(message, details?.[0]?.message ?? 'a message', what)
    }
    refused(t, await post('{'), 400, 'invalid_request', 'unreadable')
    refused(t, await post('requests=1', { 'content-type': 'application/x-www-form-urlencoded' }), 415, 'invalid_request')
    refused(t, await post({ requests: [tags('x'.repeat(70_000))] }), 413, 'invalid_request')
    t.equal((await post({ requests: Array.from({ length: 10 }, (_, i) => tags(String(i))) })).statusCode, 200, 'ten are not too many')
  })

  await t.test('with a key is answered once', async (t) => {
    const first = await post({ requests: [tags('a')] }, { 'idempotency-key': 'k' })
    const again = await post({ requests: [tags('a')] }, { 'idempotency-key': 'k' })
    t.strictSame([again.headers['idempotency-replayed'], again.body], ['true', first.body])
    t.equal(again.headers['service-position'], first.headers['service-position'])
    refused(t, await post({ requests: [tags('b')] }, { 'idempotency-key': 'k' }), 422, 'validation_failed')
  })

  await t.test('is described where it is', async (t) => {
    const description = (await service.web.inject('/batch')).json()
    t.match(description, { endpoint: `${WEB_URL}/batch`, method: 'POST', max_requests: 10 })
    t.strictSame(
      description.operations.map(({ name }: { name: string }) => name),
      publicReads.map(({ name }) => name),
    )
    const examples = description.operations.map(({ example }: { example: Item }, i: number) => ({ ...example, id: String(i) }))
    t.equal((await post(BatchRequest.parse({ requests: examples }))).statusCode, 200, 'and its examples work')
    t.equal((await service.web.inject({ method: 'HEAD', url: '/batch' })).statusCode, 200)
    refused(t, await service.web.inject({ method: 'PUT', url: '/batch' }), 405, 'invalid_request')
  })
})

await t.test('a batch waits for a position as single reads do', async (t) => {
  const service = await Service.start(t, { events: [registered('ada')], waitMs: 20_000 })
  const post = poster(service)
  const waiting = post({ requests: [{ id: 'a', operation: 'get_community_feed' }, tags('b')] }, { 'service-min-position': '2' }).then(
    (r) => r,
  )
  await service.append(service.write(published('c1', { by: 'ada' })))
  const response = await waiting
  t.match(response.json().responses, [{ status: 200, data: { total: 1 } }, { status: 200 }])
  t.equal(response.headers['service-position'], '2')
  refused(t, await post({ requests: [tags('a')] }, { 'service-min-position': 'soon' }), 400, 'invalid_request')

  const hasty = await Service.start(t, { events: [registered('ada')], waitMs: 20 })
  const late = await poster(hasty)({ requests: [tags('a')] }, { 'service-min-position': '99' })
  t.strictSame([late.statusCode, late.json().responses[0].status], [200, 504])
})

await t.test('models that are still loading fail the items, not the batch', async (t) => {
  const service = await Service.start(t, { projecting: false })
  const response = await poster(service)({ requests: [tags('a')] })
  t.strictSame([response.statusCode, response.json().responses[0].status, response.headers['service-position']], [200, 503, undefined])
})

await t.test('a batch of n counts as n public reads', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, limit: 10, agentLimit: 1 })
  const post = poster(service)
  const left = async (payload: unknown) => (await post(payload)).headers['ratelimit-remaining']
  t.match((await post({ requests: [tags('a'), tags('b'), tags('c')] })).headers, {
    'ratelimit-policy': '"public";q=10;w=60',
    'ratelimit-remaining': '7',
  })
  t.equal(await left('{'), '6', 'one that is none counts as one')
  t.equal(await left({ requests: Array.from({ length: 11 }, (_, i) => tags(String(i))) }), '5')
  t.equal(await left({ requests: [tags('a'), tags('a')] }), '4')
  refused(t, await post({ requests: ['a', 'b', 'c', 'd', 'e'].map(tags) }), 429, 'rate_limited')
  t.equal(await left({ requests: ['a', 'b', 'c'].map(tags) }), '0', 'one that is refused costs no more than its head')
  t.match((await service.web.inject({ url: '/batch', remoteAddress: '192.0.2.1' })).headers['ratelimit-policy'], /^"agent"/)
})

await t.test('a batch that is refused before it is read is told the wait for a full one, and is free when it is wrong', async (t) => {
  const clock = { now: 1_700_000_000_000 }
  const service = await Service.start(t, { events: COMMUNITY, limit: 120, now: () => clock.now })
  const send = (requests: readonly unknown[]) => service.web.inject({ method: 'POST', url: '/batch', payload: { requests } })
  const full = Array.from({ length: 10 }, (_, i) => ({ id: String(i), operation: 'get_popular_tags' }))
  t.equal((await send([1, 2, 3, 4, 5])).headers['ratelimit-remaining'], '119', 'one that is no batch costs its head')
  for (let i = 0; i < 11; i++) t.equal((await send(full)).statusCode, 200)
  for (let i = 0; i < 9; i++) await send([1])
  const refusal = await send(full)
  t.equal(refusal.statusCode, 429)
  clock.now += Number(refusal.headers['retry-after']) * 1000
  t.equal((await send(full)).statusCode, 200, 'waiting as told is enough')
})

await t.test('a batch with a deprecated operation says so', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const since = new Date('2026-06-01T00:00:00Z')
  const ends: Record<string, Date> = {
    get_popular_tags: new Date('2026-12-01T00:00:00Z'),
    get_community_landing: new Date('2026-10-01T00:00:00Z'),
  }
  const registry = validateOperations(
    publicReads.map((operation) => {
      const sunset = ends[operation.name]
      return sunset === undefined
        ? operation
        : { ...operation, deprecated: { since, sunset, link: `https://web.example/${operation.name}` } }
    }),
  )
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false })
  serveBatch(host, registry, service.answers, WEB_URL)
  t.teardown(() => host.close())
  const send = (...names: string[]) =>
    host.inject({ method: 'POST', url: '/batch', payload: { requests: names.map((operation, i) => ({ id: String(i), operation })) } })
  t.match((await send('get_popular_tags', 'get_community_landing')).headers, {
    deprecation: '@1780272000',
    sunset: 'Thu, 01 Oct 2026 00:00:00 GMT',
    link: '<https://web.example/get_popular_tags>; rel="deprecation", <https://web.example/get_community_landing>; rel="deprecation"',
  })
  t.equal((await send('get_community_feed')).headers.deprecation, undefined)
  t.match(JSON.stringify((await host.inject('/batch')).json()), /"sunset":"2026-12-01/)
})

await t.test('a repeated batch honours the position it asks for', async (t) => {
  const service = await Service.start(t, { events: [registered('ada')], waitMs: 20 })
  const post = poster(service)
  const keyed = (position?: string) =>
    post({ requests: [tags('a')] }, { 'idempotency-key': 'k', ...(position === undefined ? {} : { 'service-min-position': position }) })
  const first = await keyed()
  t.equal((await keyed('1')).headers['idempotency-replayed'], 'true', 'a position that the reply reflects')
  const late = await keyed('2')
  t.match(late.json().responses, [{ status: 504 }], 'one that is not reached, as without a key')
  t.equal(late.headers['idempotency-replayed'], undefined)
  refused(t, await keyed('soon'), 400, 'invalid_request')
  t.strictSame([(await keyed()).body, (await keyed()).headers['idempotency-replayed']], [first.body, 'true'], 'the failure is not kept')
  await service.append(service.write(published('c1', { by: 'ada' })))
  const newer = await keyed('2')
  t.strictSame([newer.headers['service-position'], newer.headers['idempotency-replayed']], ['2', undefined], 'then it is answered anew')
  t.equal((await keyed('2')).headers['idempotency-replayed'], 'true')
  const absent = { requests: [{ id: 'a', operation: 'get_creator_profile', arguments: { handle: 'nobody' } }] }
  await post(absent, { 'idempotency-key': 'n' })
  const again = await post(absent, { 'idempotency-key': 'n', 'service-min-position': '99' })
  t.match(again.json().responses, [{ status: 504 }], 'also where no part has a position')
})
