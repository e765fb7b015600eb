/** A stop during many requests: every admitted request gets its whole answer, and load balancers see it first. */
import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Serving } from './program.js'
import { request } from './sockets.js'

const CLIENTS = 24
/** No part of an answer had arrived: the connection was refused, or closed between two requests. */
const NOT_ACCEPTED = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE']

/** Ends a service under load. */
export async function stopUnderLoad(t: Test, serving: Serving): Promise<void> {
  let answered = 0
  let told = false
  const cut: string[] = []
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      while (true) {
        const response = await begun(serving.api, agent)
        const body = await text(response).catch((error: Error) => error.message)
        const isWhole = Buffer.byteLength(body) === Number(response.headers['content-length'])
        // On an overloaded machine a request may get a 503, and is sent again.
        const wasLetIn = response.statusCode !== 503 || response.headers['retry-after'] === undefined
        if (!isWhole || (response.statusCode !== 200 && wasLetIn && !told)) cut.push(`${response.statusCode} ${body}`)
        if (response.statusCode === 200) answered += 1
        else if (told) return
      }
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException
      if (!NOT_ACCEPTED.includes(code) || !told) cut.push(code)
    } finally {
      agent.destroy()
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  while (answered < 200) await request(serving.admin, '/health/live')
  t.equal((await request(serving.admin, '/health/ready')).statusCode, 200, 'it was ready')
  // This one waits for a position that is never reached, so it is open when the signal arrives.
  const wait = () => request(serving.api, '/public/share/tags', { headers: { 'service-min-position': '1000' } })
  let waiting: ReturnType<typeof wait>
  let isAnswered: boolean
  do {
    isAnswered = false
    // On an overloaded machine it may get a 503, too.
    waiting = wait().finally(() => (isAnswered = true))
    const before = answered
    while (answered < before + 100) await request(serving.admin, '/health/live')
  } while (isAnswered)
  told = true
  const ended = serving.end('SIGTERM')
  const readiness: unknown[] = []
  // A request is still open, so the process still runs and can be asked.
  const asked = (async () => {
    while (true) readiness.push((await request(serving.admin, '/health/ready')).statusCode)
  })().catch(() => {})

  t.equal((await waiting).statusCode, 504, 'the one that waited is answered, too')
  await Promise.all(clients)
  t.equal(await ended, 0, 'it stops cleanly')
  await asked
  t.ok(readiness.includes(503), `readiness turned while it was still answering: ${[...new Set(readiness)]}`)
  t.strictSame(cut, [], `no answer was cut short (${answered} answers)`)
}

/** Resolves with the head of the answer. */
async function begun(port: number, agent: Agent): Promise<IncomingMessage> {
  const outgoing = httpRequest({ host: '127.0.0.1', port, path: '/public/share/community?limit=2', agent })
  outgoing.end()
  const [response] = await once(outgoing, 'response')
  return response
}
