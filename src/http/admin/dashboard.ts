import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ServiceError } from '../../contract/errors.js'
import { type ActionContext, performAction } from '../../observe/admin-actions.js'
import type { DashboardSnapshot } from '../../observe/dashboard-snapshot.js'
import type { Metrics } from '../../observe/metrics.js'
import { parseForms } from '../plugins/request-body.js'
import { securityHeaders } from '../plugins/response-headers.js'
import { AdminAuth, type AdminIdentity } from './auth.js'
import { dashboardPage, loginPage, sendPage, serveAdminAssets } from './pages.js'

export interface DashboardOptions {
  /** The admin token; unset: only callers on this machine get in. */
  token: string | undefined
  snapshot: () => Promise<DashboardSnapshot>
  actions: ActionContext
  metrics: Pick<Metrics, 'recordAdminAction'>
  /** Calls back when there is a new snapshot. Returns how to stop. */
  onChange: (listener: () => void) => () => void
}

const MAX_STREAMS = 50
const Credentials = z.object({ token: z.string().max(1000) })

/** The pages for operators, and their actions. */
export function serveDashboard(app: FastifyInstance, { token, snapshot, actions, metrics, onChange }: DashboardOptions): void {
  const auth = new AdminAuth(token)
  // Signing in works without a script.
  parseForms(app)
  serveAdminAssets(app)

  app.get('/', async (request, reply) => {
    const identity = auth.identify(request)
    if (identity === null && auth.needsToken) return reply.redirect('/login', 303)
    const { csrfToken, who } = requireIdentity(auth, request)
    return sendPage(reply, dashboardPage(await snapshot(), csrfToken, who === 'session'))
  })

  app.get('/board', async (request, reply) => {
    requireIdentity(auth, request)
    return reply.header('Cache-Control', 'no-store').send(await snapshot())
  })

  app.get('/login', async (_request, reply) => (auth.needsToken ? sendPage(reply, loginPage(null)) : reply.redirect('/', 303)))
  app.post('/login', async (request, reply) => {
    const given = Credentials.safeParse(request.body)
    const cookie = given.success ? auth.signIn(request, given.data.token) : null
    if (cookie === null) return sendPage(reply.status(403), loginPage('That is not the admin token.'))
    request.log.info({ address: request.ip }, 'an admin session was opened')
    return reply.header('Set-Cookie', cookie).redirect('/', 303)
  })
  app.post('/logout', async (request, reply) => reply.header('Set-Cookie', auth.signOut(request)).redirect('/login', 303))

  app.post('/actions', async (request, reply) => {
    const identity = requireIdentity(auth, request)
    auth.checkCsrf(request, identity)
    const submitted = await performAction(actions, request.body, { who: identity.who, address: request.ip, requestId: request.id })
    metrics.recordAdminAction(submitted.order.kind)
    return reply.status(202).send({ request: submitted.id, projection: submitted.projection, kind: submitted.order.kind })
  })

  const streams = new Set<ServerResponse>()
  app.get('/live', async (request, reply) => {
    requireIdentity(auth, request)
    if (streams.size >= MAX_STREAMS) throw new ServiceError('upstream_unavailable', 'Too many dashboards are open.', { retryAfterS: 10 })
    reply.hijack()
    const stream = reply.raw
    const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }
    stream.writeHead(200, { ...securityHeaders(request), ...headers })
    streams.add(stream)
    // A slow reader skips snapshots; each one is complete.
    const send = async () => {
      const current = await snapshot().catch(() => null)
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

function requireIdentity(auth: AdminAuth, request: FastifyRequest): AdminIdentity {
  const identity = auth.identify(request)
  if (identity !== null) return identity
  throw auth.needsToken
    ? new ServiceError('unauthorized', 'The admin token is needed here: Authorization: Bearer …, or sign in at /login.')
    : new ServiceError('forbidden', 'Without ADMIN_TOKEN the admin pages answer callers on this machine only.')
}
