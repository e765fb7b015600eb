import { tagLabel } from '../../readmodels/tags/tag-key.js'
import type { VitrineEvent } from '../../src/events/index.js'
import { type Sort, Standing } from './public-view.js'
import { Facts, type Follow, type Made, type Person } from './recorded-facts.js'
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
 * The community as anybody would write it down who has never heard of projections: it keeps what was said, and
 * recomputes everything from that at each question. Slow, obvious, and the judge of the real thing.
 */
export class Community {
  readonly #now: Standing
  readonly #domain: string

  constructor(events: Iterable<VitrineEvent>, domain = 'vitrine.example') {
    this.#now = new Standing(new Facts(events))
    this.#domain = domain
  }

  /** All of it, in order; the real feed gives the same a page at a time. */
  feed({ sort = 'trending', category, tag, featuredOnly = false, q, locale = 'en' }: FeedQuestion) {
    const found = this.#now.everythingPublic().filter((made) => {
      if (category !== undefined && made.category !== category) return false
      if (tag !== undefined && !made.tags.includes(tag)) return false
      if (featuredOnly && !made.featured) return false
      return q === undefined || matchesText(made, q)
    })
    return { items: this.#now.sorted(found, sort).map((made) => this.#item(made, locale)), total: found.length }
  }

  /** The number that a sort goes by. */
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
    const first = (list: Made[], sort: Sort, limit: number) =>
      this.#now
        .sorted(list, sort)
        .slice(0, limit)
        .map((made) => this.#item(made, locale))
    const featured = all.filter((made) => made.featured)
    const categories = [...this.#now.facts.categories.values()].sort((a, b) => a.order - b.order || byCodePoint(a.slug, b.slug))
    return {
      spotlight: first(
        all.filter((made) => made.spotlight),
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
        count: all.filter((made) => made.category === slug).length,
        coverUrl,
      })),
    }
  }

  /** Null where the real one answers 404. */
  profile(handle: string, locale = 'en') {
    const person = this.#holder(handle)
    if (person === undefined) return null
    const apps = this.#now.everythingPublic().filter((made) => made.creatorId === person.id)
    const sum = (numberOf: (made: Made) => number) => apps.reduce((total, made) => total + numberOf(made), 0)
    const topScores = this.#now.bestScores().flatMap(({ creationId, userId, score, time }) => {
      const made = this.#now.facts.creation(creationId)
      if (userId !== person.id || !this.#now.isPublic(made)) return []
      const owner = this.#owner(made)
      return [{ handle: owner.handle, slug: made.slug, title: inLocale(made.title, locale), score, achievedAt: moment(time) }]
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
        likes: sum((made) => this.#now.likes(made)),
        remixes: sum((made) => this.#now.remixes(made).length),
        plays: sum((made) => made.plays.length),
        followers: this.#follows(({ followedId }) => followedId === person.id).length,
        following: this.#follows(({ followerId }) => followerId === person.id).length,
      },
      apps: this.#now
        .sorted(apps, 'recent')
        .slice(0, 48)
        .map((made) => this.#item(made, locale)),
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
    const claims = this.#now.everythingPublic().filter((made) => made.creatorId === person?.id && made.slug === slug)
    const made = claims.sort((a, b) => b.slugAt - a.slugAt)[0]
    if (person === undefined || made === undefined) return null
    const item = this.#item(made, locale)
    const leaders = this.#now.bestScores().filter(({ creationId }) => creationId === made.id)
    return {
      ...item,
      remixes: this.#now
        .sorted(this.#now.remixes(made), 'liked')
        .slice(0, 12)
        .map((remix) => this.#item(remix, locale)),
      leaderboard: leaders.slice(0, 10).map(({ userId, score, time }) => {
        const player = this.#now.member(userId)
        return { handle: player?.handle ?? null, displayName: player?.displayName ?? null, score, achievedAt: moment(time) }
      }),
      share: {
        title: `${item.title} · ${person.displayName}`,
        description: item.description,
        imageUrl: made.coverUrl,
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
    const standing = ({ followedId, followerId }: Follow) => !this.#now.isErased(followedId) && !this.#now.isErased(followerId)
    return [...this.#now.facts.follows.values()].filter((follow) => standing(follow) && where(follow))
  }

  #holder(handle: string): Person | undefined {
    const claims = this.#now.members().filter((person) => person.handle.toLowerCase() === handle.toLowerCase())
    return claims.sort((a, b) => b.handleAt - a.handleAt)[0]
  }

  #owner(made: Made): Person {
    const owner = this.#now.member(made.creatorId)
    if (owner === undefined) throw new Error(`${made.id} is not public`)
    return owner
  }

  #url = ({ handle }: Person): string => `https://${handle.toLowerCase()}.${this.#domain}/`

  #item(made: Made, locale: string) {
    const owner = this.#owner(made)
    const original = this.#now.original(made)
    const { id, slug, kind, category, tags, coverUrl, featured } = made
    return {
      id,
      slug,
      url: this.#url(owner) + slug,
      kind,
      title: inLocale(made.title, locale),
      description: inLocale(made.description, locale),
      category,
      tags,
      coverUrl,
      featured,
      creator: { handle: owner.handle, displayName: owner.displayName, avatarUrl: owner.avatarUrl },
      stats: { likes: this.#now.likes(made), remixes: this.#now.remixes(made).length, plays: made.plays.length },
      remixOf: original ? { handle: this.#owner(original).handle, slug: original.slug, title: inLocale(original.title, locale) } : null,
      publishedAt: moment(made.publishedAt),
      updatedAt: moment(made.updatedAt),
    }
  }
}

const moment = (time: number): string => new Date(time).toISOString()
