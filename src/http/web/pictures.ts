import type { FastifyInstance } from 'fastify'
import { notFound } from '../../contract/errors.js'

const A_DAY = 'public, max-age=86400'

export type DrawPicture = (folder: 'covers' | 'avatars', key: string) => Promise<string>

/** The demo's covers and avatars, drawn on request from their name: nothing is stored or fetched. */
export function servePictures(app: FastifyInstance, draw: DrawPicture): void {
  for (const folder of ['covers', 'avatars'] as const) {
    app.get<{ Params: { file: string } }>(`/${folder}/:file`, async (request, reply) => {
      const [, key] = /^([a-z0-9-]{1,80})\.svg$/.exec(request.params.file) ?? []
      if (key === undefined) throw notFound('There is no such picture.')
      // An SVG opened on its own must not run scripts.
      reply.headers({ 'Cache-Control': A_DAY, 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" })
      return reply.type('image/svg+xml').send(await draw(folder, key))
    })
  }
}
