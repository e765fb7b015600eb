import type { Localizer } from '../../src/contract/locale.js'
import { isoTime } from '../../src/events/index.js'
import type { Creation } from './creation.js'
import type { Item } from './documents.js'

/** Public addresses, all under one domain. */
export class PublicUrls {
  readonly #scheme: string
  readonly #domain: string

  constructor(publicDomain: string) {
    this.#domain = publicDomain
    // Nobody has a certificate for localhost; everywhere else creators' pages are served over TLS.
    this.#scheme = /(^|\.)localhost(:\d+)?$/.test(publicDomain) ? 'http' : 'https'
  }

  creator(handle: string): string {
    return `${this.#scheme}://${handle.toLowerCase()}.${this.#domain}/`
  }

  creation(handle: string, slug: string): string {
    return this.creator(handle) + slug
  }
}

/** A public creation as readers get it. */
export function renderCreation(item: Item, reader: Localizer, addresses: PublicUrls): Creation {
  const { creator, slug, kind, category, original } = item
  if (creator === null || slug === null || kind === null || category === null)
    throw new Error(`creation ${item._id} is listed but not public`)
  return {
    id: item._id,
    slug,
    url: addresses.creation(creator.handle, slug),
    kind,
    title: reader.text(item.title),
    description: reader.text(item.description),
    category,
    tags: item.tags,
    coverUrl: item.coverUrl,
    featured: item.featured,
    creator,
    stats: { likes: item.likes, remixes: item.remixes, plays: item.plays },
    remixOf: original === null ? null : { handle: original.handle, slug: original.slug, title: reader.text(original.title) },
    publishedAt: isoTime(item.publishedAt),
    updatedAt: isoTime(item.updatedAt),
  }
}
