import { setImmediate as others } from 'node:timers/promises'
import type { Language } from '../languages.js'
import { fold, isUnspaced } from '../parse/fold.js'
import { Spelling } from '../parse/spelling.js'
import type { Models } from './live-models.js'

export interface CreationAddress {
  handle: string
  slug: string
}

/** Creations by title and creators by name, folded. */
export interface Names {
  titles: ReadonlyMap<string, readonly CreationAddress[]>
  people: ReadonlyMap<string, string>
  handles: ReadonlySet<string>
  /** Handles, and every word of titles and names. */
  spelling: Spelling
  /** Titles and names in scripts without spaces, spaces left out, the longest first. */
  unspacedTitles: readonly (readonly [string, string])[]
  unspacedPeople: readonly (readonly [string, string])[]
}

/** The most liked creations are read for it: 4,800 of them, and everybody who made one. */
const PAGES = 100
const PAGE = 48
/** New names are looked for no more often than this. */
const FRESH_MS = 60_000

interface Kept {
  names: Names
  position: number
  readAt: number
}

/**
 * Whom and what people are likely to call by name. The models find creators by handle and creations by address; names are
 * no keys there. What is found here is looked up in the models again, so an old entry can mislead nobody.
 */
export class Directory {
  readonly #now: () => number
  readonly #kept = new Map<Language, Kept>()
  readonly #reading = new Map<Language, Promise<Kept>>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Waits for the first reading only; later ones happen while the last one still serves. */
  async names(models: Models, language: Language): Promise<Names> {
    const kept = this.#kept.get(language)
    if (kept === undefined) return (await this.#read(models, language)).names
    const moved = models.position !== null && models.position !== kept.position
    // A reading that fails leaves the old names: the question at hand has got its answer already.
    if (moved && this.#now() - kept.readAt > FRESH_MS) this.#read(models, language).catch(() => {})
    return kept.names
  }

  #read(models: Models, language: Language): Promise<Kept> {
    const running = this.#reading.get(language)
    if (running !== undefined) return running
    const reading = this.#walk(models.another(), language).finally(() => this.#reading.delete(language))
    this.#reading.set(language, reading)
    return reading
  }

  async #walk(models: Models, language: Language): Promise<Kept> {
    const titles = new Map<string, CreationAddress[]>()
    const people = new Map<string, string>()
    const handles = new Set<string>()
    let cursor: string | null = null
    for (let page = 0; page < PAGES; page += 1) {
      const { items, next_cursor } = await models.feed({
        locale: language,
        sort: 'liked',
        limit: PAGE,
        ...(cursor === null ? {} : { cursor }),
      })
      for (const { title, slug, creator } of items) {
        titles.set(fold(title), [...(titles.get(fold(title)) ?? []), { handle: creator.handle, slug }])
        handles.add(creator.handle)
        if (!people.has(fold(creator.displayName))) people.set(fold(creator.displayName), creator.handle)
      }
      cursor = next_cursor
      if (cursor === null) break
      // An embedded store answers without anybody else having had a turn.
      await others()
    }
    const spelling = new Spelling([...handles, ...[...titles.keys(), ...people.keys()].flatMap((name) => name.split(' '))])
    const names = { titles, people, handles, spelling, unspacedTitles: unspaced(titles.keys()), unspacedPeople: unspaced(people.keys()) }
    const kept = { names, position: models.position ?? 0, readAt: this.#now() }
    this.#kept.set(language, kept)
    return kept
  }
}

function unspaced(keys: Iterable<string>): [string, string][] {
  return [...keys]
    .filter(isUnspaced)
    .map((key): [string, string] => [key.replaceAll(' ', ''), key])
    .sort(([a], [b]) => b.length - a.length)
}
