import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ServiceError } from '../../contract/errors.js'
import type { Actions } from '../../observe/admin-actions.js'
import type { Board } from '../../observe/dashboard-snapshot.js'
import type { Metrics } from '../../observe/metrics.js'
import { safeHeaders } from '../plugins/response-headers.js'
import { Access, type Visitor } from './auth.js'
import { dashboardPage, loginPage, sendPage, serveAdminAssets } from './pages.js'

export interface DashboardParts {
  /** Opens the pages; unset: only callers on this machine get in. */
  token: string | undefined
  board: () => Promise<Board>
  actions: Actions
  metrics: Pick<Metrics, 'acted'>
  /** Calls back when there is a new board. Returns how to stop. */
  onChange: (listener: () => void) => () => void
}

const MAX_STREAMS = 50
const Credentials = z.object({ token: z.string().max(1000) })

/** The pages for those who run the service, and what can be asked for there. */
export function serveDashboard(app: FastifyInstance, { token, board, actions, metrics, onChange }: DashboardParts): void {
  const access = new Access(token)
  readForms(app)
  serveAdminAssets(app)

  app.get('/', async (request, reply) => {
    const visitor = access.visitorOf(request)
    if (visitor === null && access.needsToken) return reply.redirect('/login', 303)
    const { seal, who } = admitted(access, request)
    return sendPage(reply, dashboardPage(await board(), seal, who === 'session'))
  })

  app.get('/board', async (request, reply) => {
    admitted(access, request)
    return reply.header('Cache-Control', 'no-store').send(await board())
  })

  app.get('/login', async (_request, reply) => (access.needsToken ? sendPage(reply, loginPage(null)) : reply.redirect('/', 303)))
  app.post('/login', async (request, reply) => {
    const given = Credentials.safeParse(request.body)
    const cookie = given.success ? access.open(request, given.data.token) : null
    if (cookie === null) return sendPage(reply.status(403), loginPage('That is not the admin token.'))
    request.log.info({ address: request.ip }, 'an admin session was opened')
    return reply.header('Set-Cookie', cookie).redirect('/', 303)
  })
  app.post('/logout', async (request, reply) => reply.header('Set-Cookie', access.close(request)).redirect('/login', 303))

  app.post('/actions', async (request, reply) => {
    const visitor = admitted(access, request)
    access.checkAction(request, visitor)
    const placed = await actions.perform(request.body, { who: visitor.who, address: request.ip, requestId: request.id })
    metrics.acted(placed.order.kind)
    return reply.status(202).send({ request: placed.id, projection: placed.projection, kind: placed.order.kind })
  })

  const streams = new Set<ServerResponse>()
  app.get('/live', async (request, reply) => {
    admitted(access, request)
    if (streams.size >= MAX_STREAMS) throw new ServiceError('upstream_unavailable', 'Too many dashboards are open.', { retryAfterS: 10 })
    reply.hijack()
    const stream = reply.raw
    const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }
    stream.writeHead(200, { ...safeHeaders(request), ...headers })
    streams.add(stream)
    // Whoever does not read as fast as we write misses some boards; the next one says it all.
    const send = async () => {
      const current = await board().catch(() => null)
      if (current !== null && !stream.writableNeedDrain && !stream.writableEnded)
        stream.write(`event: board\ndata: ${JSON.stringify(current)}\n\n`)
    }
    const stop = onChange(() => void send())
    request.raw.once('close', () => {
      stop()
      streams.delete(stream)
    })
    await send()
  })
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end()
  })
}

function admitted(access: Access, request: FastifyRequest): Visitor {
  const visitor = access.visitorOf(request)
  if (visitor !== null) return visitor
  throw access.needsToken
    ? new ServiceError('unauthorized', 'The admin token is needed here: Authorization: Bearer …, or sign in at /login.')
    : new ServiceError('forbidden', 'Without ADMIN_TOKEN the admin pages answer callers on this machine only.')
}

/** Bodies are JSON everywhere else; a sign-in has to work without a script. */
function readForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    Object.fromEntries(new URLSearchParams(body)),
  )
}
