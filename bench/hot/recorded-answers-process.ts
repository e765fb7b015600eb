/** Entry of the reference: Fastify with one route that sends, for the same addresses, the same bytes and headers. */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

export interface Recorded {
  url: string
  headers: Record<string, string>
  body: string
}

const [file = ''] = process.argv.slice(2)
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded[]
const known = new Map(recorded.map(({ url, headers, body }) => [url, { headers, body: Buffer.from(body), tag: headers.etag ?? '' }]))
const app = Fastify()
app.get('/*', (request, reply) => {
  const found = known.get(request.url)
  if (found === undefined) return reply.status(404).send()
  reply.headers(found.headers)
  if (request.headers['if-none-match'] === found.tag) return reply.removeHeader('content-type').status(304).send()
  return reply.send(found.body)
})
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 }))
