import t from 'tap'
import type { Request } from '../../src/engine/requests/request-store.js'
import { Durations } from '../../src/observe/durations.js'
import { rebuildProgress } from '../../src/observe/engine-status.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { eventually } from '../ports/subject.js'
import { but, liked, published, registered, type Told } from '../spec/events.js'

t.test('requests, refusals and questions are counted', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, limit: 3 })
  const metrics = async () => (await service.admin.inject('/metrics')).body
  await service.get('/public/share/tags')
  await service.get('/public/share/user/nobody-at-all')
  await service.get('/public/share/tags?x=1')
  await service.get('/public/share/tags')
  await service.get('/no/such/path/anyone-may-write-anything-here')
  await service.web.inject({ method: 'POST', url: '/ask', payload: { query: 'What does a subscription cost?' } })
  const text = await metrics()
  t.match(text, /^vitrine_http_requests_total\{host="api",operation="get_popular_tags",status="200"\} 2$/m)
  t.match(text, /^vitrine_http_requests_total\{host="api",operation="get_popular_tags",status="429"\} 1$/m)
  t.match(text, /^vitrine_http_requests_total\{host="api",operation="get_creator_profile",status="404"\} 1$/m)
  t.match(text, /^vitrine_http_requests_total\{host="api",operation="unknown",status="404"\} 1$/m)
  t.notMatch(text, /anyone-may-write|nobody-at-all/, 'callers cannot make names')
  t.match(text, /^vitrine_http_request_seconds_count\{host="web",operation="POST \/ask"\} 1$/m)
  t.match(text, /^vitrine_operation_seconds_count\{operation="get_popular_tags",outcome="ok"\} [2-9]$/m)
  t.match(text, /^vitrine_cache_reads_total\{outcome="hit"\} 1$/m)
  t.match(text, /^vitrine_cache_reads_total\{outcome="stale"\} 0$/m)
  t.match(text, /^vitrine_cache_reads_total\{outcome="miss"\} 2$/m)
  t.match(text, /^vitrine_cache_answers 1$/m)
  t.match(text, /^vitrine_cache_bytes [1-9]\d+$/m)
  t.match(text, /^vitrine_cache_evictions_total 0$/m)
  t.match(text, /^vitrine_operation_seconds_count\{operation="get_creator_profile",outcome="not_found"\} 1$/m)
  t.match(text, /^vitrine_rate_limited_total\{class="public"\} 1$/m)
  t.match(text, /^vitrine_rate_limited_total\{class="mcp"\} 0$/m)
  t.match(text, /^vitrine_ask_answers_total\{outcome="answer"\} 1$/m)
  t.equal((await service.admin.inject('/metrics')).headers['access-control-allow-origin'], undefined, 'no other site may read it')
})

t.test('what upstream sent late, twice or not at all', async (t) => {
  const sequence = (told: Told, number: number) => but(told, { sequence: number })
  const service = await Service.start(t, {
    events: [
      ...[registered('ada'), published('one', { by: 'ada' }), sequence(liked('one', 'ben'), 5), sequence(liked('one', 'cleo'), 3)],
      ...[published('two', { by: 'ada' }), sequence(published('two', { by: 'ada' }), 1), sequence(liked('three', 'ben'), 2)],
    ],
  })
  const figures = async () => {
    const { body } = await service.admin.inject('/metrics')
    return Object.fromEntries([...body.matchAll(/^vitrine_integrity_(\w+) (\d+)$/gm)].map(([, name, value]) => [name, Number(value)]))
  }
  await eventually(async () => (await figures()).gaps === 2)
  t.strictSame(await figures(), { gaps: 2, given_up: 0, late: 1, duplicates: 0, conflicts: 1 })
  await service.tell(sequence(published('three', { by: 'ada' }), 1))
  await eventually(async () => (await figures()).gaps === 1)
  t.strictSame(await figures(), { gaps: 1, given_up: 0, late: 2, duplicates: 0, conflicts: 1 })
  t.notMatch((await service.admin.inject('/metrics')).body, 'creation/', 'no names')
})

t.test('how long operations take', async (t) => {
  const durations = new Durations()
  t.strictSame(durations.table(), [])
  for (let ms = 1; ms <= 100; ms++) durations.add('slow', ms, ms > 98)
  durations.add('quick', 0.5, false)
  t.strictSame(durations.table(), [
    { operation: 'slow', count: 100, failed: 2, median: 51, p95: 96, slowest: 100 },
    { operation: 'quick', count: 1, failed: 0, median: 0.5, p95: 0.5, slowest: 0.5 },
  ])
  for (let i = 0; i < 600; i++) durations.add('slow', 2, false)
  t.match(durations.table()[0], { count: 700, median: 2, slowest: 2 }, 'what is long over no longer counts')
})

t.test('the progress of a rebuild, and how long it will take', async (t) => {
  const request = (over: object): Request =>
    ({ state: 'open', order: { kind: 'rebuild', maxRate: null }, phase: 'loading', generation: 2, startedAt: 0, ...over }) as Request
  t.equal(rebuildProgress([], 0), null)
  t.equal(rebuildProgress([request({ order: { kind: 'prune' } })], 0), null)
  t.match(rebuildProgress([request({ position: 0, total: 0, startedAt: null })], 5000), { share: 0, secondsLeft: null }, 'waiting')
  t.match(rebuildProgress([request({ position: 250, total: 1000 })], 5000), { share: 0.25, eventsPerSecond: 50, secondsLeft: 15 })
  t.match(rebuildProgress([request({ position: 1000, total: 1000, phase: 'flipping' })], 5000), { share: 1, secondsLeft: 0 })
})
