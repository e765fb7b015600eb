import { setImmediate as others } from 'node:timers/promises'
import { type CommunityFeedPage, getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import type { ReadSession } from '../../operations/read-session.js'
import type { Language } from '../languages.js'
import { hasUnspacedScript, normalizeName } from '../parse/find-names.js'
import { SpellingIndex } from '../parse/spelling.js'

export interface CreationAddress {
  handle: string
  slug: string
}

/** Creations by title and creators by name, folded. */
export interface KnownNames {
  titles: ReadonlyMap<string, readonly CreationAddress[]>
  people: ReadonlyMap<string, string>
  handles: ReadonlySet<string>
  /** Handles, and every word of titles and names. */
  spelling: SpellingIndex
  /** Titles and names in scripts without spaces, spaces left out, the longest first. */
  unspacedTitles: readonly (readonly [string, string])[]
  unspacedPeople: readonly (readonly [string, string])[]
}

/** The most liked creations are read for it: 4,800 of them, and everybody who made one. */
const MAX_PAGES = 100
const PAGE_SIZE = 48
/** New names are looked for no more often than this. */
const MIN_REFRESH_MS = 60_000

interface CachedNames {
  names: KnownNames
  position: number
  readAt: number
}

/**
 * Whom and what people are likely to call by name. The models find creators by handle and creations by address; names are
 * no keys there. What is found here is looked up in the models again, so an old entry can mislead nobody.
 */
export class NameDirectory {
  readonly #now: () => number
  readonly #cache = new Map<Language, CachedNames>()
  readonly #loading = new Map<Language, Promise<CachedNames>>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Waits for the first reading only; later ones happen while the last one still serves. */
  async names(models: ReadSession, language: Language): Promise<KnownNames> {
    const kept = this.#cache.get(language)
    if (kept === undefined) return (await this.#loadOnce(models, language)).names
    const moved = models.position !== null && models.position !== kept.position
    // A reading that fails leaves the old names: the question at hand has got its answer already.
    if (moved && this.#now() - kept.readAt > MIN_REFRESH_MS) this.#loadOnce(models, language).catch(() => {})
    return kept.names
  }

  #loadOnce(models: ReadSession, language: Language): Promise<CachedNames> {
    const running = this.#loading.get(language)
    if (running !== undefined) return running
    const reading = this.#load(models.separate(), language).finally(() => this.#loading.delete(language))
    this.#loading.set(language, reading)
    return reading
  }

  async #load(models: ReadSession, language: Language): Promise<CachedNames> {
    const titles = new Map<string, CreationAddress[]>()
    const people = new Map<string, string>()
    const handles = new Set<string>()
    let cursor: string | null = null
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items, next_cursor }: CommunityFeedPage = await models.read(getCommunityFeed, {
        locale: language,
        sort: 'liked' as const,
        limit: PAGE_SIZE,
        cursor: cursor ?? undefined,
      })
      for (const { title, slug, creator } of items) {
        titles.set(normalizeName(title), [...(titles.get(normalizeName(title)) ?? []), { handle: creator.handle, slug }])
        handles.add(creator.handle)
        if (!people.has(normalizeName(creator.displayName))) people.set(normalizeName(creator.displayName), creator.handle)
      }
      cursor = next_cursor
      if (cursor === null) break
      // An embedded store answers without anybody else having had a turn.
      await others()
    }
    const spelling = new SpellingIndex([...handles, ...[...titles.keys(), ...people.keys()].flatMap((name) => name.split(' '))])
    const names = {
      titles,
      people,
      handles,
      spelling,
      unspacedTitles: unspacedNames(titles.keys()),
      unspacedPeople: unspacedNames(people.keys()),
    }
    const kept = { names, position: models.position ?? 0, readAt: this.#now() }
    this.#cache.set(language, kept)
    return kept
  }
}

function unspacedNames(keys: Iterable<string>): [string, string][] {
  return [...keys]
    .filter(hasUnspacedScript)
    .map((key): [string, string] => [key.replaceAll(' ', ''), key])
    .sort(([a], [b]) => b.length - a.length)
}
