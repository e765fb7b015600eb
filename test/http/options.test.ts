/** OPTIONS as HTTP has it, and as browsers use it before they send a request of another site's page. */
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { agentOperations } from '../../src/contract/agent-operations.js'
import { refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { READS } from '../harness/reads.js'
import { Service } from '../harness/service.js'
import { request } from '../harness/sockets.js'

const service = await Service.start(t, { events: COMMUNITY })
const options = (host: FastifyInstance, url: string, headers: Record<string, string> = {}) =>
  host.inject({ method: 'OPTIONS', url, headers })
const allowed = (headers: Record<string, unknown>): string[] => String(headers.allow).split(', ').toSorted()

await t.test('OPTIONS that is no preflight tells what is allowed', async (t) => {
  const halves: Record<string, string>[] = [{}, { origin: 'https://a.example' }, { 'access-control-request-method': 'GET' }]
  for (const headers of halves) {
    for (const url of READS) {
      const response = await options(service.api, url, headers)
      t.strictSame([response.statusCode, response.body], [204, ''], url)
      t.strictSame(allowed(response.headers), ['GET', 'HEAD', 'OPTIONS'])
      t.equal(response.headers['access-control-allow-origin'], '*', 'a script of another site may read it')
      t.notOk(response.headers['access-control-allow-methods'])
    }
  }
  for (const { path, method } of agentOperations) {
    const { statusCode, headers } = await options(service.web, path.replace('{locale}', 'de').replace('{jobId}', 'x'))
    t.equal(statusCode, 204, path)
    t.ok(allowed(headers).includes(method), `${path}: ${headers.allow}`)
  }
  t.strictSame(allowed((await options(service.web, '/%61sk')).headers), ['OPTIONS', 'POST'], 'escapes are read as the router reads them')
  t.strictSame(allowed((await options(service.web, '/docs/en/plans.md')).headers), ['GET', 'HEAD', 'OPTIONS'])
  t.strictSame(allowed((await options(service.admin, '/login')).headers), ['GET', 'HEAD', 'OPTIONS', 'POST'], 'without CORS, too')
})

await t.test('it is a 404 for unknown paths and a 401 for protected ones', async (t) => {
  for (const url of ['/nothing', '/public', '/public/share/user/ben/friends'])
    refused(t, await options(service.api, url), 404, 'not_found', url)
  for (const url of ['/nothing', '/!!/ask', '/app/x']) refused(t, await options(service.web, url), 404, 'not_found', url)
  for (const url of ['/app', '/app/x', '/app/x/y?z']) refused(t, await options(service.api, url), 401, 'unauthorized', url)
})

await t.test('the asterisk stands for the whole host', async (t) => {
  const { statusCode, headers } = await request(await service.listen(service.web), '*', { method: 'OPTIONS' })
  t.equal(statusCode, 204)
  t.strictSame(allowed(headers), ['GET', 'HEAD', 'OPTIONS', 'POST'])
})

await t.test('a real preflight is a 204 for every path of both hosts', async (t) => {
  const preflight = { origin: 'https://a.example', 'access-control-request-method': 'POST', 'service-api-version': 'none' }
  for (const host of [service.api, service.web]) {
    for (const url of ['/', '/ask', '/!!/ask', '/app', '/nothing', '/public/share/tags']) {
      const { statusCode, headers, body } = await options(host, url, preflight)
      t.strictSame([statusCode, body, headers['access-control-allow-methods']], [204, '', 'GET,HEAD,POST'], url)
    }
  }
})
