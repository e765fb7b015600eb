import { tagKey } from '../../readmodels/tags/tag-key.js'
import { type EventOf, type Localized, REMOVAL_EVENTS, type VitrineEvent } from '../../src/events/index.js'

/** A creator, or any person whose id an event names. */
export interface Person {
  id: string
  registered: boolean
  erased: boolean
  handle: string
  handleAt: number
  displayName: string
  bio: string
  avatarUrl: string | null
  links: { label: string; url: string }[]
  joinedAt: number
}

export interface Creation {
  id: string
  /** Null until the first publication. */
  creatorId: string | null
  /** The creators that all its publications name. */
  named: Set<string>
  remixOf: string | null
  publishedAt: number
  shown: boolean
  removed: boolean
  kind: string
  slug: string
  slugAt: number
  title: Localized
  description: Localized
  category: string
  tags: string[]
  coverUrl: string | null
  updatedAt: number
  featured: boolean
  spotlight: boolean
  /** By user: when they first liked it, and whether they still do. */
  likes: Map<string, { firstAt: number; active: boolean }>
  plays: number[]
  scores: { userId: string; score: number; time: number }[]
}

export interface Follow {
  followedId: string
  followerId: string
  since: number
}

export interface Category {
  slug: string
  label: Localized
  order: number
  coverUrl: string | null
}

/**
 * What the events of a log say. Nothing is counted and no one is erased
 * here: every read does that itself, over all of it.
 */
export class RecordedFacts {
  readonly people = new Map<string, Person>()
  readonly creations = new Map<string, Creation>()
  readonly follows = new Map<string, Follow>()
  readonly categories = new Map<string, Category>()

  /**
   * Each aggregate's events by sequence, wherever they stand in the log. Of two with one sequence the first counts, but no
   * event takes the place of a removal.
   */
  constructor(events: Iterable<VitrineEvent>) {
    const bySequence = new Map<string, VitrineEvent>()
    for (const event of [...events].sort((a, b) => a.position - b.position)) {
      const key = `${event.aggregate} ${REMOVAL_EVENTS.has(event.name) ? 'removed' : event.sequence}`
      if (!bySequence.has(key)) bySequence.set(key, event)
    }
    for (const event of [...bySequence.values()].sort((a, b) => a.sequence - b.sequence)) this.#record(event)
  }

  person(id: string): Person {
    const known = this.people.get(id) ?? unknownPerson(id)
    this.people.set(id, known)
    return known
  }

  creation(id: string): Creation {
    const known = this.creations.get(id) ?? unknownCreation(id)
    this.creations.set(id, known)
    return known
  }

  #record(event: VitrineEvent): void {
    if (event.name === 'category.defined') this.categories.set(event.key, { ...event.data })
    else if (event.kind === 'creator') this.#recordPerson(this.person(event.key), event)
    else this.#recordCreation(this.creation(event.key), event)
  }

  #recordPerson(person: Person, event: VitrineEvent): void {
    switch (event.name) {
      case 'creator.registered': {
        const { creatorId: _, ...profile } = event.data
        Object.assign(person, profile, { registered: true, handleAt: event.position, joinedAt: event.time })
        break
      }
      case 'creator.profile_changed':
        Object.assign(person, given(event.data))
        break
      case 'creator.handle_changed':
        Object.assign(person, { handle: event.data.handle, handleAt: event.position })
        break
      case 'creator.followed': {
        const { followerId } = event.data
        const edge = `${person.id}~${followerId}`
        this.follows.set(edge, { followedId: person.id, followerId, since: event.time })
        break
      }
      case 'creator.unfollowed':
        this.follows.delete(`${person.id}~${event.data.followerId}`)
        break
      case 'creator.removed':
        person.erased = true
    }
  }

  #recordCreation(creation: Creation, event: VitrineEvent): void {
    switch (event.name) {
      case 'creation.published':
        publish(creation, event)
        break
      case 'creation.edited':
        edit(creation, event)
        break
      case 'creation.unpublished':
        creation.shown = false
        break
      case 'creation.republished':
        creation.shown = true
        break
      case 'creation.removed':
        creation.removed = true
        break
      case 'creation.featured':
        Object.assign(creation, { featured: true, spotlight: event.data.spotlight })
        break
      case 'creation.unfeatured':
        Object.assign(creation, { featured: false, spotlight: false })
        break
      case 'creation.liked':
        creation.likes.set(event.data.userId, { firstAt: creation.likes.get(event.data.userId)?.firstAt ?? event.time, active: true })
        break
      case 'creation.unliked': {
        const like = creation.likes.get(event.data.userId)
        if (like !== undefined) like.active = false
        break
      }
      case 'creation.played':
        creation.plays.push(event.time)
        break
      case 'creation.scored':
        creation.scores.push({ userId: event.data.userId, score: event.data.score, time: event.time })
    }
  }
}

function publish(creation: Creation, event: EventOf<'creation.published'>): void {
  const { creatorId, remixOf, kind } = event.data
  if (creation.creatorId === null)
    Object.assign(creation, { creatorId, publishedAt: event.time, remixOf: remixOf === creation.id ? null : remixOf })
  creation.named.add(creatorId)
  Object.assign(creation, { shown: true, kind })
  edit(creation, event)
}

function edit(creation: Creation, { data, time, position }: EventOf<'creation.published'> | EventOf<'creation.edited'>): void {
  const { title, description, category, coverUrl, slug } = data
  if (slug !== undefined) Object.assign(creation, { slug, slugAt: position })
  Object.assign(creation, given({ title, description, category, coverUrl }))
  if (data.tags !== undefined) creation.tags = [...new Set(data.tags.map(tagKey))].filter((key) => key !== '')
  creation.updatedAt = Math.max(creation.updatedAt, time)
}

const given = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const unknownPerson = (id: string): Person => ({
  id,
  registered: false,
  erased: false,
  handle: '',
  handleAt: 0,
  displayName: '',
  bio: '',
  avatarUrl: null,
  links: [],
  joinedAt: 0,
})

const unknownCreation = (id: string): Creation => ({
  id,
  creatorId: null,
  named: new Set(),
  remixOf: null,
  publishedAt: 0,
  shown: false,
  removed: false,
  kind: '',
  slug: '',
  slugAt: 0,
  title: {},
  description: {},
  category: '',
  tags: [],
  coverUrl: null,
  updatedAt: 0,
  featured: false,
  spotlight: false,
  likes: new Map(),
  plays: [],
  scores: [],
})
