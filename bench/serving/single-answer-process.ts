/** Entry of the reference for memory and start: Fastify with one answer to everything, so that it holds next to nothing. */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

const [file = ''] = process.argv.slice(2)
const body = readFileSync(file)
const app = Fastify()
app.get('/*', (_request, reply) => reply.type('application/json; charset=utf-8').send(body))
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 }))
