import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { listening } from '../support/listening.js'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

/** Takes traces as a collector does: OTLP, JSON over HTTP. */
async function startCollector(t: Test): Promise<{ url: string; spans: Span[] }> {
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    if (request.url === '/v1/traces')
      spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  const port = await listening(server)
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${port}`, spans }
}

const attribute = (span: Span, key: string) => {
  const value = span.attributes.find((each) => each.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

t.test('traces go to the configured endpoint', async (t) => {
  const { url, spans } = await startCollector(t)
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const serving = await Serving.start(t, folder.path, ['--otel-exporter-otlp-endpoint', url])
  await serving.ready()
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'x-request-id': 'traced-1' }
  const response = await fetch(`http://127.0.0.1:${serving.api}/public/share/tags`, { headers })
  t.equal(response.status, 200)
  await response.arrayBuffer()

  await t.test('from request to operation to store, in the trace of the caller', async (t) => {
    const span = await eventually(async () => spans.find((each) => attribute(each, 'vitrine.request_id') === 'traced-1'))
    t.equal(span.traceId, trace)
    t.equal(span.parentSpanId, '00f067aa0ba902b7')
    t.equal(attribute(span, 'http.response.status_code'), 200)
    const child = (of: Span, name: RegExp) => spans.find((each) => each.parentSpanId === of.spanId && name.test(each.name))
    const operation = child(span, /^get_popular_tags$/)
    t.ok(operation, 'the operation is part of the request')
    if (operation === undefined) return
    t.ok(child(operation, /^store snapshot$/))
    t.ok(child(operation, /^store (get|range|ids|count)$/))
  })

  await t.test('a request is described as OpenTelemetry asks, without what a caller wrote into a query', async (t) => {
    const described = async (id: string, port: number, path: string, method = 'GET') => {
      await request(port, path, { method, headers: { 'x-request-id': id } })
      const span = await eventually(async () => spans.find((each) => attribute(each, 'vitrine.request_id') === id))
      return ['http.request.method', 'url.scheme', 'url.path', 'http.route'].map((key) => attribute(span, key))
    }
    const profile = '/public/share/user/:handle'
    t.strictSame(await described('read', serving.api, '/public/share/user/ben?locale=de'), [
      'GET',
      'http',
      '/public/share/user/ben',
      profile,
    ])
    t.strictSame(await described('head', serving.api, '/public/share/user/ben', 'HEAD'), [
      'HEAD',
      'http',
      '/public/share/user/ben',
      profile,
    ])
    t.strictSame(await described('unknown', serving.api, '/nothing?q=secret'), ['GET', 'http', '/nothing', undefined])
    t.strictSame(await described('odd', serving.api, '/nothing', 'PROPFIND'), ['_OTHER', 'http', '/nothing', undefined])
    const job = '/ask/jobs/:jobId'
    const id = 'c0ffee00-1111-4222-8333-444455556666'
    t.strictSame(await described('job', serving.web, `/ask/jobs/${id}`), ['GET', 'http', job, job], 'an id opens the question')
    t.notMatch(JSON.stringify(spans), /secret|locale=de|c0ffee00/)
  })

  await t.test('from event batch to fold to commit', async (t) => {
    const batch = await eventually(async () =>
      spans.find((span) => span.name === 'event batch' && attribute(span, 'vitrine.projection') === 'feed'),
    )
    t.equal(attribute(batch, 'vitrine.to'), COMMUNITY.length)
    t.ok(attribute(batch, 'vitrine.last_event'), 'the event that the documents now reflect')
    const parts = await eventually(async () => {
      const found = spans.filter(({ parentSpanId }) => parentSpanId === batch.spanId)
      return found.length === 2 && found
    })
    t.strictSame(parts.map(({ name }) => name).sort(), ['commit', 'fold'])
  })
  t.equal(await serving.end('SIGTERM'), 0)
})
