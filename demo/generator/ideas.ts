import type { Kind } from '../../src/events/index.js'
import { at, mix, permute } from '../random.js'
import {
  BRANDS,
  type ByLanguage,
  CATEGORIES,
  type Category,
  FORMS,
  LOCAL_IDEAS,
  type LocalIdea,
  type Phrase,
  PLACES,
  type Place,
  TOPICS,
  type Topic,
} from '../words/index.js'

/** What a creation is going to be, before it is put into words. */
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
  // One idea in seven is branded on the first lap; later laps differ by their brand.
  const branded = lap > 0 || (luck % 7 === 0 && 'topic' in found.about)
  return { ...found, brand: branded ? at(BRANDS, ((luck >>> 8) + lap) % BRANDS.length) : null }
}

type Unbranded = Omit<Idea, 'brand'>

interface IdeaRange {
  size: number
  make(entry: number): Unbranded
}

const RANGES: readonly IdeaRange[] = [...CATEGORIES.map(topicIdeas), ...LOCAL_IDEAS.map(localIdeas)]

/** How many ideas there are before the first one returns. */
export const IDEA_COUNT = RANGES.reduce((sum, range) => sum + range.size, 0)

/** How many titles there are before one is repeated. */
export const TITLE_COUNT = IDEA_COUNT * BRANDS.length

function ideaNumber(number: number): Unbranded {
  let entry = number
  for (const range of RANGES) {
    if (entry < range.size) return range.make(entry)
    entry -= range.size
  }
  throw new RangeError(`no idea ${number} among ${IDEA_COUNT}`)
}

function topicIdeas(category: Category): IdeaRange {
  const topics = TOPICS[category.slug] ?? []
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

function localIdeas({ category, kind, byTheSea, phrase }: LocalIdea): IdeaRange {
  const places = byTheSea ? PLACES.coasts : PLACES.cities
  const found = CATEGORIES.find(({ slug }) => slug === category)
  if (found === undefined) throw new Error(`no category ${category}`)
  return { size: places.length, make: (entry) => ({ category: found, kind, phrase, about: { place: at(places, entry) } }) }
}
