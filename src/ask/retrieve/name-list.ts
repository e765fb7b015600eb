import { type CreationAddress, hasUnspacedScript, type KnownNames, normalizeName } from '../parse/find-names.js'
import { SpellingIndex } from '../parse/spelling.js'

export interface NamedCreation {
  id: string
  slug: string
  title: string
  creator: { handle: string; displayName: string }
}

interface Entry {
  address: CreationAddress
  /** Both normalized. */
  title: string
  person: string
}

/** Titles and creators' names of some creations. A removed creation takes along what only it has. */
export class NameList implements KnownNames {
  readonly titles = new Map<string, CreationAddress[]>()
  readonly people = new Map<string, string>()
  readonly handles = new Set<string>()
  spelling = new SpellingIndex([])
  unspacedTitles: readonly (readonly [string, string])[] = []
  unspacedPeople: readonly (readonly [string, string])[] = []
  readonly #entries = new Map<string, Entry>()
  /** Each creation whose creator has this name; the creator of the first one is found. */
  readonly #namesakes = new Map<string, CreationAddress[]>()
  /** How many creations each handle has here. */
  readonly #creations = new Map<string, number>()

  /** Then call {@link complete}. */
  add(creations: Iterable<NamedCreation>): void {
    for (const creation of creations) this.#add(creation)
  }

  complete(): this {
    this.spelling = new SpellingIndex([...this.handles, ...[...this.titles.keys(), ...this.people.keys()].flatMap(wordsOf)])
    this.unspacedTitles = unspacedNames(this.titles.keys())
    this.unspacedPeople = unspacedNames(this.people.keys())
    return this
  }

  get ids(): Iterable<string> {
    return this.#entries.keys()
  }

  delete(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    this.#entries.delete(id)
    const { address, title, person } = entry
    this.#deleteTitle(title, address)
    this.#deletePerson(person, address)
    this.#deleteHandle(address.handle)
  }

  #add({ id, slug, title, creator: { handle, displayName } }: NamedCreation): void {
    // The feed may move while its pages are read.
    if (this.#entries.has(id)) return
    const entry = { address: { handle, slug }, title: normalizeName(title), person: normalizeName(displayName) }
    this.#entries.set(id, entry)
    push(this.titles, entry.title, entry.address)
    push(this.#namesakes, entry.person, entry.address)
    if (!this.people.has(entry.person)) this.people.set(entry.person, handle)
    this.#creations.set(handle, (this.#creations.get(handle) ?? 0) + 1)
    this.handles.add(handle)
  }

  #deleteTitle(title: string, address: CreationAddress): void {
    const left = (this.titles.get(title) ?? []).filter((other) => other !== address)
    if (left.length > 0) return void this.titles.set(title, left)
    this.titles.delete(title)
    this.spelling.delete(wordsOf(title))
    if (hasUnspacedScript(title)) this.unspacedTitles = this.unspacedTitles.filter(([, key]) => key !== title)
  }

  #deletePerson(person: string, address: CreationAddress): void {
    const left = (this.#namesakes.get(person) ?? []).filter((other) => other !== address)
    this.#namesakes.set(person, left)
    const [first] = left
    if (first !== undefined) return void this.people.set(person, first.handle)
    this.#namesakes.delete(person)
    this.people.delete(person)
    this.spelling.delete(wordsOf(person))
    if (hasUnspacedScript(person)) this.unspacedPeople = this.unspacedPeople.filter(([, key]) => key !== person)
  }

  #deleteHandle(handle: string): void {
    const left = (this.#creations.get(handle) ?? 0) - 1
    if (left > 0) return void this.#creations.set(handle, left)
    this.#creations.delete(handle)
    this.handles.delete(handle)
    this.spelling.delete([handle])
  }
}

/** Copies: a part of a string keeps the whole one in memory, which may be of someone who is removed. */
const wordsOf = (name: string): string[] => name.split(' ').map((word) => Buffer.from(word).toString())

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

function unspacedNames(keys: Iterable<string>): [string, string][] {
  return [...keys]
    .filter(hasUnspacedScript)
    .map((key): [string, string] => [key.replaceAll(' ', ''), key])
    .sort(([a], [b]) => b.length - a.length)
}
