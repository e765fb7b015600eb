import t from 'tap'
import { isRetryable } from '../../src/contract/errors.js'
import type { Position } from '../../src/events/index.js'
import type { ProjectionStatus } from '../../src/observe/engine-status.js'
import { ServiceStatusDocument, serviceStatus } from '../../src/observe/service-status.js'
import { refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { eventually } from '../ports/subject.js'
import { but, liked, played, poison, published, registered } from '../spec/events.js'

const statusOf = async ({ web }: Service) => ServiceStatusDocument.strict().parse((await web.inject('/status')).json())

const NO_JOBS = { queued: 0, running: 0, completed: 0, failed: 0, retried: 0, oldest_queued_s: 0, oldest_running_s: 0 }

await t.test('the status of a healthy service', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, limit: 120, agentLimit: 60, mcpLimit: null })
  const response = await service.web.inject('/status')
  t.equal(response.statusCode, 200)
  t.match(response.headers, {
    'cache-control': 'no-store',
    'ratelimit-limit': '60',
    'ratelimit-policy': '"agent";q=60;w=60',
    'service-api-version': '2026-05-26',
  })
  const status = ServiceStatusDocument.strict().parse(response.json())
  t.equal(status.status, 'ok')
  const position = Number((await service.get('/public/share/tags')).headers['service-position'])
  t.strictSame(status.components, [
    { name: 'event_log', kind: 'event log', status: 'ok', position },
    ...['feed', 'tags', 'profiles', 'shares', 'integrity'].map((name) => ({
      name,
      kind: 'projection',
      state: 'live',
      status: 'ok',
      position,
      lag: 0,
      lag_s: 0,
      parked: 0,
      ...(name === 'integrity' && { sequences: { gaps: 0, given_up: 0, late: 0, duplicates: 0, conflicts: 0 } }),
    })),
    { name: 'ask_jobs', kind: 'ask jobs', status: 'ok', jobs: NO_JOBS },
  ])
  t.match(status.limits, {
    public: { requests: 120, window_s: 60 },
    agent: { requests: 60, window_s: 60 },
    mcp: null,
    batch: { max_operations: 10 },
    ask_jobs: { poll_after_s: 5 },
  })
  t.match(status.retry, {
    rate_limited: { statuses: [429], wait_for: ['Retry-After', 'RateLimit-Reset'] },
    transient: {
      statuses: [408, 425, 500, 502, 503, 504],
      backoff: { strategy: 'exponential', jitter: 'full', initial_ms: 500, multiplier: 2, cap_ms: 8000, max_attempts: 4 },
    },
    not_retryable: { statuses: [400, 401, 403, 404, 409, 422] },
  })
  for (const code of [...status.retry.rate_limited.statuses, ...status.retry.transient.statuses]) t.ok(isRetryable(code), `${code}`)
  for (const code of status.retry.not_retryable.statuses) t.notOk(isRetryable(code), `${code}`)
  t.strictSame((await service.web.inject({ method: 'HEAD', url: '/status' })).body, '')
  refused(t, await service.web.inject({ method: 'POST', url: '/status' }), 405, 'invalid_request')
})

await t.test('is a 200 that says so while the models are still loading', async (t) => {
  const service = await Service.start(t, { projecting: false })
  await service.append(service.write(...COMMUNITY))
  const status = await statusOf(service)
  t.equal(status.status, 'degraded')
  const feed = status.components.find(({ name }) => name === 'feed')
  t.match(feed, { status: 'loading', position: 0, lag: COMMUNITY.length })
})

await t.test('says so when something is parked, and not what', async (t) => {
  const service = await Service.start(t, { events: [...COMMUNITY, poison(played('maze')), liked('maze', 'dora')] })
  const status = await statusOf(service)
  t.equal(status.status, 'degraded')
  const standing = Object.fromEntries(status.components.map(({ name, status, lag, parked }) => [name, { status, lag, parked }]))
  t.match(standing, {
    feed: { status: 'degraded', lag: 0, parked: 1 },
    tags: { status: 'ok', lag: 0, parked: 0 },
  })
  t.notMatch(JSON.stringify(status), 'maze')
})

await t.test('counts what upstream sent late, twice or not at all, and names nothing', async (t) => {
  const service = await Service.start(t, {
    events: [
      ...[registered('ada'), published('secret', { by: 'ada' }), but(liked('secret', 'ben'), { sequence: 5 })],
      ...[but(liked('secret', 'cleo'), { sequence: 3 }), but(liked('secret', 'dora'), { sequence: 3 })],
    ],
  })
  const status = await statusOf(service)
  t.equal(status.status, 'ok', 'readers get what there is')
  t.strictSame(status.components.find(({ name }) => name === 'integrity')?.sequences, {
    ...{ gaps: 1, given_up: 0, late: 1, duplicates: 0, conflicts: 1 },
  })
  t.notMatch(JSON.stringify(status), 'secret')
})

await t.test('follows the log and the jobs, and holds no personal data', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, answering: false })
  const before = await statusOf(service)
  await service.tell(published('late', { by: 'ben' }))
  const asked = await service.web.inject({ method: 'POST', url: '/ask/jobs', payload: { query: 'a private question' } })
  const after = await eventually(async () => {
    const status = await statusOf(service)
    return status.components.at(-1)?.jobs?.queued === 1 ? status : null
  })
  t.equal(after.components[0]?.position, (before.components[0]?.position ?? 0) + 1)
  t.notMatch(JSON.stringify(after), asked.json().job_id)
  t.notMatch(JSON.stringify(after), 'private')
})

/** A healthy sample, but for what is said. */
function documentOf(
  over: Partial<ProjectionStatus>,
  { log = 5, jobs = NO_JOBS }: { log?: number | null; jobs?: typeof NO_JOBS | null } = {},
) {
  const feed: ProjectionStatus = {
    ...{
      projection: 'feed',
      state: 'live',
      reason: null,
      lastError: null,
      since: null,
      failures: 0,
      fanOut: null,
      slowFold: null,
      version: 1,
      generation: 1,
    },
    ...{
      position: 5 as Position,
      lag: 0,
      lagSeconds: 0,
      tallies: {},
      parked: 0,
      degraded: false,
      generations: [],
      requests: [],
    },
    ...over,
  }
  const bounds = log === null ? null : { first: 1 as Position, last: log as Position }
  const sample = async () => ({ at: 0, log: bounds, logError: null, storeError: null, projections: [feed], integrity: null })
  return serviceStatus({ sample, jobs: () => jobs, limits: { public: null, agent: null, mcp: null } })
}

await t.test('components as they stand', async (t) => {
  const table: [
    what: string,
    over: Partial<ProjectionStatus>,
    more: Parameters<typeof documentOf>[1],
    overall: string,
    states: string[],
  ][] = [
    ['all is well', {}, {}, 'ok', ['ok', 'ok', 'ok']],
    ['a little lag is nothing', { lag: 1000 }, {}, 'ok', ['ok', 'ok', 'ok']],
    ['a lot is', { lag: 1001 }, {}, 'degraded', ['ok', 'behind', 'ok']],
    ['however little, if it has waited for long', { lag: 1, lagSeconds: 61 }, {}, 'degraded', ['ok', 'behind', 'ok']],
    ['which a minute is not', { lag: 1, lagSeconds: 60 }, {}, 'ok', ['ok', 'ok', 'ok']],
    ['something parked', { parked: 1 }, {}, 'degraded', ['ok', 'degraded', 'ok']],
    ['something parked in what is behind', { lag: 1001, parked: 1 }, {}, 'degraded', ['ok', 'behind', 'ok']],
    ['a commit that is refused', { state: 'retrying', lastError: 'secret' }, {}, 'degraded', ['ok', 'degraded', 'ok']],
    ['another log', { state: 'stopped' }, {}, 'degraded', ['ok', 'degraded', 'ok']],
    ['no progress', { state: 'stalled' }, {}, 'degraded', ['ok', 'degraded', 'ok']],
    ['no leader', { state: 'leaderless' }, {}, 'degraded', ['ok', 'degraded', 'ok']],
    ['another version', { state: 'outdated' }, {}, 'degraded', ['ok', 'degraded', 'ok']],
    ['a first load', { state: 'loading' }, {}, 'degraded', ['ok', 'loading', 'ok']],
    ['no model', { state: 'missing' }, {}, 'degraded', ['ok', 'loading', 'ok']],
    ['no store', { state: 'unknown', position: null, lag: null }, {}, 'degraded', ['ok', 'unavailable', 'ok']],
    ['no log', { lag: null, lagSeconds: null }, { log: null }, 'degraded', ['unavailable', 'ok', 'ok']],
    ['no ask jobs', {}, { jobs: null }, 'degraded', ['ok', 'ok', 'unavailable']],
    ['no worker for them', {}, { jobs: { ...NO_JOBS, queued: 1, oldest_queued_s: 61 } }, 'degraded', ['ok', 'ok', 'behind']],
  ]
  for (const [what, over, more, overall, states] of table) {
    const document = ServiceStatusDocument.strict().parse(await documentOf(over, more))
    t.strictSame([document.status, document.components.map(({ status }) => status)], [overall, states], what)
    t.equal(document.components[1]?.state, over.state ?? 'live')
    t.notMatch(JSON.stringify(document), 'secret')
  }
  const lost = await documentOf({ lag: null, lagSeconds: null }, { log: null })
  t.match(lost.components, [{ position: null }, { position: 5, lag: null, lag_s: null }])
  t.match((await documentOf({ lag: 2, lagSeconds: 90.7, parked: 2 })).components[1], { lag: 2, lag_s: 90, parked: 2 })
})
