import { tagLabel } from '../../readmodels/tags/tag-key.js'
import type { VitrineEvent } from '../../src/events/index.js'
import { PublicView, type Sort } from './public-view.js'
import { type Creation, type Follow, type Person, RecordedFacts } from './recorded-facts.js'
import { byCodePoint, inLocale, matchesText } from './text.js'

export interface FeedQuestion {
  sort?: Sort
  category?: string | undefined
  tag?: string | undefined
  featuredOnly?: boolean
  q?: string
  locale?: string
}

/**
 * The reference model: the community without projections. It keeps what the events said and
 * recomputes everything at each read. Slow and obvious; the real answers are compared with it.
 */
export class Community {
  readonly #now: PublicView
  readonly #domain: string

  constructor(events: Iterable<VitrineEvent>, domain = 'vitrine.example') {
    this.#now = new PublicView(new RecordedFacts(events))
    this.#domain = domain
  }

  /** The whole feed, in order; the real feed returns the same, a page at a time. */
  feed({ sort = 'trending', category, tag, featuredOnly = false, q, locale = 'en' }: FeedQuestion) {
    const found = this.#now.everythingPublic().filter((creation) => {
      if (category !== undefined && creation.category !== category) return false
      if (tag !== undefined && !creation.tags.includes(tag)) return false
      if (featuredOnly && !creation.featured) return false
      return q === undefined || matchesText(creation, q)
    })
    return { items: this.#now.sorted(found, sort).map((creation) => this.#item(creation, locale)), total: found.length }
  }

  /** The value that a sort orders by. */
  sortValue(id: string, sort: Sort): number {
    return this.#now.sortValue(this.#now.facts.creation(id), sort)
  }

  tags() {
    const counts = new Map<string, number>()
    for (const key of this.#now.everythingPublic().flatMap(({ tags }) => tags)) counts.set(key, (counts.get(key) ?? 0) + 1)
    const items = [...counts].map(([key, count]) => ({ key, label: tagLabel(key), count }))
    return { items: items.sort((a, b) => b.count - a.count || byCodePoint(a.key, b.key)).slice(0, 100), total: counts.size }
  }

  landing(locale = 'en') {
    const all = this.#now.everythingPublic()
    const first = (list: Creation[], sort: Sort, limit: number) =>
      this.#now
        .sorted(list, sort)
        .slice(0, limit)
        .map((creation) => this.#item(creation, locale))
    const featured = all.filter((creation) => creation.featured)
    const categories = [...this.#now.facts.categories.values()].sort((a, b) => a.order - b.order || byCodePoint(a.slug, b.slug))
    return {
      spotlight: first(
        all.filter((creation) => creation.spotlight),
        'recent',
        6,
      ),
      rails: [
        ...(['trending', 'recent', 'remixed', 'liked'] as const).map((sort) => ({ key: sort, items: first(all, sort, 12) })),
        { key: 'featured', items: first(featured, 'recent', 12) },
      ],
      categories: categories.map(({ slug, label, coverUrl }) => ({
        slug,
        label: inLocale(label, locale),
        count: all.filter((creation) => creation.category === slug).length,
        coverUrl,
      })),
    }
  }

  /** Null where the real one answers 404. */
  profile(handle: string, locale = 'en') {
    const person = this.#holder(handle)
    if (person === undefined) return null
    const apps = this.#now.everythingPublic().filter((creation) => creation.creatorId === person.id)
    const sum = (numberOf: (creation: Creation) => number) => apps.reduce((total, creation) => total + numberOf(creation), 0)
    const topScores = this.#now.bestScores().flatMap(({ creationId, userId, score, time }) => {
      const creation = this.#now.facts.creation(creationId)
      if (userId !== person.id || !this.#now.isPublic(creation)) return []
      const owner = this.#owner(creation)
      return [{ handle: owner.handle, slug: creation.slug, title: inLocale(creation.title, locale), score, achievedAt: moment(time) }]
    })
    const { displayName, bio, avatarUrl, links, joinedAt } = person
    return {
      handle: person.handle,
      displayName,
      bio,
      avatarUrl,
      url: this.#url(person),
      links,
      joinedAt: moment(joinedAt),
      stats: {
        apps: apps.length,
        likes: sum((creation) => this.#now.likes(creation)),
        remixes: sum((creation) => this.#now.remixes(creation).length),
        plays: sum((creation) => creation.plays.length),
        followers: this.#follows(({ followedId }) => followedId === person.id).length,
        following: this.#follows(({ followerId }) => followerId === person.id).length,
      },
      apps: this.#now
        .sorted(apps, 'recent')
        .slice(0, 48)
        .map((creation) => this.#item(creation, locale)),
      topScores: topScores.slice(0, 10),
    }
  }

  followers(handle: string, limit = 24) {
    return this.#list(handle, limit, 'followedId', 'followerId')
  }

  following(handle: string, limit = 24) {
    return this.#list(handle, limit, 'followerId', 'followedId')
  }

  share(handle: string, slug: string, locale = 'en') {
    const person = this.#holder(handle)
    const claims = this.#now.everythingPublic().filter((creation) => creation.creatorId === person?.id && creation.slug === slug)
    const creation = claims.sort((a, b) => b.slugAt - a.slugAt)[0]
    if (person === undefined || creation === undefined) return null
    const item = this.#item(creation, locale)
    const leaders = this.#now.bestScores().filter(({ creationId }) => creationId === creation.id)
    return {
      ...item,
      remixes: this.#now
        .sorted(this.#now.remixes(creation), 'liked')
        .slice(0, 12)
        .map((remix) => this.#item(remix, locale)),
      leaderboard: leaders.slice(0, 10).map(({ userId, score, time }) => {
        const player = this.#now.member(userId)
        return { handle: player?.handle ?? null, displayName: player?.displayName ?? null, score, achievedAt: moment(time) }
      }),
      share: {
        title: `${item.title} · ${person.displayName}`,
        description: item.description,
        imageUrl: creation.coverUrl,
        url: item.url,
      },
    }
  }

  #list(handle: string, limit: number, of: 'followedId' | 'followerId', other: 'followedId' | 'followerId') {
    const person = this.#holder(handle)
    if (person === undefined) return null
    const edges = this.#follows((follow) => follow[of] === person.id)
    const id = (edge: Follow) => `${edge.followedId}~${edge.followerId}`
    edges.sort((a, b) => b.since - a.since || (id(a) < id(b) ? 1 : -1))
    const items = edges.slice(0, limit).map((edge) => {
      const member = this.#now.member(edge[other])
      const { handle = null, displayName = null, avatarUrl = null } = member ?? {}
      return { handle, displayName, avatarUrl, url: member === undefined ? null : this.#url(member), since: moment(edge.since) }
    })
    return { items, total: edges.length, limit }
  }

  #follows(where: (follow: Follow) => boolean): Follow[] {
    const isKept = ({ followedId, followerId }: Follow) => !this.#now.isErased(followedId) && !this.#now.isErased(followerId)
    return [...this.#now.facts.follows.values()].filter((follow) => isKept(follow) && where(follow))
  }

  #holder(handle: string): Person | undefined {
    const claims = this.#now.members().filter((person) => person.handle.toLowerCase() === handle.toLowerCase())
    return claims.sort((a, b) => b.handleAt - a.handleAt)[0]
  }

  #owner(creation: Creation): Person {
    const owner = this.#now.member(creation.creatorId)
    if (owner === undefined) throw new Error(`${creation.id} is not public`)
    return owner
  }

  #url = ({ handle }: Person): string => `https://${handle.toLowerCase()}.${this.#domain}/`

  #item(creation: Creation, locale: string) {
    const owner = this.#owner(creation)
    const original = this.#now.original(creation)
    const { id, slug, kind, category, tags, coverUrl, featured } = creation
    return {
      id,
      slug,
      url: this.#url(owner) + slug,
      kind,
      title: inLocale(creation.title, locale),
      description: inLocale(creation.description, locale),
      category,
      tags,
      coverUrl,
      featured,
      creator: { handle: owner.handle, displayName: owner.displayName, avatarUrl: owner.avatarUrl },
      stats: { likes: this.#now.likes(creation), remixes: this.#now.remixes(creation).length, plays: creation.plays.length },
      remixOf: original ? { handle: this.#owner(original).handle, slug: original.slug, title: inLocale(original.title, locale) } : null,
      publishedAt: moment(creation.publishedAt),
      updatedAt: moment(creation.updatedAt),
    }
  }
}

const moment = (time: number): string => new Date(time).toISOString()
