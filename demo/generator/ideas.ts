import type { Kind } from '../../src/events/index.js'
import { at, mix, permute } from '../random.js'
import { BRANDS } from '../words/brands.js'
import { CATEGORIES, type Category } from '../words/categories.js'
import { APP_FORMS } from '../words/forms-app.js'
import { EXPERIENCE_FORMS } from '../words/forms-experience.js'
import { GAME_FORMS } from '../words/forms-game.js'
import { TRACKER_FORMS } from '../words/forms-tracker.js'
import { WIDGET_FORMS } from '../words/forms-widget.js'
import { LOCAL_IDEAS } from '../words/local-ideas.js'
import { CITIES, COASTS, type Place } from '../words/places.js'
import type { ByLanguage, Form, Phrase } from '../words/table.js'
import { TOPICS, type Topic } from '../words/topics.js'

/** What somebody set out to make, before it is put into words. */
export interface Idea {
  category: Category
  kind: Kind
  phrase: ByLanguage<Phrase>
  /** What fills the slots of the phrase. */
  about: { topic: Topic } | { place: Place }
  /** An invented name in front of the title, or null. */
  brand: string | null
}

/**
 * The `nth` idea of a demo. All ideas (every form of a kind for every topic of a category, every local idea for every
 * place) are one numbered space, walked in shuffled order: no idea comes twice before all have come once. Each further
 * lap puts another brand in front.
 */
export function idea(nth: number, seed: number): Idea {
  const lap = Math.floor(nth / IDEA_COUNT)
  const number = permute(nth % IDEA_COUNT, IDEA_COUNT, mix(seed, 0x1dea))
  const found = ideaNumber(number)
  const luck = mix(seed, 0xb4a2d, number)
  // One idea in seven is branded on the first lap; from then on, the brand is what tells the laps apart.
  const branded = lap > 0 || (luck % 7 === 0 && 'topic' in found.about)
  return { ...found, brand: branded ? at(BRANDS, ((luck >>> 8) + lap) % BRANDS.length) : null }
}

const FORMS: Record<Kind, readonly Form[]> = {
  app: APP_FORMS,
  game: GAME_FORMS,
  tracker: TRACKER_FORMS,
  widget: WIDGET_FORMS,
  experience: EXPERIENCE_FORMS,
}

type Unbranded = Omit<Idea, 'brand'>

interface IdeaRange {
  size: number
  make(entry: number): Unbranded
}

const RANGES: readonly IdeaRange[] = [...CATEGORIES.map(topicIdeas), ...LOCAL_IDEAS.map(localIdeas)]

/** How many ideas there are before the first one returns. */
export const IDEA_COUNT = RANGES.reduce((sum, region) => sum + region.size, 0)

/** How many titles there are before one is repeated. */
export const TITLE_COUNT = IDEA_COUNT * BRANDS.length

function ideaNumber(number: number): Unbranded {
  let entry = number
  for (const region of RANGES) {
    if (entry < region.size) return region.make(entry)
    entry -= region.size
  }
  throw new RangeError(`no idea ${number} among ${IDEA_COUNT}`)
}

function topicIdeas(category: Category): IdeaRange {
  const topics = TOPICS.get(category.slug) ?? []
  const forms = category.kinds.flatMap((kind) =>
    FORMS[kind].filter(({ categories }) => categories?.includes(category.slug) ?? true).map(({ phrase }) => ({ kind, phrase })),
  )
  return {
    size: topics.length * forms.length,
    make: (entry) => ({
      category,
      ...at(forms, Math.floor(entry / topics.length)),
      about: { topic: at(topics, entry % topics.length) },
    }),
  }
}

function localIdeas({ category, kind, byTheSea, phrase }: (typeof LOCAL_IDEAS)[number]): IdeaRange {
  const places = byTheSea ? COASTS : CITIES
  const found = CATEGORIES.find(({ slug }) => slug === category)
  if (found === undefined) throw new Error(`no category ${category}`)
  return { size: places.length, make: (entry) => ({ category: found, kind, phrase, about: { place: at(places, entry) } }) }
}
