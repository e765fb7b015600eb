import { pino } from 'pino'
import t from 'tap'
import { type AgentOperation, agentOperations } from '../../src/contract/agent-operations.js'
import { notFound } from '../../src/contract/errors.js'
import { checkDeprecationNotice, validateOperations } from '../../src/contract/operation.js'
import { servePublicReads } from '../../src/http/api/public-reads.js'
import { createHost } from '../../src/http/host.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { publicReads } from '../support/built-in-models.js'

await t.test('a deprecated operation says so, since when, until when and where to read about it', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const deprecated = {
    since: new Date('2026-06-01T00:00:00Z'),
    sunset: new Date('2026-09-01T12:30:00Z'),
    link: 'https://web.example/changelog#tags',
  }
  const registry = validateOperations(
    publicReads.map((operation) => (operation.name === 'get_popular_tags' ? { ...operation, deprecated } : operation)),
  )
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false })
  t.teardown(() => host.close())
  servePublicReads(host, registry, service.answers)

  const { headers } = await host.inject('/public/share/tags')
  t.match(headers, {
    deprecation: '@1780272000',
    sunset: 'Tue, 01 Sep 2026 12:30:00 GMT',
    link: '<https://web.example/changelog#tags>; rel="deprecation"',
    'access-control-expose-headers': /Deprecation, Sunset, Link/,
  })
  const unchanged = await host.inject({ url: '/public/share/tags', headers: { 'if-none-match': String(headers.etag) } })
  t.match([unchanged.statusCode, unchanged.headers], [304, { deprecation: '@1780272000' }])
  const other = await host.inject('/public/share/community')
  t.notOk(other.headers.deprecation ?? other.headers.sunset ?? other.headers.link, 'the others do not')
})

await t.test('so does a deprecated operation for agents, when it succeeds', async (t) => {
  const since = new Date('2026-06-01T00:00:00Z')
  const ending = (days: number): AgentOperation => ({
    operationId: 'getAskJobStatus',
    method: 'GET',
    path: '/ask/jobs/{jobId}',
    summary: 'x',
    deprecated: { since, sunset: new Date(since.getTime() + days * 86_400_000), link: 'https://web.example/changelog' },
  })
  const host = await createHost({ logger: pino({ level: 'silent' }), trustProxy: false, agentOperations: [ending(90)] })
  t.teardown(() => host.close())
  host.get<{ Params: { jobId: string } }>('/ask/jobs/:jobId', async ({ params }) => {
    if (params.jobId === 'unknown') throw notFound('x')
    return {}
  })
  host.get('/status', async () => ({}))
  t.match((await host.inject('/ask/jobs/1')).headers, { deprecation: '@1780272000', sunset: 'Sun, 30 Aug 2026 00:00:00 GMT' })
  t.equal((await host.inject({ method: 'HEAD', url: '/ask/jobs/1' })).headers.deprecation, '@1780272000')
  for (const url of ['/ask/jobs/unknown', '/status']) t.equal((await host.inject(url)).headers.deprecation, undefined, url)
  const check = ({ operationId, deprecated }: AgentOperation) => checkDeprecationNotice(operationId, deprecated)
  t.throws(() => check(ending(89)), /at least 90 days/)
  for (const operation of agentOperations) t.doesNotThrow(() => check(operation), operation.operationId)
})
