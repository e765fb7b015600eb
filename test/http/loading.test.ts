import t from 'tap'
import { refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { READS } from '../harness/reads.js'
import { Service } from '../harness/service.js'

await t.test('while the models are not loaded', async (t) => {
  const lines: { level: number; msg: string; reason?: string; err?: unknown }[] = []
  const logged = (line: string) => void lines.push(JSON.parse(line))
  const service = await Service.start(t, { events: COMMUNITY, projecting: false, logged })

  await t.test('every read is a 503 that says when to come back', async (t) => {
    for (const url of READS) {
      const response = await service.get(url)
      const { message } = refused(t, response, 503, 'upstream_unavailable', url)
      t.match(message, /loaded/)
      t.match(response.headers['retry-after'], /^[1-9]\d*$/)
    }
    refused(t, await service.web.inject('/public/share/community'), 503, 'upstream_unavailable')
    refused(t, await service.get('/public/share/tags', { 'service-min-position': '1' }), 503, 'upstream_unavailable')
  })

  await t.test('each is a warning of one line, for there may be thousands', async (t) => {
    lines.length = 0
    await service.get('/public/share/tags')
    const [warning, ...rest] = lines.filter(({ level }) => level > 30)
    t.match(warning, { level: 40, msg: /^Not ready yet/, reason: /loaded/ })
    t.equal(warning?.err, undefined)
    t.strictSame(rest, [])
  })

  await t.test('and is counted as what was answered', async (t) => {
    await service.get('/public/share/tags')
    const { body } = await service.admin.inject('/metrics')
    t.match(body, /^vitrine_operation_seconds_count\{operation="get_popular_tags",outcome="upstream_unavailable"\} [1-9]/m)
    t.match(body, /^vitrine_http_requests_total\{host="api",operation="get_popular_tags",status="503"\} [1-9]/m)
    t.notMatch(body, 'internal_error')
  })

  await t.test('errors of the caller are reported all the same', async (t) => {
    refused(t, await service.get('/public/share/community?limit=0'), 422, 'validation_failed')
    refused(t, await service.get('/nothing'), 404, 'not_found')
  })

  await t.test('the process is alive but not ready', async (t) => {
    t.strictSame((await service.admin.inject('/health/live')).json(), { status: 'alive' })
    const ready = await service.admin.inject('/health/ready')
    t.equal(ready.statusCode, 503)
    t.match(ready.json(), { status: 'loading', missing: ['feed', 'tags', 'profiles', 'shares', 'integrity'] })
  })
})

await t.test('once they are loaded the process is ready', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const ready = await service.admin.inject('/health/ready')
  t.equal(ready.statusCode, 200)
  t.strictSame(ready.json(), { status: 'ready', missing: [], stalled: [] })
  refused(t, await service.admin.inject('/nothing'), 404, 'not_found')
  refused(t, await service.admin.inject({ method: 'DELETE', url: '/health/live' }), 405, 'invalid_request')
  refused(t, await service.admin.inject('/public/share/tags'), 404, 'not_found', 'the admin host is not for readers')
})
