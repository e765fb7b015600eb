import { getCategories } from '../../readmodels/landing/unlisted-reads.js'
import { getPopularTags, type PopularTags } from '../../readmodels/tags/public-reads.js'
import { forgetRemembered } from '../lib/remembered.js'
import { words } from '../lib/tokenize.js'
import type { ReadExecutor } from '../operations/read-executor.js'
import { ReadSession, type ReadSessionOptions } from '../operations/read-session.js'
import type { LiveContext } from './answer/citations.js'
import { listDraft, nearestDraft } from './answer/list-answer.js'
import { asksToSearch, liveAnswer, searchAnswer } from './answer/live-answer.js'
import { type ListPage, listPage } from './answer/text-pages.js'
import { withSearch } from './answer/unknown-answer.js'
import { MIN_SHARE_NAMED } from './choose-source.js'
import type { Language, Languages } from './languages.js'
import { topicOf, wantedWords } from './parse/aim.js'
import { matchIntent, type ParsedText } from './parse/intent.js'
import { type ParsedQuestion, parseQuestion } from './parse/parse-question.js'
import { NAME_PLACEHOLDER } from './parse/patterns.js'
import { EMPTY_SLOTS, kindWithin, mergeFollowUp, type Slots } from './parse/slots.js'
import { searchWords, terms } from './parse/terms.js'
import { categoryByName, isCategoryName, type Vocabulary } from './parse/vocabulary.js'
import type { Mode } from './request.js'
import type { Draft, NotFoundReason } from './response.js'
import { DEFAULT_LIST, type ListQuery } from './retrieve/creation-list.js'
import type { NameDirectory } from './retrieve/name-directory.js'
import { resolveHandle, resolveNames } from './retrieve/resolve-names.js'

/** A parsed question, with what is in the models now. */
export interface ResolvedQuestion extends ParsedText {
  /** It is short or a follow-up: earlier questions help to understand it. */
  dependsOnPrevious: boolean
  /** The question with the name in it replaced. */
  textWithoutName: string
  /** Its terms that names in the community hold. */
  knownTerms: ReadonlySet<string>
  context: LiveContext
  vocabulary: Vocabulary
}

/** What creations fit the words of a question best. */
export interface Lookup {
  query: ListQuery
  list: ListPage
  /** How much of the words the best of them holds, from 0 to 1. */
  share: number
}

/** Each takes as long to understand as the question itself. */
const MAX_LOOKED_BACK = 2

/** Questions about the community, answered from the read models through the public reads. */
export class LiveQuestions {
  readonly #operations: ReadExecutor
  readonly #webUrl: string
  #vocabularies = new Map<Language, { position: number; vocabulary: Vocabulary; names: ReadonlyMap<string, string> }>()
  readonly #directory: NameDirectory

  constructor(operations: ReadExecutor, webUrl: string, directory: NameDirectory) {
    this.#directory = directory
    this.#operations = operations
    this.#webUrl = webUrl
  }

  /** Loads what the first question in a language would wait for. */
  async warmUp(language: Language): Promise<void> {
    const { models } = await this.context({ question: language, answer: language }, 'generate')
    await this.#directory.names(models, language)
  }

  forgetWords(): void {
    // A new map: a question that is loading one fills the old map.
    this.#vocabularies = new Map()
    forgetRemembered()
  }

  async context(
    { question, answer }: Languages,
    mode: Mode,
    options?: ReadSessionOptions,
  ): Promise<LiveContext & { vocabulary: Vocabulary }> {
    const models = new ReadSession(this.#operations, answer, options)
    const popularTags = await models.read(getPopularTags, {})
    const { vocabulary } = await this.#loadVocabulary(models, popularTags, question)
    const { names } = await this.#loadVocabulary(models, popularTags, answer)
    return {
      models,
      language: answer,
      questionLanguage: question,
      mode,
      webUrl: this.#webUrl,
      categoryName: (slug) => names.get(slug) ?? slug,
      popularTags,
      vocabulary,
    }
  }

  async parse(
    text: string,
    previous: readonly string[],
    languages: Languages,
    mode: Mode,
    options?: ReadSessionOptions,
  ): Promise<ResolvedQuestion> {
    const { vocabulary, ...context } = await this.context(languages, mode, options)
    const language = languages.question
    const now = await this.#parseText(text, context, vocabulary)
    const short = terms(text, language).length <= 3 && !now.asksHow
    const mayFollow = (now.isFollowUp || (short && !isComplete(now.slots))) && previous.length > 0
    const before = mayFollow ? await this.#previousSlots(previous, context, vocabulary) : null
    return {
      ...now,
      slots: before === null ? now.slots : mergeFollowUp(before, withCategory(now, language, vocabulary)),
      isFollowUp: before !== null,
      dependsOnPrevious: now.isFollowUp || short,
      knownTerms: await this.#knownTerms(text, context),
      context,
      vocabulary,
    }
  }

  /** A word that titles hold is no misspelling of another. */
  async #knownTerms(text: string, { models, questionLanguage }: LiveContext): Promise<ReadonlySet<string>> {
    const { spelling } = await this.#directory.names(models, questionLanguage)
    return new Set(words(text).flatMap((word) => (spelling.has(word) ? terms(word, questionLanguage) : [])))
  }

  async #parseText(text: string, context: LiveContext, vocabulary: Vocabulary): Promise<ParsedQuestion> {
    const { models, questionLanguage: language } = context
    const names = [await this.#directory.names(models, language)]
    if (language !== 'en') names.push(await this.#directory.names(models, 'en'))
    return resolveHandle(parseQuestion(text, language, vocabulary, names), context)
  }

  /** The last of the earlier questions that the models could answer. */
  async #previousSlots(previous: readonly string[], context: LiveContext, vocabulary: Vocabulary): Promise<Slots | null> {
    for (const turn of previous.toReversed().slice(0, MAX_LOOKED_BACK)) {
      const { slots, textWithoutName } = await this.#parseText(turn, context, vocabulary)
      const before = (await resolveNames(textWithoutName, slots, context)) ?? slots
      if (hasAnySlot(before)) return before
    }
    return null
  }

  /** The answer about a creator or a creation that only the models know; null if the question names none. */
  async named({ slots, textWithoutName, context }: ResolvedQuestion): Promise<Draft | NotFoundReason | null> {
    const found = await resolveNames(textWithoutName, slots, context)
    return found === null ? null : liveAnswer(found, context)
  }

  /** The answer from the read models; null if it is no question for them. `isLookedUp`: creations that fit were looked for before. */
  async answer(question: ResolvedQuestion, isLookedUp: boolean): Promise<Draft | NotFoundReason | null> {
    const { slots: parsed, textWithoutName, asksHow, asksCount, context, vocabulary } = question
    // "How much has been published here?" names no creator, so it counts all creations.
    const slots: Slots = parsed.intent === 'made' && parsed.handle === null && asksCount ? { ...parsed, intent: 'count' } : parsed
    if (slots.handle === null && !asksHow) {
      // A leaderboard needs a creation, followers need a creator.
      if (slots.intent === 'leaderboard') return 'noCreation'
      if (slots.intent === 'followers' || slots.intent === 'following') return 'noCreator'
    }
    if (isLookedUp && asksToSearch(textWithoutName, slots, context.questionLanguage)) return 'nothingFound'
    return (await searchAnswer(textWithoutName, slots, context, vocabulary)) ?? liveAnswer(slots, context)
  }

  /** The same for what is left of a question that says how to order. */
  lookUpTopic(question: ResolvedQuestion): Promise<Lookup | null> {
    const { questionLanguage } = question.context
    return this.lookUp(searchWords(question.textWithoutName, questionLanguage).join(' '), question)
  }

  /** The creations that fit the words of a question; null if it has none, or no more than a kind or a category. */
  async lookUp(text: string, { slots, context, vocabulary }: ResolvedQuestion): Promise<Lookup | null> {
    const { questionLanguage: language } = context
    const q = topicOf(text.replaceAll(NAME_PLACEHOLDER, ' '), language)
    if (q === '' || (slots.category !== null && isCategoryName(q, vocabulary))) return null
    const query: ListQuery = { ...DEFAULT_LIST, sort: 'relevance', kind: slots.kind, limit: slots.limit ?? DEFAULT_LIST.limit, q }
    const list = await listPage(query, context)
    return { query, list, share: Math.max(0, ...list.matches.map(({ share }) => share)) }
  }

  /** Says where to look on, and what comes nearest to what was asked. */
  withSearch(draft: Draft, { textWithoutName, context }: ResolvedQuestion, unfit?: Lookup): Draft {
    const wanted = wantedWords(textWithoutName.replaceAll(NAME_PLACEHOLDER, ' '), context.questionLanguage)
    const near = unfit === undefined || unfit.share < MIN_SHARE_NAMED ? null : nearestDraft(unfit, context)
    return withSearch(draft, wanted, near, context)
  }

  /** What was looked up, as an answer. */
  found({ query, list }: Lookup, { context }: ResolvedQuestion): Draft | null {
    const draft = listDraft(query, list, false, context)
    return typeof draft === 'string' ? null : draft
  }

  /** Read again only after the models have changed. */
  async #loadVocabulary(models: ReadSession, tags: PopularTags, language: Language) {
    const vocabularies = this.#vocabularies
    const position = models.position ?? 0
    const known = vocabularies.get(language)
    if (known?.position === position) return known
    // Only the categories are used: an answer does not hold words of the creations on the landing.
    const landing = models.separate()
    const local = await landing.read(getCategories, { locale: language })
    const english = language === 'en' ? null : await landing.read(getCategories, { locale: 'en' })
    const labels = new Map((english ?? local).categories.map(({ slug, label }) => [slug, label]))
    const vocabulary: Vocabulary = {
      tags: tags.items,
      categories: local.categories.map(({ slug, label }) => ({ slug, names: [label, labels.get(slug) ?? label] })),
    }
    const fresh = { position, vocabulary, names: new Map(local.categories.map(({ slug, label }) => [slug, label])) }
    vocabularies.set(language, fresh)
    return fresh
  }
}

/** Whether a question needs the models, judged by its words alone. */
export function needsLiveModels(text: string, language: Language): boolean {
  const { slots, asksHow } = matchIntent(text, language, { tags: [], categories: [] })
  return hasAnySlot(slots) && !asksHow
}

const hasAnySlot = (slots: Slots): boolean => JSON.stringify(slots) !== JSON.stringify(EMPTY_SLOTS)

/** "And music?" after a question about food names a category; alone it would be a word to search for. */
function withCategory({ slots, textWithoutName }: ParsedQuestion, language: Language, vocabulary: Vocabulary): Slots {
  if (slots.category !== null || slots.tag !== null || slots.handle !== null) return slots
  const category = categoryByName(searchWords(textWithoutName, language).join(' '), vocabulary)
  return category === null ? slots : { ...slots, category, kind: kindWithin(category, slots.kind) }
}

/** Says what is wanted and where, so it needs no earlier question. */
const isComplete = ({ intent, sort, handle, name, category, tag, kind }: Slots): boolean =>
  (intent !== null || sort !== null) && (handle !== null || name !== null || category !== null || tag !== null || kind !== null)
