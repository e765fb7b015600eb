import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { negotiateEncoding } from '../../src/http/plugins/content-negotiation.js'
import { EncodedBodies } from '../../src/operations/cache/encoded-bodies.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'

const FEED = '/public/share/community'
const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync } as const

/** Bytes as they came, which no client has unpacked. */
async function get(port: number, path: string, headers: Record<string, string>, method = 'GET') {
  const outgoing = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: new Agent() })
  outgoing.end()
  const [response] = await once(outgoing, 'response')
  return { status: response.statusCode as number, headers: response.headers as Record<string, string>, body: await buffer(response) }
}

async function listening(t: Test): Promise<number> {
  const service = await Service.start(t, { events: COMMUNITY })
  await service.api.listen({ host: '127.0.0.1', port: 0 })
  return (service.api.server.address() as { port: number }).port
}

await t.test('a caller gets the shortest form it can read', async (t) => {
  const port = await listening(t)
  const plain = await get(port, FEED, {})
  t.equal(plain.headers['content-encoding'], undefined)
  t.equal(plain.headers.vary, 'Accept-Encoding', 'caches in between keep the bodies apart')
  const tags = new Set([plain.headers.etag])
  for (const encoding of ['br', 'gzip'] as const) {
    // First by Fastify, which compresses, then from the cache.
    for (const _ of ['made', 'kept']) {
      const packed = await get(port, FEED, { 'accept-encoding': encoding })
      t.match(packed, { status: 200, headers: { 'content-encoding': encoding, vary: 'Accept-Encoding' } })
      t.strictSame(UNPACK[encoding](packed.body), plain.body, `${encoding}: the same bytes`)
      t.ok(packed.body.length < plain.body.length / 2, `${packed.body.length} of ${plain.body.length} bytes`)
      t.equal(packed.headers['content-length'], String(packed.body.length))
      tags.add(String(packed.headers.etag))
      const head = await get(port, FEED, { 'accept-encoding': encoding }, 'HEAD')
      t.match(head.headers, { 'content-encoding': encoding, etag: packed.headers.etag })
      const again = await get(port, FEED, { 'accept-encoding': encoding, 'if-none-match': String(packed.headers.etag) })
      t.match(again, { status: 304, headers: { etag: packed.headers.etag } })
      t.equal(again.body.length, 0)
      t.equal((await get(port, FEED, { 'if-none-match': String(packed.headers.etag) })).status, 200, 'one form is not the other')
    }
  }
  t.equal(tags.size, 3, 'each encoding has its own ETag')
})

await t.test('what is short, an error or past the cache is readable, too', async (t) => {
  const port = await listening(t)
  const both = { 'accept-encoding': 'gzip, deflate, br' }
  const short = await get(port, '/public/share/user/ben/followers?limit=1', both)
  t.ok(short.body.length < 1024 && short.headers['content-encoding'] === undefined)
  t.match(JSON.parse(short.body.toString()), { code: 0 })
  const missing = await get(port, '/public/share/user/nobody-here', both)
  t.match(JSON.parse(missing.body.toString()), { error: 'not_found' })
  const waited = await get(port, FEED, { ...both, 'service-min-position': '1' })
  t.match(JSON.parse(brotliDecompressSync(waited.body).toString()), { code: 0 })
})

await t.test('the caller decides', async (t) => {
  const wanted: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=nonsense', undefined],
    ['gzip;q=0.2, identity;q=0.9', undefined],
    ['deflate', undefined],
    [`br${' '.repeat(500)}`, undefined],
  ]
  for (const [header, encoding] of wanted) t.equal(negotiateEncoding(header), encoding, String(header))
  for (let i = 0; i < 1000; i++) negotiateEncoding(`x-${i}`)
  t.equal(negotiateEncoding('gzip, x-last'), 'gzip', 'however many have come before')
})

await t.test('bodies are made once, and count', async (t) => {
  let grown = 0
  const bodies = new EncodedBodies(Buffer.alloc(5000, 'text '), (bytes) => {
    grown += bytes
  })
  const [one, other] = await Promise.all([bodies.get('gzip'), bodies.get('gzip')])
  t.equal(one, other)
  t.equal(bodies.getIfReady('gzip'), one)
  t.equal(bodies.getIfReady('br'), undefined)
  t.equal(grown, one.length, 'once')
})
