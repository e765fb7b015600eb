import type { Kind } from '../../src/events/index.js'
import { mix, SeededRandom } from '../random.js'
import { slugOf } from '../slugs.js'
import { LANGUAGES, type Language, TAGS, TWISTS } from '../words/index.js'
import { type Idea, idea, TITLE_COUNT } from './ideas.js'
import { chooseWording, title, type Wording } from './wording.js'

/** The plan of a creation, from which everything else about it follows. */
export interface CreationPlan {
  /** The creation's number. */
  creation: number
  /** Which idea it carries out; a remix shares that of its original. */
  idea: number
  /** What a remix changes, or null. */
  twist: number | null
  /** The maker's language. */
  home: Language
  /** Made on a phone that knew English only. */
  untranslated: boolean
}

export interface Listing {
  kind: Kind
  category: string
  slug: string
  tags: string[]
  coverKey: string
  languages: readonly Language[]
  wording: Wording
}

/** The public data of a creation, always the same for the same plan. */
export function listing(making: CreationPlan, seed: number): Listing {
  const dice = new SeededRandom(mix(seed, 0x115717, making.creation))
  const what = idea(making.idea, seed)
  const languages = making.untranslated ? (['en'] as const) : languagesOf(making.home, dice)
  const wording = chooseWording(what, making.twist, dice)
  return {
    kind: what.kind,
    category: what.category.slug,
    slug: slug(making, wording, languages),
    tags: tagsOf(what.category.slug, languages, dice),
    coverKey: coverKey(what, making.creation, seed),
    languages,
    wording,
  }
}

/** Each idea has its own order of twists, so that no two of its remixes have the same title. */
export const TWIST_COUNT = TWISTS.length

/** Most creations are in English and some other languages; a few only in the language of their maker. */
function languagesOf(home: Language, dice: SeededRandom): readonly Language[] {
  const style = dice.below(100)
  if (home !== 'en' && style < 8) return [home]
  if (style < 26) return home === 'en' ? ['en'] : ['en', home]
  if (style >= 74) return LANGUAGES
  const chosen = new Set<Language>(['en', home, dice.pick(LANGUAGES), dice.pick(LANGUAGES)])
  return LANGUAGES.filter((language) => chosen.has(language))
}

function slug({ idea }: CreationPlan, told: Wording, languages: readonly Language[]): string {
  // Japanese titles have no Latin letters; their makers use the English words.
  const language = languages.find((candidate) => candidate !== 'ja') ?? 'en'
  const words = slugOf(title(told, language), language)
  const repeat = Math.floor(idea / TITLE_COUNT)
  return repeat === 0 ? words : `${words}-${repeat + 1}`
}

function tagsOf(category: string, languages: readonly Language[], dice: SeededRandom): string[] {
  const own = TAGS.byCategory[category] ?? []
  const tags = new Set<string>()
  const wanted = 1 + dice.skewed(5, 3, 5)
  for (let turn = 0; turn < wanted; turn++) {
    const from = turn === 0 || dice.chance(1, 2) ? own : TAGS.common
    tags.add(from[dice.skewed(from.length, 7, 10)] ?? category)
  }
  const spoken = dice.pick(languages)
  if (tags.size < 5 && dice.chance(1, 20)) tags.add(TAGS.byLanguage[spoken])
  return [...tags]
}

/** The kind decides the composition, the category the colours; the rest makes it one of its kind. */
function coverKey({ kind, category }: Idea, creation: number, seed: number): string {
  return `${kind}-${category.slug}-${mix(seed, 0xc07e4, creation).toString(36)}`
}
