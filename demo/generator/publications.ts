import { KINDS, type Kind } from '../../src/events/index.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import { heavyTail, levelsFor, mix, permute, SeededRandom } from '../random.js'
import type { DemoContext } from './context.js'
import type { Creators } from './creators.js'
import { record, recordV1, type TimedEvents } from './events.js'
import { type Listing, listing, TWIST_COUNT } from './listing.js'
import { languageOf } from './people.js'
import { arrivalTime, DAY, DEMO_END, DEMO_START, LAST_V1_CLIENT, TRANSLATIONS_SINCE } from './timeline.js'
import { byLanguage, description, title } from './wording.js'

/** Things are made and remixed. Keeps 12 bytes per creation; the rest is computed again whenever it is needed. */
export class Publications implements TimedEvents {
  /** Called for each creation when it becomes public. */
  onPublished: (creation: number) => void = () => {}
  readonly #world: DemoContext
  readonly #creators: Creators
  readonly #owner: Uint32Array
  readonly #idea: Uint32Array
  /** 0: an original; otherwise one more than the twist. */
  readonly #twist: Uint8Array
  /** How many twists of an idea are taken, by idea. */
  readonly #twisted: Uint8Array
  /** An index into KINDS. Follows from the idea, but every reaction asks. */
  readonly #kind: Uint8Array
  /** 1: hidden, 2: gone. */
  readonly #visibility: Uint8Array
  /** Remixes of late: picking from them makes chains. */
  readonly #remixes = new Uint32Array(48)
  #remixed = 0
  #ideas = 0
  #made = 0
  /** Kept, because it is read before every event. */
  #time: number

  constructor(world: DemoContext, creators: Creators) {
    this.#world = world
    this.#creators = creators
    this.#owner = new Uint32Array(world.creations)
    this.#idea = new Uint32Array(world.creations)
    this.#twist = new Uint8Array(world.creations)
    this.#twisted = new Uint8Array(world.creations)
    this.#kind = new Uint8Array(world.creations)
    this.#visibility = new Uint8Array(world.creations)
    this.#time = this.#timeOfNext()
  }

  get time(): number {
    return this.#time
  }

  publishedAt(creation: number): number {
    const { creations, seed } = this.#world
    return arrivalTime(creation, creations, mix(seed, 0x9b11, creation), DEMO_START + DAY, DEMO_END)
  }

  /** How many reactions a creation will have, if it is public long enough. */
  attention(creation: number): number {
    return 1 + heavyTail(mix(this.#world.seed, 0xa77e, creation), 2, levelsFor(this.#world.creators) - 1)
  }

  owner(creation: number): number {
    return this.#owner[creation] ?? 0
  }

  isGone(creation: number): boolean {
    return this.#visibility[creation] === GONE || !this.#creators.isHere(this.owner(creation))
  }

  isHidden(creation: number): boolean {
    return this.#visibility[creation] === HIDDEN
  }

  hide(creation: number, hidden: boolean): void {
    this.#visibility[creation] = hidden ? HIDDEN : 0
  }

  remove(creation: number): void {
    this.#visibility[creation] = GONE
  }

  kind(creation: number): Kind {
    return KINDS[this.#kind[creation] ?? 0] ?? 'app'
  }

  /** Sent by a phone that does not know translations yet. */
  sendsV1(creation: number, time: number): boolean {
    return time < TRANSLATIONS_SINCE || (time < LAST_V1_CLIENT && creation % 7 === 0)
  }

  listing(creation: number, untranslated: boolean): Listing {
    const twist = this.#twist[creation] ?? 0
    const home = languageOf(this.owner(creation), this.#world.seed)
    return listing(
      { creation, idea: this.#idea[creation] ?? 0, twist: twist === 0 ? null : twist - 1, home, untranslated },
      this.#world.seed,
    )
  }

  next(): NewRecord {
    const { seed, ids, coverUrl } = this.#world
    const creation = this.#made
    const time = this.#time
    const dice = new SeededRandom(mix(seed, 0x9b12, creation))
    this.#owner[creation] = this.#maker(creation, dice)
    const original = dice.chance(1, 5) ? this.#original(creation, dice) : undefined
    this.#chooseIdea(creation, original, dice)
    this.#made++
    this.#time = this.#timeOfNext()
    this.onPublished(creation)

    const old = this.sendsV1(creation, time)
    const { slug, kind, category, tags, coverKey, languages, wording } = this.listing(creation, old)
    this.#kind[creation] = KINDS.indexOf(kind)
    const creationId = ids.creation(creation)
    const common = {
      creationId,
      creatorId: ids.creator(this.owner(creation)),
      slug,
      kind,
      category,
      tags,
      coverUrl: creation % 61 === 60 ? null : coverUrl(coverKey),
      remixOf: original === undefined ? null : ids.creation(original),
    }
    const subject = `creation/${creationId}`
    if (old) {
      return recordV1('creation.published', subject, 1, time, {
        ...common,
        title: title(wording, 'en'),
        description: description(wording, 'en'),
      })
    }
    return record('creation.published', subject, 1, time, {
      ...common,
      title: byLanguage(languages, (language) => title(wording, language)),
      description: byLanguage(languages, (language) => description(wording, language)),
    })
  }

  #timeOfNext(): number {
    return this.#made < this.#world.creations ? this.publishedAt(this.#made) : Number.POSITIVE_INFINITY
  }

  /** Half of all creations come from the maker of an earlier one. */
  #maker(creation: number, dice: SeededRandom): number {
    if (creation > 0 && dice.chance(1, 2)) {
      const again = this.owner(dice.below(creation))
      if (this.#creators.isHere(again)) return again
    }
    return this.#creators.someCreator(dice)
  }

  /** Something to remix: often a recent remix, otherwise the most noticed of a few. */
  #original(creation: number, dice: SeededRandom): number | undefined {
    const filled = Math.min(this.#remixed, this.#remixes.length)
    const fromChain = filled > 0 && dice.chance(2, 5)
    let best: number | undefined
    for (let look = 0; look < (fromChain ? 2 : 5) && creation > 0; look++) {
      const seen = fromChain ? (this.#remixes[dice.below(filled)] ?? 0) : dice.below(creation)
      if (this.isGone(seen) || this.isHidden(seen)) continue
      if (best === undefined || this.attention(seen) > this.attention(best)) best = seen
    }
    return best
  }

  /** A remix mostly gives its original's idea a twist; everything else is a new idea. */
  #chooseIdea(creation: number, original: number | undefined, dice: SeededRandom): void {
    if (original !== undefined) this.#remixes[this.#remixed++ % this.#remixes.length] = creation
    const idea = original === undefined ? undefined : this.#idea[original]
    const taken = idea === undefined ? TWIST_COUNT : (this.#twisted[idea] ?? 0)
    if (idea === undefined || taken >= TWIST_COUNT || dice.chance(1, 5)) {
      this.#idea[creation] = this.#ideas++
      return
    }
    this.#idea[creation] = idea
    this.#twisted[idea] = taken + 1
    this.#twist[creation] = 1 + permute(taken, TWIST_COUNT, mix(this.#world.seed, 0x7415, idea))
  }
}

const HIDDEN = 1
const GONE = 2
