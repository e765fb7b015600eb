import { z } from 'zod'
import { de } from '../../../content/ask/templates/de.js'
import { en } from '../../../content/ask/templates/en.js'
import { es } from '../../../content/ask/templates/es.js'
import { ja } from '../../../content/ask/templates/ja.js'
import type { Creation } from '../../../readmodels/feed/creation.js'
import { readJson } from '../../lib/package-root.js'
import type { Language } from '../languages.js'
import type { ListOrder, ListQuery } from '../retrieve/creation-list.js'

/** The filters of a list, with the category's name in the language of the answer. */
export type ListScope = Omit<ListQuery, 'sort' | 'limit'>

export interface Person {
  displayName: string
  handle: string
}

/**
 * The sentences of live answers in one language. Pages use the same sentences, so an answer is word for word on the page
 * it cites.
 */
export interface AnswerTemplates {
  /** "Most liked trackers tagged “habit”" */
  heading(sort: ListOrder, scope: ListScope): string
  /** "12 public trackers tagged “habit”." */
  count(total: number, scope: ListScope): string
  /** "Pocket Hen by An Hayakawa" and what it is listed for. */
  entry(item: Creation, sort: Exclude<ListOrder, 'relevance'>): string
  /** The same, with the words by which it was found. */
  match(item: Creation, found: readonly string[]): string
  /** The same with all its numbers, for the page. */
  line(item: Creation): string
  /** "matches: sourdough, bread" */
  found(words: readonly string[]): string
  person(person: Person): string
  joined(person: Person, day: string): string
  totals(stats: { apps: number; likes: number; remixes: number; plays: number; followers: number; following: number }): string
  made(person: Person, apps: number): string
  nothingMade(person: Person): string
  followers(person: Person, total: number): string
  following(person: Person, total: number): string
  creation(item: Creation, category: string): string
  stats(stats: { likes: number; remixes: number; plays: number }): string
  published(day: string): string
  remixOf(title: string, handle: string): string
  remixes(title: string, total: number): string
  leaderboard(title: string): string
  noScores(title: string): string
  score(name: string | null, score: string): string
  tags(total: number): string
  tagLine(label: string, count: number): string
  categories(total: number): string
  categoryLine(label: string, count: number): string
}

export const TEMPLATES: Record<Language, AnswerTemplates> = { en, es, de, ja }

/** What is said instead of an answer. */

const Reply = z.strictObject({
  unknown: z.string(),
  noCreator: z.string(),
  noCreation: z.string(),
  nothingFound: z.string(),
  /** Names a link to the search. */
  search: z.string(),
  /** Names tags. */
  tags: z.string(),
  /** Names creations. */
  nearest: z.string(),
  refusal: z.strictObject({ rules: z.string(), credentials: z.string(), private: z.string(), change: z.string() }),
})

export const REPLIES = readJson('content/ask/replies.json', z.strictObject({ en: Reply, es: Reply, de: Reply, ja: Reply }))
