import type { FastifyInstance } from 'fastify'
import type { ServiceStatus } from '../../observe/service-status.js'

/** 200 also when something is wrong: it is the answer to the question, and the question was answered. */
export function serveStatus(app: FastifyInstance, status: ServiceStatus): void {
  app.get('/status', async (_request, reply) => reply.header('Cache-Control', 'no-store').send(await status.current()))
}
