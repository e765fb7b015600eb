import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { notFound } from '../../../contract/errors.js'
import { packageRoot } from '../../../lib/package-root.js'
import { contentTypeOf } from '../../plugins/response-headers.js'

const FOLDER = new URL('public/', packageRoot)

/** For a year: the name of an asset changes with its contents. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

const PICTURE: FastifyContextConfig = { kind: 'picture', limit: 'pictures' }

/** Styles, scripts, fonts and icons, held in memory under names that carry a hash of their contents. */
export class Assets {
  readonly #files = new Map<string, { hash: string; content: Buffer | string }>()

  constructor(made: Record<string, string> = {}) {
    for (const name of listFiles('fonts/', '.woff2')) this.#add(name, readFileSync(new URL(`fonts/${name}`, FOLDER)))
    for (const name of [...listFiles('', '.js'), ...listFiles('', '.svg'), ...listFiles('', '.png')])
      this.#add(name, readFileSync(new URL(name, FOLDER)))
    for (const [name, content] of Object.entries(made)) this.#add(name, content)
    this.#add('vitrine.css', this.#styles())
    this.#add('manifest.json', manifest(this))
  }

  /** Where to find an asset, e.g. `/assets/vitrine.3fa9c1d2.css`. */
  path(name: string): string {
    const file = this.#files.get(name)
    if (file === undefined) throw new Error(`there is no asset called ${name}`)
    return `/assets/${hashedName(name, file.hash)}`
  }

  serve(app: FastifyInstance): void {
    app.get<{ Params: { file: string } }>('/assets/:file', { config: PICTURE }, async (request, reply) => {
      const [, stem, hash, extension] = /^([a-z0-9-]+)\.([0-9a-f]{10})(\.[a-z0-9]+)$/.exec(request.params.file) ?? []
      const file = this.#files.get(`${stem}${extension}`)
      if (file === undefined || extension === undefined) throw notFound('There is no such asset.')
      // During a rolling deploy, a page of one release may ask the other release for an asset with another hash.
      reply.header('Cache-Control', hash === file.hash ? IMMUTABLE : 'no-cache')
      return reply.type(contentTypeOf(request.params.file)).send(file.content)
    })
  }

  #add(name: string, content: Buffer | string): void {
    this.#files.set(name, { hash: createHash('sha256').update(content).digest('hex').slice(0, 10), content })
  }

  /** One stylesheet, written in parts; fonts are named in it without their hash. */
  #styles(): string {
    const parts = listFiles('styles/', '.css').map((name) => readFileSync(new URL(`styles/${name}`, FOLDER), 'utf8'))
    return parts.join('\n').replaceAll(/url\("([a-z0-9-]+\.woff2)"\)/g, (_, name: string) => `url("${this.path(name)}")`)
  }
}

const listFiles = (folder: string, extension: string): string[] =>
  readdirSync(new URL(folder, FOLDER))
    .filter((name) => extname(name) === extension)
    .sort()

const hashedName = (name: string, hash: string): string => name.replace(/(\.[a-z0-9]+)$/, `.${hash}$1`)

/** The web app manifest, for installing the gallery on a phone. */
export const manifest = (assets: { path(name: string): string }): string =>
  JSON.stringify({
    name: 'Vitrine',
    short_name: 'Vitrine',
    start_url: '/',
    display: 'standalone',
    background_color: '#faf8f4',
    theme_color: '#faf8f4',
    icons: [
      { src: assets.path('icon.svg'), sizes: 'any', type: 'image/svg+xml' },
      { src: assets.path('icon-192.png'), sizes: '192x192', type: 'image/png' },
    ],
  })

export type DrawPicture = (folder: 'covers' | 'avatars', key: string) => Promise<string>

/** The demo's covers and avatars, drawn on request from their name: nothing is stored or fetched. */
export function servePictures(app: FastifyInstance, draw: DrawPicture): void {
  for (const folder of ['covers', 'avatars'] as const) {
    app.get<{ Params: { file: string } }>(`/${folder}/:file`, { config: PICTURE }, async (request, reply) => {
      const [, key] = /^([a-z0-9-]{1,80})\.svg$/.exec(request.params.file) ?? []
      if (key === undefined) throw notFound('There is no such picture.')
      // An SVG opened on its own must not run scripts.
      reply.headers({ 'Cache-Control': 'public, max-age=86400', 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" })
      return reply.type('image/svg+xml').send(await draw(folder, key))
    })
  }
}
