import type { Operations } from '../../operations/execute.js'
import type { Draft } from '../draft.js'
import type { Language } from '../languages.js'
import type { Mode } from '../request.js'
import { terms } from '../retrieval/terms.js'
import { CUES } from './cues.js'
import { listAnswer, liveAnswer, type Telling } from './live-answers.js'
import { Models } from './models.js'
import { type Reading, readQuestion } from './reading.js'
import { continued, NOTHING, type Slots } from './slots.js'
import { handleOf, type Vocabulary } from './vocabulary.js'

export type Missing = 'noCreator' | 'noCreation' | 'nothingFound'

/** A question in the light of what is in the models right now. */
export interface LiveQuestion extends Reading {
  /** It is short, or begins with "and": earlier questions help to understand it. */
  leans: boolean
  telling: Telling
  vocabulary: Vocabulary
}

/** Questions about what people have made, answered from the read models through the operations. */
export class LiveAnswers {
  readonly #operations: Operations
  readonly #webUrl: string
  readonly #known = new Map<Language, { position: number; vocabulary: Vocabulary; names: ReadonlyMap<string, string> }>()

  constructor(operations: Operations, webUrl: string) {
    this.#operations = operations
    this.#webUrl = webUrl
  }

  async telling(language: Language, mode: Mode): Promise<Telling & { vocabulary: Vocabulary }> {
    const models = new Models(this.#operations)
    const { vocabulary, names } = await this.#vocabulary(models, language)
    return { models, language, mode, webUrl: this.#webUrl, categoryName: (slug) => names.get(slug) ?? slug, vocabulary }
  }

  async read(text: string, previous: readonly string[], language: Language, mode: Mode): Promise<LiveQuestion> {
    const { vocabulary, ...telling } = await this.telling(language, mode)
    const now = readQuestion(text, language, vocabulary)
    const before = previous.map((turn) => readQuestion(turn, language, vocabulary)).findLast(({ slots }) => isLive(slots))
    const short = terms(text, language).length <= 3 && !now.explains
    const follows = before !== undefined && (now.follows || (short && !isComplete(now.slots)))
    return {
      ...now,
      slots: follows ? continued(before.slots, now.slots) : now.slots,
      follows,
      leans: now.follows || short,
      telling,
      vocabulary,
    }
  }

  /** What the models say to it; null when it is no question for them. */
  async answer(text: string, { slots, telling, vocabulary }: LiveQuestion): Promise<Draft | Missing | null> {
    const found = await this.#named(text, slots, telling, vocabulary)
    if (found !== null) return liveAnswer(found, telling)
    const cues = CUES[telling.language]
    const searching = cues.search.test(text.toLowerCase())
    if (searching && slots.tag === null && slots.category === null && !slots.featured && !slots.remixed) {
      const q = searchWords(text, telling.language)
      if (q !== '') return listAnswer({ ...LIST, kind: slots.kind, sort: slots.sort ?? 'liked', q }, false, telling)
    }
    return liveAnswer(slots, telling)
  }

  /** A last try: the words themselves, when they are few and no sentence. */
  async search(text: string, { telling, slots }: LiveQuestion): Promise<Draft | null> {
    const words = terms(text, telling.language)
    if (words.length === 0 || words.length > 3) return null
    const found = await listAnswer({ ...LIST, kind: slots.kind, q: words.join(' ') }, false, telling)
    return typeof found === 'string' ? null : found
  }

  /** Creators and creations called by name instead of by address. */
  async #named(text: string, slots: Slots, { models, language }: Telling, vocabulary: Vocabulary): Promise<Slots | null> {
    if (slots.handle !== null) return null
    const cues = CUES[language]
    const plain = text.replace(/[?？!。.]+$/u, '').trim()
    const who = cues.who.exec(plain.toLowerCase())?.[1]?.trim()
    if (who) {
      const handle = handleOf(who, vocabulary) ?? (/^[a-z0-9-]{2,63}$/.test(who) ? who : null)
      if (handle !== null && (await models.profile(handle, language)) !== null) return { ...slots, handle, topic: 'creator' }
    }
    const about = slots.name ?? cues.about.exec(plain.toLowerCase())?.[1]
    if (about == null) return null
    const title = fold(about)
    const { items } =
      title === '' ? { items: [] } : await models.feed({ locale: language, q: about.slice(0, 200).toWellFormed(), sort: 'liked', limit: 5 })
    const match = items.find((item) => fold(item.title) === title)
    if (match === undefined) return null
    const topic = slots.topic === 'leaderboard' || slots.topic === 'remixes' ? slots.topic : 'creation'
    return { ...NOTHING, handle: match.creator.handle, slug: match.slug, topic }
  }

  /** Read again only when the models have moved on. */
  async #vocabulary(models: Models, language: Language) {
    const tags = await models.tags()
    const position = models.position ?? 0
    const known = this.#known.get(language)
    if (known?.position === position) return known
    const [local, english] = [await models.landing(language), language === 'en' ? null : await models.landing('en')]
    const labels = new Map((english ?? local).categories.map(({ slug, label }) => [slug, label]))
    const shown = [...local.spotlight, ...local.rails.flatMap(({ items }) => items)]
    const vocabulary: Vocabulary = {
      tags: tags.items,
      categories: local.categories.map(({ slug, label }) => ({ slug, names: [label, labels.get(slug) ?? label] })),
      creators: shown.map(({ creator }) => creator),
    }
    const fresh = { position, vocabulary, names: new Map(local.categories.map(({ slug, label }) => [slug, label])) }
    this.#known.set(language, fresh)
    return fresh
  }
}

/** Whether a question needs the models, as far as its words tell without them. */
export function isAboutModels(text: string, language: Language): boolean {
  const { slots, explains } = readQuestion(text, language, { tags: [], categories: [], creators: [] })
  return isLive(slots) && !explains
}

const LIST = { sort: 'liked', kind: null, category: null, tag: null, q: null, featured: false, remixed: false, limit: 5 } as const

const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const isLive = (slots: Slots): boolean => JSON.stringify(slots) !== JSON.stringify(NOTHING)

/** Says both what is wanted and where: it needs no question before it. */
const isComplete = ({ topic, sort, handle, name, category, tag, kind }: Slots): boolean =>
  (topic !== null || sort !== null) && (handle !== null || name !== null || category !== null || tag !== null || kind !== null)

/** What is left of "is there an app for sourdough" once the asking is taken away. */
function searchWords(text: string, language: Language): string {
  const cues = CUES[language]
  const rest = text.toLowerCase().replace(new RegExp(cues.search, 'g'), ' ').replace(new RegExp(cues.creations, 'g'), ' ')
  const unkind = cues.kinds.reduce((left, [, pattern]) => left.replace(new RegExp(pattern, 'g'), ' '), rest)
  return terms(unkind, language)
    .filter((word) => !FILLER.has(word))
    .slice(0, 5)
    .join(' ')
}

const FILLER: ReadonlySet<string> = new Set(
  'good nice cool great for with help helps track tracking something gute gutes buen buena bueno'.split(' '),
)
