/** What is said where nothing answers: that it is so, what can be asked, and where to look on. */
import { z } from 'zod'
import { formsOf } from '../../../readmodels/feed/search/stems.js'
import { thesaurus } from '../../../readmodels/feed/search/topics.js'
import { bestLocale } from '../../contract/locale.js'
import { readJson } from '../../lib/package-root.js'
import { words } from '../../lib/tokenize.js'
import { listSentence } from '../languages.js'
import type { Draft } from '../response.js'
import { type LiveContext, lineCitation } from './citations.js'
import { REPLIES, TEMPLATES } from './templates.js'
import { tagsPage } from './text-pages.js'

const MAX_TAGS = 3
/** A link repeats what a caller wrote, so it holds no more than a search needs. */
const MAX_LINKED_LETTERS = 36

/** Which languages are spoken, in those of callers who ask in another. */
const SPOKEN = readJson('content/ask/spoken.json', z.record(z.string(), z.string()))

/** Instead of "I do not know", in the language that was asked for or in English: not knowing a language is not knowing nothing. */
export function spokenLanguages(draft: Draft, locale: string): Draft {
  const best = bestLocale(Object.keys(SPOKEN), locale) ?? 'en'
  return { ...draft, answer: SPOKEN[best] ?? draft.answer, citations: [], results: [], locale: best }
}

/** Adds what comes nearest, the tags that have a word of the question or mean the same, and a link to the search for its words. */
export function withSearch(
  draft: Draft,
  wanted: string,
  nearest: Draft | null,
  { models, language, webUrl, popularTags }: LiveContext,
): Draft {
  const looked = linkedWords(wanted)
  if (looked.length === 0 && nearest === null) return draft
  const { search, tags } = REPLIES[language]
  const meant = new Set(
    looked.flatMap((word) => [
      ...formsOf(word),
      ...thesaurus()
        .related(word)
        .flatMap(({ forms, near }) => (near ? forms : [])),
    ]),
  )
  const near = popularTags.items
    .filter(({ label }) => words(label).some((word) => formsOf(word).some((form) => meant.has(form))))
    .slice(0, MAX_TAGS)
  const page = tagsPage(popularTags, language)
  const link = `${webUrl}/?q=${looked.join('+')}`
  const named = near.map(({ label }) => label)
  const sentences = [
    draft.answer,
    ...(nearest === null ? [] : [nearest.answer]),
    ...(near.length === 0 ? [] : [listSentence(tags, named, language)]),
    ...(looked.length === 0 ? [] : [listSentence(search, [link], language)]),
  ]
  return {
    ...draft,
    // The end of a sentence would be read as a part of the link.
    answer: sentences.join(' ').replace(/[.。]$/u, ''),
    citations: [
      ...draft.citations,
      ...(nearest?.citations ?? []),
      ...near.map(({ label, count }) => lineCitation(page, TEMPLATES[language].tagLine(label, count), webUrl)),
    ],
    results: nearest?.results ?? draft.results,
    position: near.length === 0 && nearest === null ? draft.position : models.position,
  }
}

/** The first words; they are letters, which links hold as they are. Numbers would be taken for facts. */
function linkedWords(wanted: string): string[] {
  const found: string[] = []
  let letters = 0
  for (const word of wanted.split(' ')) {
    if (word === '' || /[^\p{L}\p{M}]/u.test(word) || letters + word.length + 1 > MAX_LINKED_LETTERS) continue
    found.push(word)
    letters += word.length + 1
  }
  return found
}
