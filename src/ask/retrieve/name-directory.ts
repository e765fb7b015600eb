import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { distinct } from '../../lib/distinct.js'
import type { Keeper } from '../../operations/erasure-watch.js'
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
  /** By creation. */
  listed: Map<string, ListedNames>
  /** `null` until the next question, after one of them was removed: each word may be of several. */
  names: KnownNames | null
  position: number
  readAt: number
}

/**
 * Titles and creators' names in memory: the models find creators by handle and creations by address only. What is found
 * here is read from the models again, so a stale entry is never shown.
 */
export class NameDirectory implements Keeper {
  readonly #onLoaded: () => void
  readonly #now: () => number
  readonly #cache = new Map<Language, CachedNames>()
  readonly #loading = new Map<Language, Promise<CachedNames>>()

  /** `onLoaded`: someone may have been removed while the names were read. */
  constructor(onLoaded: () => void = () => {}, now: () => number = Date.now) {
    this.#onLoaded = onLoaded
    this.#now = now
  }

  /** Waits for the first load only; later ones run while the old names still serve. */
  async names(models: ReadSession, language: Language): Promise<KnownNames> {
    const kept = this.#cache.get(language)
    if (kept === undefined) return namesIn(await this.#loadOnce(models, language))
    const moved = models.position !== null && models.position !== kept.position
    // A load that fails leaves the old names, which this question has already got.
    if (moved && this.#now() - kept.readAt > MIN_REFRESH_MS) this.#loadOnce(models, language).catch(() => {})
    return namesIn(kept)
  }

  /** Creations only: they are removed together with their creator. */
  subjects(): Iterable<string> {
    return distinct([...this.#cache.values()].map(({ listed }) => listed.keys()))
  }

  purge(removed: ReadonlySet<string>): void {
    for (const kept of this.#cache.values()) for (const id of removed) if (kept.listed.delete(id)) kept.names = null
  }

  #loadOnce(models: ReadSession, language: Language): Promise<CachedNames> {
    const running = this.#loading.get(language)
    if (running !== undefined) return running
    const loading = this.#load(models.separate(), language).then((kept) => {
      this.#cache.set(language, kept)
      this.#onLoaded()
      return kept
    })
    const done = () => this.#loading.delete(language)
    this.#loading.set(language, loading)
    loading.then(done, done)
    return loading
  }

  async #load(models: ReadSession, language: Language): Promise<CachedNames> {
    const listed = new Map<string, ListedNames>()
    for await (const { items } of feedPages(models, { locale: language, sort: 'liked' }, MAX_PAGES)) {
      for (const item of items) listed.set(item.id, listedNames(item))
      // An embedded store answers without yielding to the event loop.
      await yieldToEventLoop()
    }
    return { listed, names: knownNames(listed.values()), position: models.position ?? 0, readAt: this.#now() }
  }
}

const namesIn = (kept: CachedNames): KnownNames => {
  kept.names ??= knownNames(kept.listed.values())
  return kept.names
}

interface NamedCreation {
  slug: string
  title: string
  creator: { handle: string; displayName: string }
}

/** A creation and its creator, with normalized names. */
interface ListedNames {
  address: CreationAddress
  title: string
  person: string
}

const listedNames = ({ slug, title, creator: { handle, displayName } }: NamedCreation): ListedNames => ({
  address: { handle, slug },
  title: normalizeName(title),
  person: normalizeName(displayName),
})

/** Of several creators with the same name, the first is found. */
function knownNames(listed: Iterable<ListedNames>): KnownNames {
  const titles = new Map<string, CreationAddress[]>()
  const people = new Map<string, string>()
  const handles = new Set<string>()
  for (const { address, title, person } of listed) {
    const namesakes = titles.get(title)
    if (namesakes === undefined) titles.set(title, [address])
    else namesakes.push(address)
    if (!people.has(person)) people.set(person, address.handle)
    handles.add(address.handle)
  }
  const words = [...titles.keys(), ...people.keys()].flatMap((name) => name.split(' '))
  return {
    titles,
    people,
    handles,
    spelling: new SpellingIndex([...handles, ...words]),
    unspacedTitles: unspacedNames(titles.keys()),
    unspacedPeople: unspacedNames(people.keys()),
  }
}

function unspacedNames(keys: Iterable<string>): [string, string][] {
  return [...keys]
    .filter(hasUnspacedScript)
    .map((key): [string, string] => [key.replaceAll(' ', ''), key])
    .sort(([a], [b]) => b.length - a.length)
}
