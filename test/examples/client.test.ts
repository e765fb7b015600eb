/** The example client, against the service and against one that has a bad day. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { Client } from '../../examples/client.js'
import { RETRY_POLICY } from '../../src/contract/errors.js'
import { manyCreations } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { LocalServing } from '../harness/local-serving.js'
import { Script } from '../spec/script.js'

await t.test('it pages through the feed, asks, and follows a job to its end', async (t) => {
  const folder = await DataFolder.open(t)
  await folder.append(new Script().write(...manyCreations(60)))
  const serving = await LocalServing.start(t, folder.path)
  await serving.ready()
  const client = new Client(`http://127.0.0.1:${serving.api}`, `http://127.0.0.1:${serving.web}`, { wait: async () => {} })
  const titles: string[] = []
  for await (const { title } of client.feed({ sort: 'recent', limit: '24' })) titles.push(title)
  t.equal(titles.length, 60)
  t.equal(new Set(titles).size, 60)
  t.match((await client.ask('how much is the smallest plan?')).answer, '20')
  t.match((await client.askInBackground('how much is the smallest plan?')).answer, '20')
})

/** Answers with what is next in the list, and remembers how long it was left alone. */
async function moody(t: Test, answers: ((response: ServerResponse) => void)[]) {
  const server = createServer((request, response) => {
    request.resume()
    const next = answers.shift()
    if (next === undefined) response.end('{"code":0,"data":{"items":[],"hasMore":false,"next_cursor":null}}')
    else next(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const waits: number[] = []
  const client = new Client(url, url, { wait: async (ms) => void waits.push(ms), random: () => 1 })
  return { client, waits }
}

const fails =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { connection: 'close', ...headers }).end('{"code":50300,"message":"not now"}')
  }

await t.test('it retries by the policy of the service, and no longer', async (t) => {
  const { backoff } = RETRY_POLICY.transient
  const delays = [0, 1, 2].map((i) => Math.min(backoff.cap_ms, backoff.initial_ms * backoff.multiplier ** i))
  const mended = await moody(t, [fails(503), fails(500), fails(504)])
  t.strictSame(await collect(mended.client.feed()), [])
  t.strictSame(mended.waits, delays)

  const broken = await moody(t, Array(9).fill(fails(503)))
  await t.rejects(collect(broken.client.feed()), { status: 503, message: 'not now' })
  t.equal(broken.waits.length, backoff.max_attempts - 1)
})

await t.test('it waits as long as it is told after a 429, and does not repeat what cannot succeed', async (t) => {
  const limited = await moody(t, [fails(429, { 'retry-after': '17' })])
  await collect(limited.client.feed())
  t.strictSame(limited.waits, [17_000])
  for (const status of RETRY_POLICY.not_retryable.statuses) {
    const { client, waits } = await moody(t, [fails(status)])
    await t.rejects(collect(client.feed()), { status, message: 'not now' })
    t.equal(waits.length, 0)
  }
})

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of all) found.push(one)
  return found
}
