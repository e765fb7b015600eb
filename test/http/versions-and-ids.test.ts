import t from 'tap'
import { errorIn, refused } from '../harness/answers.js'
import { Service } from '../harness/service.js'

await t.test('versions and request ids', async (t) => {
  const service = await Service.start(t)
  const VERSION = 'service-api-version'

  await t.test('any date is served as the one version there is, and the answer names it', async (t) => {
    for (const date of ['2026-05-26', '2020-01-01', '2099-12-31', '2024-02-29', '0001-01-01']) {
      const response = await service.get('/public/share/tags', { [VERSION]: date })
      t.strictSame([response.statusCode, response.headers[VERSION]], [200, '2026-05-26'], date)
    }
  })

  await t.test('what is no date is a 400, on every path', async (t) => {
    const nonsense = [
      '',
      'latest',
      '1',
      '2026',
      '2026-5-26',
      '2026-02-30',
      '2026-13-01',
      '2025-02-29',
      '2026-05-26T00:00:00Z',
      ' 2026-05-26x',
      '26.5.2026',
      '2026-05-26, 2026-05-26',
      '-2026-05-26',
    ]
    for (const version of nonsense) {
      refused(t, await service.get('/public/share/tags', { [VERSION]: version }), 400, 'invalid_request', JSON.stringify(version))
    }
    refused(t, await service.get('/public/share/user/nobody', { [VERSION]: 'x' }), 400, 'invalid_request')
  })

  await t.test('a request without an id gets a new one', async (t) => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await service.get('/public/share/tags')).headers['x-request-id']))
    t.equal(new Set(ids).size, 20)
    t.ok(ids.every((id) => /^[0-9a-f-]{36}$/.test(String(id))))
  })

  await t.test('a safe id is kept, in header and envelope', async (t) => {
    for (const id of ['a', 'trace-1.2_3', 'x'.repeat(64)]) {
      const response = await service.get('/nothing', { 'x-request-id': id })
      t.strictSame([response.headers['x-request-id'], errorIn(response.body).request_id], [id, id], id)
    }
  })

  await t.test('a hostile one is replaced', async (t) => {
    const hostile = [
      '',
      ' ',
      'a b',
      'x'.repeat(65),
      '<script>',
      '"; rm -rf /',
      '$(reboot)',
      '../../etc',
      'ä',
      '%0d%0aSet-Cookie:x',
      '{"level":50}',
      'a,b',
      '\u001b[31m',
    ]
    for (const id of hostile) {
      const response = await service.get('/nothing', { 'x-request-id': id })
      t.match(response.headers['x-request-id'], /^[0-9a-f-]{36}$/, JSON.stringify(id).slice(0, 30))
      t.equal(response.statusCode, 404)
    }
  })
})
