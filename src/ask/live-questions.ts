import type { Operations } from '../operations/read-executor.js'
import { listAnswer } from './answer/list-answer.js'
import { liveAnswer, type Telling } from './answer/live-answer.js'
import { searchAnswer } from './answer/search-answer.js'
import type { Draft } from './draft.js'
import type { Language } from './languages.js'
import { type Reading, readQuestion } from './parse/intent.js'
import { type Understood, understood } from './parse/parse-question.js'
import { searchWords } from './parse/search-words.js'
import { continued, NOTHING, type Slots } from './parse/slots.js'
import { terms } from './parse/terms.js'
import { categoryNamed, type Vocabulary } from './parse/vocabulary.js'
import { isCommon } from './parse/word-lists.js'
import type { Mode } from './request.js'
import { LIST } from './retrieve/creation-list.js'
import { Models } from './retrieve/live-models.js'
import { Directory } from './retrieve/name-directory.js'
import { named } from './retrieve/resolve-names.js'

export type Missing = 'noCreator' | 'noCreation' | 'nothingFound'

/** A question in the light of what is in the models right now. */
export interface LiveQuestion extends Reading {
  /** It is short, or begins with "and": earlier questions help to understand it. */
  leans: boolean
  /** As it was asked, with the name in it taken out. */
  rest: string
  telling: Telling
  vocabulary: Vocabulary
}

/** Questions about what people have made, answered from the read models through the operations. */
export class LiveAnswers {
  readonly #operations: Operations
  readonly #webUrl: string
  readonly #known = new Map<Language, { position: number; vocabulary: Vocabulary; names: ReadonlyMap<string, string> }>()
  readonly #directory = new Directory()

  constructor(operations: Operations, webUrl: string) {
    this.#operations = operations
    this.#webUrl = webUrl
  }

  /** Reads what the first question in a language would have to wait for. */
  async prepare(language: Language): Promise<void> {
    const { models } = await this.telling(language, 'generate')
    await this.#directory.names(models, language)
  }

  async telling(language: Language, mode: Mode): Promise<Telling & { vocabulary: Vocabulary }> {
    const models = new Models(this.#operations)
    const { vocabulary, names } = await this.#vocabulary(models, language)
    return { models, language, mode, webUrl: this.#webUrl, categoryName: (slug) => names.get(slug) ?? slug, vocabulary }
  }

  async read(text: string, previous: readonly string[], language: Language, mode: Mode): Promise<LiveQuestion> {
    const { vocabulary, ...telling } = await this.telling(language, mode)
    const now = await this.#understood(text, telling, vocabulary)
    const short = terms(text, language).length <= 3 && !now.explains
    const mayFollow = (now.follows || (short && !isComplete(now.slots))) && previous.length > 0
    const before = mayFollow ? await this.#before(previous, { ...telling, vocabulary }) : null
    return {
      ...now,
      slots: before === null ? now.slots : continued(before, withPlace(now, language, vocabulary)),
      follows: before !== null,
      leans: now.follows || short,
      telling,
      vocabulary,
    }
  }

  #understood(text: string, telling: Telling, vocabulary: Vocabulary): Promise<Understood> {
    return understood(text, telling, vocabulary, this.#directory)
  }

  /** The last of the earlier questions that the models could answer. */
  async #before(previous: readonly string[], { vocabulary, ...telling }: Telling & { vocabulary: Vocabulary }): Promise<Slots | null> {
    for (const turn of previous.toReversed()) {
      const { slots, rest } = await this.#understood(turn, telling, vocabulary)
      const before = (await named(rest, slots, telling)) ?? slots
      if (isLive(before)) return before
    }
    return null
  }

  /** What the models say to it; null when it is no question for them. */
  async answer({ slots: read, rest, explains, counts, telling, vocabulary }: LiveQuestion): Promise<Draft | Missing | null> {
    const found = await named(rest, read, telling)
    if (found !== null) return liveAnswer(found, telling)
    // "How much has been published here?" names nobody who did.
    const slots: Slots = read.topic === 'made' && read.handle === null && counts ? { ...read, topic: 'count' } : read
    if (slots.handle === null && !explains) {
      // What is asked of one creation or one person needs it to exist.
      if (slots.topic === 'leaderboard') return 'noCreation'
      if (slots.topic === 'followers' || slots.topic === 'following') return 'noCreator'
    }
    return (await searchAnswer(rest, slots, telling, vocabulary)) ?? liveAnswer(slots, telling)
  }

  /** A last try: the words themselves, when they are few and no sentence. */
  async search(text: string, { telling, slots }: LiveQuestion): Promise<Draft | null> {
    const words = terms(text, telling.language)
    const all = text.match(/[\p{L}\p{N}]+/gu) ?? []
    if (words.length === 0 || words.length > 3 || all.some((word) => isCommon(telling.language, word.toLowerCase()))) return null
    const found = await listAnswer({ ...LIST, kind: slots.kind, q: words.join(' ') }, false, telling)
    return typeof found === 'string' ? null : found
  }

  /** Read again only when the models have moved on. */
  async #vocabulary(models: Models, language: Language) {
    const tags = await models.tags()
    const position = models.position ?? 0
    const known = this.#known.get(language)
    if (known?.position === position) return known
    const [local, english] = [await models.landing(language), language === 'en' ? null : await models.landing('en')]
    const labels = new Map((english ?? local).categories.map(({ slug, label }) => [slug, label]))
    const vocabulary: Vocabulary = {
      tags: tags.items,
      categories: local.categories.map(({ slug, label }) => ({ slug, names: [label, labels.get(slug) ?? label] })),
    }
    const fresh = { position, vocabulary, names: new Map(local.categories.map(({ slug, label }) => [slug, label])) }
    this.#known.set(language, fresh)
    return fresh
  }
}

/** Whether a question needs the models, as far as its words tell without them. */
export function isAboutModels(text: string, language: Language): boolean {
  const { slots, explains } = readQuestion(text, language, { tags: [], categories: [] })
  return isLive(slots) && !explains
}

const isLive = (slots: Slots): boolean => JSON.stringify(slots) !== JSON.stringify(NOTHING)

/** "And music?" after a question about food: alone it would be a word to search for. */
function withPlace({ slots, rest }: Understood, language: Language, vocabulary: Vocabulary): Slots {
  if (slots.category !== null || slots.tag !== null || slots.handle !== null) return slots
  const category = categoryNamed(searchWords(rest, language).join(' '), vocabulary)
  return category === null ? slots : { ...slots, category, kind: slots.kind === 'game' && category === 'games' ? null : slots.kind }
}

/** Says both what is wanted and where: it needs no question before it. */
const isComplete = ({ topic, sort, handle, name, category, tag, kind }: Slots): boolean =>
  (topic !== null || sort !== null) && (handle !== null || name !== null || category !== null || tag !== null || kind !== null)
