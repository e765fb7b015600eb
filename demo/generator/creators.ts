import type { NewRecord } from '../../src/ports/event-log.js'
import { heavyTail, levelsFor, mix, permute, SeededRandom } from '../random.js'
import type { DemoContext } from './context.js'
import { type EventInput, record, type TimedEvents } from './events.js'
import { newBiography, newHandle, person } from './people.js'
import { PriorityQueue } from './priority-queue.js'
import { arrivalTime, DAY, DEMO_END, DEMO_START, reactionTime } from './timeline.js'

/** People come, gain followers, change their profiles, and a few leave for ever. */
export class Creators implements TimedEvents {
  /** People who join, one after the other. */
  readonly arrivals: TimedEvents & { time: number }
  readonly #world: DemoContext
  readonly #agenda: PriorityQueue
  readonly #dice: SeededRandom
  readonly #sequence: Uint32Array
  readonly #steps: Uint32Array
  readonly #lastFollower: Uint32Array
  readonly #gone: Uint8Array
  #here = 0

  constructor(world: DemoContext) {
    this.#world = world
    this.#agenda = new PriorityQueue(world.creators)
    this.#dice = new SeededRandom(mix(world.seed, 0xc4ea))
    this.#sequence = new Uint32Array(world.creators)
    this.#steps = new Uint32Array(world.creators)
    this.#lastFollower = new Uint32Array(world.creators)
    this.#gone = new Uint8Array(world.creators)
    const arrive = (time: number) => this.#arrive(time)
    const next = () => (this.#here < world.creators ? arrivalOf(this.#here, world) : Number.POSITIVE_INFINITY)
    this.arrivals = {
      time: next(),
      next() {
        const arrived = arrive(this.time)
        this.time = next()
        return arrived
      },
    }
  }

  get time(): number {
    return this.#agenda.nextTime
  }

  /** Has joined and not left. */
  isHere(creator: number): boolean {
    return creator < this.#here && this.#gone[creator] === 0
  }

  /** A present member; now and then a stranger who never joined. */
  someUser(dice: SeededRandom): number {
    if (dice.chance(1, 100)) return this.#world.creators + dice.below(1 + this.#world.creators)
    return this.someCreator(dice)
  }

  /** A present member. The first one never leaves, so there always is one. */
  someCreator(dice: SeededRandom): number {
    for (let attempt = 0; attempt < 4; attempt++) {
      const creator = dice.below(this.#here)
      if (this.isHere(creator)) return creator
    }
    return 0
  }

  #arrive(time: number): NewRecord {
    const creator = this.#here++
    this.#plan(creator)
    const { handle, displayName, bio, links } = person(creator, this.#world.seed)
    const avatarUrl = creator % 19 === 7 ? null : this.#world.avatarUrl(this.#avatarKey(creator))
    return this.#event('creator.registered', creator, time, { handle, displayName, bio, avatarUrl, links })
  }

  /** The next event of a creator: mostly a new follower. */
  next(): NewRecord | undefined {
    const time = this.#agenda.nextTime
    const creator = this.#agenda.pop()
    const step = (this.#steps[creator] ?? 0) + 1
    this.#steps[creator] = step
    const luck = mix(this.#world.seed, 0xfa7e, creator)
    // One in fifty leaves at the fifth step; the first never does (see `maker`).
    if (luck % 50 === 3 && step === 5 && creator > 0) return this.#leave(creator, time)
    this.#plan(creator)
    if (luck % 6 === 1 && step === 2 + ((luck >>> 8) % 3)) return this.#changeProfile(creator, time, luck >>> 12)
    if (luck % 25 === 2 && step === 4) {
      return this.#event('creator.handle_changed', creator, time, { handle: newHandle(creator, this.#world.seed) })
    }
    return this.#dice.chance(1, 25) ? this.#loseFollower(creator, time) : this.#gainFollower(creator, time, step)
  }

  #plan(creator: number): void {
    const { seed, creators } = this.#world
    const fame = mix(seed, 0xfa3e, creator)
    const followers = 4 + heavyTail(fame, 3, levelsFor(creators) - 1)
    const step = this.#steps[creator] ?? 0
    if (step >= followers) return
    const lifetime = (120 + (fame % 400)) * DAY
    const time = reactionTime(step, followers, mix(seed, fame, step), arrivalOf(creator, this.#world), lifetime)
    if (time < DEMO_END) this.#agenda.add(creator, time)
  }

  #leave(creator: number, time: number): NewRecord {
    this.#gone[creator] = 1
    return this.#event('creator.removed', creator, time, {})
  }

  #changeProfile(creator: number, time: number, luck: number): NewRecord {
    const { seed } = this.#world
    const { displayName, handle } = person(creator, seed)
    const changes: Omit<EventInput<'creator.profile_changed'>, 'creatorId'>[] = [
      { bio: newBiography(creator, seed) },
      { avatarUrl: this.#world.avatarUrl(`${this.#avatarKey(creator)}-new`) },
      { displayName: displayName.split(' ')[0] ?? displayName, bio: newBiography(creator, seed) },
      { links: [{ label: 'Shop', url: `https://shop.example/${handle}` }] },
    ]
    return this.#event('creator.profile_changed', creator, time, changes[luck % changes.length] ?? {})
  }

  /** Each follower comes once: members are walked in shuffled order. Those who have not joined yet do not follow. */
  #gainFollower(creator: number, time: number, step: number): NewRecord | undefined {
    const { seed, creators, ids } = this.#world
    const stranger = this.#dice.chance(1, 100)
    const follower = stranger ? this.#dice.below(creators) + creators : permute(step % creators, creators, mix(seed, 0xf0110, creator))
    if (follower === creator || (!stranger && !this.isHere(follower))) return undefined
    this.#lastFollower[creator] = follower + 1
    return this.#event('creator.followed', creator, time, { followerId: ids.creator(follower) })
  }

  #loseFollower(creator: number, time: number): NewRecord | undefined {
    const follower = (this.#lastFollower[creator] ?? 0) - 1
    if (follower < 0) return undefined
    this.#lastFollower[creator] = 0
    return this.#event('creator.unfollowed', creator, time, { followerId: this.#world.ids.creator(follower) })
  }

  #avatarKey(creator: number): string {
    return `person-${this.#world.ids.creator(creator).slice(2)}`
  }

  #event<N extends CreatorEvent>(name: N, creator: number, time: number, data: Omit<EventInput<N>, 'creatorId'>): NewRecord {
    const creatorId = this.#world.ids.creator(creator)
    const sequence = (this.#sequence[creator] ?? 0) + 1
    this.#sequence[creator] = sequence
    return record<CreatorEvent>(name, `creator/${creatorId}`, sequence, time, { creatorId, ...data })
  }
}

type CreatorEvent = Extract<Parameters<typeof record>[0], `creator.${string}`>

/** A few founders on the first morning, all others on a growing curve. */
function arrivalOf(creator: number, { creators, seed }: DemoContext): number {
  const founders = Math.ceil(creators / 25)
  if (creator < founders) return DEMO_START + Math.floor(((creator + 1) * DAY) / (2 * founders))
  return arrivalTime(creator - founders, creators - founders, mix(seed, 0xa44, creator), DEMO_START + DAY, DEMO_END - DAY)
}
