import { performance } from 'node:perf_hooks'
import t from 'tap'
import { CommunityFeedPage } from '../../readmodels/feed/public-reads.js'
import { dataOf, refused } from '../harness/answers.js'
import { Service } from '../harness/service.js'
import { published, registered } from '../spec/events.js'

const FEED = '/public/share/community'

await t.test('Service-Min-Position waits until the models have come that far', async (t) => {
  const service = await Service.start(t, { events: [registered('ada')], waitMs: 20_000 })
  const waiting = service.get(FEED, { 'service-min-position': '2' })
  await service.append(service.write(published('c1', { by: 'ada' })))
  const response = await waiting
  t.equal(dataOf(CommunityFeedPage, response).total, 1, 'the reader sees what was published after it had asked')
  t.equal(response.headers['service-position'], '2')
})

await t.test('a position that is reached already costs no waiting', async (t) => {
  const service = await Service.start(t, { events: [registered('ada')], waitMs: 20_000 })
  const began = performance.now()
  for (const position of ['0', '1', '0000000000001']) {
    t.equal((await service.get(FEED, { 'service-min-position': position })).statusCode, 200, position)
  }
  t.ok(performance.now() - began < 10_000)
})

await t.test('a wait that runs out is a 504', async (t) => {
  const service = await Service.start(t, { events: [registered('ada')], waitMs: 30 })
  for (const url of [FEED, '/public/share/tags', '/public/share/user/ada', '/public/share/user/nobody']) {
    const response = await service.get(url, { 'service-min-position': '2' })
    refused(t, response, 504, 'timeout', url)
    t.match(response.headers['retry-after'], /^[1-9]\d*$/)
  }
  t.equal((await service.get(FEED, { 'service-min-position': '999999999999999' })).statusCode, 504)
})

await t.test('what is no position is a 400', async (t) => {
  const service = await Service.start(t, { events: [registered('ada')], waitMs: 30 })
  for (const nonsense of ['', 'abc', '-1', '1.5', '1e3', '0x10', ' ', '1,2', '9'.repeat(16), '1 OR 1=1', 'NaN', 'null', '１']) {
    // Header values are bytes: what is not Latin-1 arrives as other characters, and is as wrong.
    const value = Buffer.from(nonsense).toString('latin1')
    refused(t, await service.get(FEED, { 'service-min-position': value }), 400, 'invalid_request', JSON.stringify(nonsense))
  }
})

await t.test('bad parameters are refused before any waiting', async (t) => {
  const service = await Service.start(t, { events: [registered('ada')], waitMs: 60_000 })
  refused(t, await service.get(`${FEED}?limit=0`, { 'service-min-position': '99' }), 422, 'validation_failed')
})
