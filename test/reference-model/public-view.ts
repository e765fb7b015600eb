import { addHeat, NO_HEAT, trendingKey, weightOf } from '../../projections/feed/trending.js'
import type { Facts, Made, Person } from './recorded-facts.js'

export type Sort = 'trending' | 'recent' | 'popular' | 'remixed' | 'liked'

export interface Best {
  creationId: string
  userId: string
  score: number
  time: number
}

/** Who and what counts, recomputed from the facts at every question. */
export class Standing {
  constructor(readonly facts: Facts) {}

  /** Erased wherever in the log it says so: what they did before and what they do after are gone alike. */
  isErased(id: string): boolean {
    return this.facts.people.get(id)?.erased === true
  }

  /** Somebody with an address. */
  member(id: string | null): Person | undefined {
    const person = id === null ? undefined : this.facts.people.get(id)
    return person?.registered && !person.erased ? person : undefined
  }

  members(): Person[] {
    return [...this.facts.people.values()].filter(({ id }) => this.member(id) !== undefined)
  }

  isPublic(made: Made): boolean {
    return made.shown && !made.removed && this.member(made.creatorId) !== undefined
  }

  everythingPublic(): Made[] {
    return [...this.facts.made.values()].filter((made) => this.isPublic(made))
  }

  likes(made: Made): number {
    return [...made.likes].filter(([userId, { active }]) => active && !this.isErased(userId)).length
  }

  remixes(made: Made): Made[] {
    return this.everythingPublic().filter((remix) => remix.remixOf === made.id)
  }

  original(made: Made): Made | undefined {
    const original = made.remixOf === null ? undefined : this.facts.made.get(made.remixOf)
    return original && this.isPublic(original) ? original : undefined
  }

  sortValue(made: Made, sort: Sort): number {
    if (sort === 'recent') return made.publishedAt
    if (sort === 'popular') return made.plays.length
    if (sort === 'remixed') return this.remixes(made).length
    return sort === 'liked' ? this.likes(made) : trendingKey(this.#heat(made))
  }

  sorted(list: readonly Made[], sort: Sort): Made[] {
    const values = new Map(list.map((made) => [made, this.sortValue(made, sort)]))
    return list.toSorted((a, b) => (values.get(b) ?? 0) - (values.get(a) ?? 0) || (a.id < b.id ? 1 : -1))
  }

  /** Everybody's best in every game that is not gone; best first. */
  bestScores(): Best[] {
    const best = new Map<string, Best>()
    for (const made of this.facts.made.values()) {
      if (made.removed || (made.creatorId !== null && this.isErased(made.creatorId))) continue
      for (const { userId, score, time } of made.scores) {
        if (this.isErased(userId)) continue
        const edge = `${made.id}~${userId}`
        const known = best.get(edge)
        if (known === undefined || score > known.score || (score === known.score && time < known.time))
          best.set(edge, { creationId: made.id, userId, score: score + 0, time })
      }
    }
    const order = ([a, one]: [string, Best], [b, other]: [string, Best]) =>
      other.score - one.score || one.time - other.time || (a < b ? -1 : 1)
    return [...best].sort(order).map(([, score]) => score)
  }

  #heat(made: Made): string {
    let heat = NO_HEAT
    for (const [userId, { firstAt }] of made.likes) if (!this.isErased(userId)) heat = addHeat(heat, weightOf('like', firstAt))
    for (const time of made.plays) heat = addHeat(heat, weightOf('play', time))
    for (const { time } of made.scores) heat = addHeat(heat, weightOf('score', time))
    for (const remix of this.facts.made.values()) {
      const gone = remix.removed || remix.creatorId === null || this.isErased(remix.creatorId)
      if (remix.remixOf === made.id && !gone) heat = addHeat(heat, weightOf('remix', remix.publishedAt))
    }
    return heat
  }
}
