import type { NewRecord } from '../../src/ports/event-log.js'
import { mix, permute, SeededRandom } from '../random.js'
import type { DemoContext } from './context.js'
import type { Creators } from './creators.js'
import { editEvent } from './edits.js'
import { type EventInput, record, type TimedEvents } from './events.js'
import { lifecycleStepAt } from './lifecycle.js'
import { PriorityQueue } from './priority-queue.js'
import type { Publications } from './publications.js'
import { DAY, DEMO_END, reactionTime } from './timeline.js'

/** What happens to creations once they are public: plays, likes, scores, edits, features, ends. Keeps 28 bytes for each. */
export class Engagement implements TimedEvents {
  readonly #world: DemoContext
  readonly #creators: Creators
  readonly #publications: Publications
  readonly #agenda: PriorityQueue
  readonly #dice: SeededRandom
  readonly #sequence: Uint32Array
  readonly #steps: Uint32Array
  readonly #admirers: Uint32Array
  readonly #lastLike: Uint32Array

  constructor(world: DemoContext, creators: Creators, publications: Publications) {
    this.#world = world
    this.#creators = creators
    this.#publications = publications
    this.#agenda = new PriorityQueue(world.creations)
    this.#dice = new SeededRandom(mix(world.seed, 0xe26a))
    this.#sequence = new Uint32Array(world.creations).fill(1)
    this.#steps = new Uint32Array(world.creations)
    this.#admirers = new Uint32Array(world.creations)
    this.#lastLike = new Uint32Array(world.creations)
    publications.onPublished = (creation) => this.#plan(creation)
  }

  get time(): number {
    return this.#agenda.nextTime
  }

  next(): NewRecord | undefined {
    const time = this.#agenda.nextTime
    const creation = this.#agenda.pop()
    // Nothing happens to the creations of a creator who has left.
    if (this.#publications.isGone(creation)) return undefined
    const step = (this.#steps[creation] ?? 0) + 1
    this.#steps[creation] = step
    this.#plan(creation)
    return this.#lifecycleEvent(creation, time, step) ?? this.#reaction(creation, time)
  }

  #plan(creation: number): void {
    const attention = this.#publications.attention(creation)
    const step = this.#steps[creation] ?? 0
    if (step >= attention) return
    const luck = mix(this.#world.seed, 0x11fe, creation)
    const lifetime = (4 + (luck % 30) + ((luck >>> 8) % 8 === 0 ? (luck >>> 12) % 400 : 0)) * DAY
    const time = reactionTime(step, attention, mix(luck, step), this.#publications.publishedAt(creation), lifetime)
    if (time < DEMO_END) this.#agenda.add(creation, time)
  }

  /** The lifecycle event of this step, if any. */
  #lifecycleEvent(creation: number, time: number, step: number): NewRecord | undefined {
    const fate = lifecycleStepAt(creation, step, this.#publications.attention(creation), this.#world.seed)
    switch (fate?.what) {
      case undefined:
        return undefined
      case 'edit':
        return editEvent(this.#world, this.#publications, creation, { sequence: this.#nextSequence(creation), time, nth: fate.nth })
      case 'feature':
        return this.#event('creation.featured', creation, time, { spotlight: fate.spotlight })
      case 'unfeature':
        return this.#event('creation.unfeatured', creation, time, {})
      case 'hide':
        this.#publications.hide(creation, true)
        return this.#event('creation.unpublished', creation, time, { reason: fate.reason })
      case 'show':
        this.#publications.hide(creation, false)
        return this.#event('creation.republished', creation, time, { reason: fate.reason })
      case 'remove':
        this.#publications.remove(creation)
        return this.#event('creation.removed', creation, time, { reason: fate.reason })
    }
  }

  #reaction(creation: number, time: number): NewRecord | undefined {
    // A page that was open when the creation was hidden can still be used, but few are.
    if (this.#publications.isHidden(creation) && this.#dice.chance(3, 4)) return undefined
    const isGame = this.#publications.kind(creation) === 'game'
    const outOf100 = this.#dice.below(100)
    if (outOf100 < 2) return this.#unlike(creation, time) ?? this.#play(creation, time)
    if (outOf100 < (isGame ? 28 : 38)) return this.#like(creation, time)
    return isGame && outOf100 < 64 ? this.#score(creation, time) : this.#play(creation, time)
  }

  #like(creation: number, time: number): NewRecord {
    const stranger = this.#dice.chance(1, 100)
    const user = stranger ? this.#world.creators + this.#dice.below(1 + this.#world.creators) : this.#admirer(creation)
    if (user === undefined) return this.#play(creation, time)
    this.#lastLike[creation] = user + 1
    return this.#event('creation.liked', creation, time, { userId: this.#world.ids.creator(user) })
  }

  /** Each liker comes once: members are walked in shuffled order, skipping those who are absent. */
  #admirer(creation: number): number | undefined {
    const { seed, creators } = this.#world
    for (let look = 0; look < 4; look++) {
      const nth = this.#admirers[creation] ?? 0
      if (nth >= creators) return undefined
      this.#admirers[creation] = nth + 1
      const user = permute(nth, creators, mix(seed, 0x11ce, creation))
      if (this.#creators.isHere(user)) return user
    }
    return undefined
  }

  /** The latest liker takes the like back. */
  #unlike(creation: number, time: number): NewRecord | undefined {
    const user = (this.#lastLike[creation] ?? 0) - 1
    if (user < 0) return undefined
    this.#lastLike[creation] = 0
    return this.#event('creation.unliked', creation, time, { userId: this.#world.ids.creator(user) })
  }

  #play(creation: number, time: number): NewRecord {
    const seconds = 5 + this.#dice.below(60) * (1 + this.#dice.skewed(12, 1, 2))
    return this.#event('creation.played', creation, time, { userId: this.#player(), seconds })
  }

  /** Every game has its own scale of points. */
  #score(creation: number, time: number): NewRecord {
    const most = SCALES[mix(this.#world.seed, 0x5ca1e, creation) % SCALES.length] ?? 1_000
    const share = this.#dice.below(1_000) * this.#dice.below(1_000)
    return this.#event('creation.scored', creation, time, { userId: this.#player(), score: 1 + Math.floor((most * share) / 1_000_000) })
  }

  #player(): string {
    return this.#world.ids.creator(this.#creators.someUser(this.#dice))
  }

  #nextSequence(creation: number): number {
    const sequence = (this.#sequence[creation] ?? 0) + 1
    this.#sequence[creation] = sequence
    return sequence
  }

  #event<N extends CreationEvent>(name: N, creation: number, time: number, data: Omit<EventInput<N>, 'creationId'>): NewRecord {
    const creationId = this.#world.ids.creation(creation)
    return record<CreationEvent>(name, `creation/${creationId}`, this.#nextSequence(creation), time, { creationId, ...data })
  }
}

type CreationEvent = Extract<Parameters<typeof record>[0], `creation.${string}`>

const SCALES = [100, 500, 2_500, 12_000, 99_999, 1_000_000]
