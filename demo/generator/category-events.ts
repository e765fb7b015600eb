import type { NewRecord } from '../../src/ports/event-log.js'
import { CATEGORIES } from '../words/index.js'
import type { DemoContext } from './context.js'
import { record, type TimedEvents } from './events.js'
import { DAY, DEMO_START } from './timeline.js'

const RELABELLED_AT = DEMO_START + 210 * DAY

/** All categories on the first minute; later one is defined again, with its present label. */
export class CategoryEvents implements TimedEvents {
  readonly #world: DemoContext
  #done = 0

  constructor(world: DemoContext) {
    this.#world = world
  }

  get time(): number {
    if (this.#done < CATEGORIES.length) return DEMO_START + this.#done * 1000
    return this.#done === CATEGORIES.length ? RELABELLED_AT : Number.POSITIVE_INFINITY
  }

  next(): NewRecord | undefined {
    const { time } = this
    const order = this.#done % CATEGORIES.length
    const again = this.#done++ >= CATEGORIES.length
    const category = CATEGORIES[order]
    if (category === undefined) return undefined
    // The first category started out in English and with a plainer name.
    const label = order === 0 && !again ? { en: 'Games' } : category.label
    const coverUrl = this.#world.coverUrl(`category-${category.slug}`)
    return record('category.defined', `category/${category.slug}`, again ? 2 : 1, time, { slug: category.slug, label, order, coverUrl })
  }
}
