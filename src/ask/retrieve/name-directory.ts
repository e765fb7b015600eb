import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { ReadSession } from '../../operations/read-session.js'
import type { Language } from '../languages.js'
import { type CreationAddress, hasUnspacedScript, type KnownNames, normalizeName } from '../parse/find-names.js'
import { SpellingIndex } from '../parse/spelling.js'
import { feedPages } from './creation-list.js'

/** Reads the 4,800 most liked creations and their creators. */
const MAX_PAGES = 100
/** Refreshed at most this often. */
const MIN_REFRESH_MS = 60_000

interface CachedNames {
  names: KnownNames
  position: number
  readAt: number
}

/**
 * Titles and creators' names in memory: the models find creators by handle and creations by address only. What is found
 * here is read from the models again, so a stale entry is never shown.
 */
export class NameDirectory {
  readonly #now: () => number
  readonly #cache = new Map<Language, CachedNames>()
  readonly #loading = new Map<Language, Promise<CachedNames>>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Waits for the first load only; later ones run while the old names still serve. */
  async names(models: ReadSession, language: Language): Promise<KnownNames> {
    const kept = this.#cache.get(language)
    if (kept === undefined) return (await this.#loadOnce(models, language)).names
    const moved = models.position !== null && models.position !== kept.position
    // A load that fails leaves the old names, which this question has already got.
    if (moved && this.#now() - kept.readAt > MIN_REFRESH_MS) this.#loadOnce(models, language).catch(() => {})
    return kept.names
  }

  /** The next question waits for a new load. One that is under way serves only those who wait for it. */
  clear(): void {
    this.#cache.clear()
    this.#loading.clear()
  }

  #loadOnce(models: ReadSession, language: Language): Promise<CachedNames> {
    const running = this.#loading.get(language)
    if (running !== undefined) return running
    const loading = this.#load(models.separate(), language).then((kept) => {
      if (this.#loading.get(language) === loading) this.#cache.set(language, kept)
      return kept
    })
    const done = () => {
      if (this.#loading.get(language) === loading) this.#loading.delete(language)
    }
    this.#loading.set(language, loading)
    loading.then(done, done)
    return loading
  }

  async #load(models: ReadSession, language: Language): Promise<CachedNames> {
    const titles = new Map<string, CreationAddress[]>()
    const people = new Map<string, string>()
    const handles = new Set<string>()
    for await (const { items } of feedPages(models, { locale: language, sort: 'liked' }, MAX_PAGES)) {
      for (const { title, slug, creator } of items) {
        titles.set(normalizeName(title), [...(titles.get(normalizeName(title)) ?? []), { handle: creator.handle, slug }])
        handles.add(creator.handle)
        if (!people.has(normalizeName(creator.displayName))) people.set(normalizeName(creator.displayName), creator.handle)
      }
      // An embedded store answers without yielding to the event loop.
      await yieldToEventLoop()
    }
    const spelling = new SpellingIndex([...handles, ...[...titles.keys(), ...people.keys()].flatMap((name) => name.split(' '))])
    const unspaced = { unspacedTitles: unspacedNames(titles.keys()), unspacedPeople: unspacedNames(people.keys()) }
    const names = { titles, people, handles, spelling, ...unspaced }
    return { names, position: models.position ?? 0, readAt: this.#now() }
  }
}

function unspacedNames(keys: Iterable<string>): [string, string][] {
  return [...keys]
    .filter(hasUnspacedScript)
    .map((key): [string, string] => [key.replaceAll(' ', ''), key])
    .sort(([a], [b]) => b.length - a.length)
}
