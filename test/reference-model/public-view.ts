import { addHeat, NO_HEAT, trendingKey, weightOf } from '../../readmodels/feed/trending.js'
import type { Creation, Person, RecordedFacts } from './recorded-facts.js'

export type Sort = 'trending' | 'recent' | 'popular' | 'remixed' | 'liked'

export interface Best {
  creationId: string
  userId: string
  score: number
  time: number
}

/** Who is a member, what is public, and in which order: recomputed from the facts at every read. */
export class PublicView {
  constructor(readonly facts: RecordedFacts) {}

  /** Erased by any event of the log: what they did before it and after it is gone. */
  isErased(id: string): boolean {
    return this.facts.people.get(id)?.erased === true
  }

  /** Registered and not erased. */
  member(id: string | null): Person | undefined {
    const person = id === null ? undefined : this.facts.people.get(id)
    return person?.registered && !person.erased ? person : undefined
  }

  members(): Person[] {
    return [...this.facts.people.values()].filter(({ id }) => this.member(id) !== undefined)
  }

  /** Removed, or a publication names an erased creator. */
  isGone(creation: Creation): boolean {
    return creation.removed || [...creation.named].some((id) => this.isErased(id))
  }

  isPublic(creation: Creation): boolean {
    return creation.shown && !this.isGone(creation) && this.member(creation.creatorId) !== undefined
  }

  everythingPublic(): Creation[] {
    return [...this.facts.creations.values()].filter((creation) => this.isPublic(creation))
  }

  likes(creation: Creation): number {
    return [...creation.likes].filter(([userId, { active }]) => active && !this.isErased(userId)).length
  }

  remixes(creation: Creation): Creation[] {
    return this.everythingPublic().filter((remix) => remix.remixOf === creation.id)
  }

  original(creation: Creation): Creation | undefined {
    const original = creation.remixOf === null ? undefined : this.facts.creations.get(creation.remixOf)
    return original && this.isPublic(original) ? original : undefined
  }

  sortValue(creation: Creation, sort: Sort): number {
    if (sort === 'recent') return creation.publishedAt
    if (sort === 'popular') return creation.plays.length
    if (sort === 'remixed') return this.remixes(creation).length
    return sort === 'liked' ? this.likes(creation) : trendingKey(this.#heat(creation))
  }

  sorted(list: readonly Creation[], sort: Sort): Creation[] {
    const values = new Map(list.map((creation) => [creation, this.sortValue(creation, sort)]))
    return list.toSorted((a, b) => (values.get(b) ?? 0) - (values.get(a) ?? 0) || (a.id < b.id ? 1 : -1))
  }

  /** The best score of each player in each game that is not removed; best first. */
  bestScores(): Best[] {
    const best = new Map<string, Best>()
    for (const creation of this.facts.creations.values()) {
      if (this.isGone(creation)) continue
      for (const { userId, score, time } of creation.scores) {
        if (this.isErased(userId)) continue
        const edge = `${creation.id}~${userId}`
        const known = best.get(edge)
        if (known === undefined || score > known.score || (score === known.score && time < known.time))
          best.set(edge, { creationId: creation.id, userId, score: score + 0, time })
      }
    }
    const order = ([a, one]: [string, Best], [b, other]: [string, Best]) =>
      other.score - one.score || one.time - other.time || (a < b ? -1 : 1)
    return [...best].sort(order).map(([, score]) => score)
  }

  #heat(creation: Creation): string {
    let heat = NO_HEAT
    for (const [userId, { firstAt }] of creation.likes) if (!this.isErased(userId)) heat = addHeat(heat, weightOf('like', firstAt))
    for (const time of creation.plays) heat = addHeat(heat, weightOf('play', time))
    for (const { time } of creation.scores) heat = addHeat(heat, weightOf('score', time))
    for (const remix of this.facts.creations.values()) {
      if (remix.remixOf === creation.id && !this.isGone(remix)) heat = addHeat(heat, weightOf('remix', remix.publishedAt))
    }
    return heat
  }
}
